import type { z } from "zod";
import type { Mistake } from "../domain/errors.ts";
import { expectations } from "./leaves.ts";
import { suggestion } from "../domain/nearest.ts";
import { UNKNOWN } from "./read-yaml.ts";
import { keySpotOf, nodeAt, type Path, pathText, type Spot, spotOf, type YamlNode } from "./yaml-node.ts";

/** A file and what it says. */
export type Written = { readonly file: string; readonly root: YamlNode };

type Issue = z.core.$ZodIssue;

/**
 * What a schema found wrong, as mistakes with places in the file. `below`: the layer that `defaults` makes, whose own mistakes are told
 * in their own file and are left out here. No message holds a secret or the value of an environment variable.
 */
export function mistakesOf(
  error: z.core.$ZodError,
  schema: z.core.$ZodType,
  written: Written,
  below: YamlNode | null = null,
): readonly Mistake[] {
  return error.issues.flatMap((issue) => tell(issue, [], schema, written, below));
}

function tell(
  issue: Issue,
  base: Path,
  schema: z.core.$ZodType,
  written: Written,
  below: YamlNode | null,
): readonly Mistake[] {
  const path: Path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys
      .filter((key) => nodeAt(written.root, [...path, key]) !== null)
      .map((key) =>
        mistake(written, keySpotOf(written.root, [...path, key]), `unknown key ${key}${suggestion(key, known)}`),
      );
  }
  if (issue.code === "invalid_union") {
    // The branch that the value's shape chose is the one whose mistakes help.
    const meant = issue.errors.find(
      (errors) => errors.length > 0 && errors.every((e) => e.path.length > 0 || e.code === "unrecognized_keys"),
    );
    if (meant) return meant.flatMap((inner) => tell(inner, path, schema, written, below));
  }
  const node = nodeAt(written.root, path);
  if (node === null) {
    if (below !== null && nodeAt(below, path) !== null) return [];
    return [
      mistake(
        written,
        spotOf(written.root, path),
        `${pathText(path) || "the file"} is missing, expected ${expectedAt(schema, path)}`,
      ),
    ];
  }
  if (holdsUnknown(node)) return [];
  const { expected, secret, values } = expectationAt(schema, path);
  const said = `${pathText(path) || "the file"} is ${shown(node, secret)}`;
  const typo =
    values !== null && values.length > 8 && typeof node.value === "string" && node.template === null
      ? suggestion(node.value, values)
      : null;
  return [
    mistake(written, spotOf(written.root, path), typo === null ? `${said}, expected ${expected}` : `${said}${typo}`),
  ];
}

function mistake(written: Written, spot: Spot, message: string): Mistake {
  return { file: written.file, line: spot.line, column: spot.column, message };
}

/** Whether the value waits for a variable whose mistake is already told. */
function holdsUnknown(node: YamlNode): boolean {
  return node.value === UNKNOWN;
}

/** A value as a message may show it: what the file says, never what a variable put there, and no URL. */
export function shown(node: YamlNode, secret: boolean): string {
  if (node.fields !== null) return "a mapping";
  if (node.items !== null) return "a list";
  if (node.value === null) return "empty";
  if (node.value === "") return "an empty text";
  if (secret) return HIDDEN;
  const text = node.template ?? node.value;
  if (typeof text !== "string") return JSON.stringify(text);
  return text.includes("://") ? HIDDEN : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** What may hold a password, or came from the environment. */
const HIDDEN = "something else (not shown)";

type Def = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
};

const defOf = (schema: z.core.$ZodType): Def => schema._zod.def;

/** The schema itself and everything it wraps, from the outside in; the options of a union too. */
function layers(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const def = defOf(schema);
  const inner = def.innerType ?? def.in;
  return [schema, ...(inner ? layers(inner) : []), ...(def.options ?? []).flatMap(layers)];
}

function schemasAt(schema: z.core.$ZodType, path: Path): readonly z.core.$ZodType[] {
  let here = layers(schema);
  for (const step of path)
    here = here.flatMap((layer) => {
      const def = defOf(layer);
      const next = typeof step === "number" ? def.element : (def.shape?.[String(step)] ?? def.valueType);
      return next === undefined ? [] : layers(next);
    });
  return here;
}

function keysAt(schema: z.core.$ZodType, path: Path): readonly string[] {
  return schemasAt(schema, path).flatMap((layer) => Object.keys(defOf(layer).shape ?? {}));
}

function expectationAt(
  schema: z.core.$ZodType,
  path: Path,
): { readonly expected: string; readonly secret: boolean; readonly values: readonly string[] | null } {
  const here = schemasAt(schema, path);
  const told = here.map((layer) => expectations.get(layer)).find((expectation) => expectation !== undefined);
  const entries = here.map((layer) => defOf(layer).entries).find((found) => found !== undefined);
  const types = here.map((layer) => defOf(layer).type);
  const keys = keysAt(schema, path);
  const expected =
    told?.expected ??
    (keys.length > 0
      ? `a mapping with ${keys.length > 10 ? `${keys.slice(0, 10).join(", ")} …` : keys.join(", ")}`
      : types.includes("record")
        ? "a mapping"
        : "a text");
  return { expected, secret: told?.secret ?? false, values: entries ? Object.values(entries) : null };
}

function expectedAt(schema: z.core.$ZodType, path: Path): string {
  return expectationAt(schema, path).expected;
}
