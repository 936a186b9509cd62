/** A place in a file; both count from 1. */
export type Spot = { readonly line: number; readonly column: number };

/** A value of a YAML file that knows where it stands. */
export type YamlNode = {
  /** Plain data: null, boolean, number, string, arrays, and objects without a prototype. Integers beyond 2^53 are strings of digits. */
  readonly value: unknown;
  readonly at: Spot;
  /** As it stands in the file, where environment variables were put in: what a message may show. Null: `value` is what stands there. */
  readonly template: string | null;
  readonly fields: ReadonlyMap<string, { readonly keyAt: Spot; readonly node: YamlNode }> | null;
  readonly items: readonly YamlNode[] | null;
};

export type Path = readonly PropertyKey[];

/** The node at a path; null where the file has none. */
export function nodeAt(root: YamlNode, path: Path): YamlNode | null {
  let node: YamlNode | null = root;
  for (const step of path) {
    node = child(node, step);
    if (node === null) return null;
  }
  return node;
}

/** Where a value at this path stands; of a missing one, where the key stands under which it should be found. */
export function spotOf(root: YamlNode, path: Path): Spot {
  let node = root;
  let spot: Spot | null = null;
  for (const step of path) {
    const next = child(node, step);
    if (next === null) return spot ?? root.at;
    spot = node.fields?.get(String(step))?.keyAt ?? next.at;
    node = next;
  }
  return node.at;
}

/** Where the key stands that a path ends with; of an item, where it begins. */
export function keySpotOf(root: YamlNode, path: Path): Spot {
  const parent = nodeAt(root, path.slice(0, -1));
  return parent?.fields?.get(String(path.at(-1)))?.keyAt ?? spotOf(root, path);
}

/** `expect.zero_rows.streak`, `accept[0].range`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`,
    "",
  );
}

function child(node: YamlNode, step: PropertyKey): YamlNode | null {
  return typeof step === "number" ? (node.items?.[step] ?? null) : (node.fields?.get(String(step))?.node ?? null);
}
