import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLError,
} from "yaml";
import type { Mistake } from "../domain/errors.ts";
import { type Environment, expand } from "./expand.ts";
import type { Spot, YamlNode } from "./yaml-node.ts";

/** A file as read. `root` null: its YAML is broken or it is empty; the mistakes say which. */
export type YamlFile = { readonly root: YamlNode | null; readonly mistakes: readonly Mistake[] };

/** Aliases of aliases can make a small file huge. */
const MAX_NODES = 100_000;

/**
 * Reads a YAML 1.2 file with the place of every value, and puts environment variables into its texts: after parsing, so that places
 * stay true and no value of a variable can change the file's structure. An unquoted `${NAME}` may become a number or a boolean.
 */
export function readYaml(file: string, text: string, environment: Environment, holds = "settings"): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    lineCounter: lines,
    prettyErrors: false,
    intAsBigInt: true,
    stringKeys: false,
  });
  const mistakes: Mistake[] = [];
  const spot = (offset: number): Spot => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const say = (at: Spot, message: string): void => {
    mistakes.push({ file, ...at, message });
  };
  for (const error of [...document.errors, ...document.warnings]) say(spot(error.pos[0]), yamlMistake(error, text));
  const broken = document.errors.some((error) => error.code !== "DUPLICATE_KEY");
  if (broken) return { root: null, mistakes };
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    say({ line: 1, column: 1 }, `the file is empty, expected ${holds}`);
    return { root: null, mistakes };
  }

  let count = 0;
  const convert = (node: Node | null, fallback: Spot, within: readonly Node[]): YamlNode => {
    count++;
    const at = node?.range ? spot(node.range[0]) : fallback;
    const plain = (value: unknown, template: string | null = null): YamlNode => ({
      value,
      at,
      template,
      fields: null,
      items: null,
    });
    if (node === null || count > MAX_NODES) {
      if (count === MAX_NODES + 1) say(at, "the file's aliases repeat too much, expected fewer");
      return plain(null);
    }
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined || within.includes(target)) {
        say(at, "an alias points to itself or to nothing, expected an anchor before it");
        return plain(null);
      }
      return { ...convert(target, at, within), at };
    }
    if (isMap(node)) {
      const fields = new Map<string, { keyAt: Spot; node: YamlNode }>();
      for (const pair of node.items) {
        const key = pair.key as Node | null;
        const keyAt = key?.range ? spot(key.range[0]) : at;
        if (!isScalar(key) || key.value === null) say(keyAt, "a key is no text, expected a name");
        else if (!fields.has(keyText(key)))
          fields.set(keyText(key), { keyAt, node: convert(pair.value as Node | null, keyAt, [...within, node]) });
      }
      const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const [key, field] of fields) value[key] = field.node.value;
      return { value, at, template: null, fields, items: null };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => convert(item as Node | null, at, [...within, node]));
      return { value: items.map((item) => item.value), at, template: null, fields: null, items };
    }
    const scalar: Scalar = node;
    if (typeof scalar.value === "string") {
      const { text: expanded, mistakes: wrong } = expand(scalar.value, environment);
      for (const message of wrong) say(at, message);
      if (wrong.length > 0) return plain(UNKNOWN, scalar.value);
      return expanded === scalar.value
        ? plain(expanded)
        : plain(scalar.type === "PLAIN" ? typed(expanded) : expanded, scalar.value);
    }
    return plain(
      scalar.value instanceof Date
        ? String(scalar.source)
        : typeof scalar.value === "bigint"
          ? narrow(scalar.value, scalar.source)
          : scalar.value,
    );
  };
  return { root: convert(document.contents, { line: 1, column: 1 }, []), mistakes };
}

/** Stands for a value that is not known because its variable is a mistake, which is already told: nothing more is said about it. */
export const UNKNOWN: unique symbol = Symbol("unknown");

function keyText(key: Scalar): string {
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

function narrow(value: bigint, source: string | undefined): number | string {
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
    ? Number(value)
    : (source ?? value.toString());
}

/** What an unquoted scalar with this text would be in YAML 1.2's core schema, as far as a setting can be that. */
function typed(text: string): unknown {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^[-+]?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Math.trunc(Number(text)))) return Number(text);
  return text;
}

function yamlMistake(error: YAMLError, text: string): string {
  const begins = text.slice(text.lastIndexOf("\n", error.pos[0] - 1) + 1, error.pos[0] + 1);
  if (error.code === "TAB_AS_INDENT" || /^\s*\t/.test(begins))
    return "a tab stands where YAML indents, expected spaces";
  if (error.code === "DUPLICATE_KEY")
    return `the key ${/^[\w.-]+/.exec(text.slice(error.pos[0]))?.[0] ?? ""} is given twice, expected once`;
  if (error.code === "MULTIPLE_DOCS") return "a second document begins here, expected one document a file";
  // The library's sentences name tokens of YAML and no values.
  return `this is not YAML 1.2: ${error.message.split("\n")[0]}`;
}
