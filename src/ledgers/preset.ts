import { LEDGER_FIELDS, type LedgerField } from "../domain/check.ts";
import { nearest } from "../domain/nearest.ts";
import type { WindowEnds } from "../domain/window.ts";
import { name, type Sql, sql } from "../sql/statement.ts";
import type { LedgerLine } from "./read-run.ts";

/** How another product's run tables are read as a ledger. */
export type Preset = {
  /** As `runs.preset` says it: the file's name. */
  readonly name: string;
  /** What is read, and in which versions it was seen to be so. */
  readonly reads: string;
  readonly versions: string;
  readonly params: readonly PresetParam[];
  /** Which ends its windows have, unless `runs.window` says others. Null: it knows no windows. */
  readonly window: WindowEnds | null;
  /** Where its numbers end to be trusted, a sentence each. */
  readonly trust: readonly string[];
  /** A SELECT whose columns are called by the ledger's fields, all of them in any order, and whatever `finish` needs. */
  query(params: PresetParams): Sql;
  /** Columns beyond the fields that `finish` needs. */
  readonly extra?: readonly string[];
  /** What SQL cannot say: brings the lines (in the order of the query) to their final form. */
  finish?(lines: readonly RawLine[], params: PresetParams): readonly LedgerLine[];
};

export type PresetParam = {
  readonly name: string;
  readonly required: boolean;
  readonly means: string;
  readonly default?: string;
  /** The only values that it may have. */
  readonly oneOf?: readonly string[];
};

/** Values by name, defaults filled in. */
export type PresetParams = ReadonlyMap<string, string>;

/** A line with a preset's extra columns. */
export type RawLine = LedgerLine & { readonly extra: readonly (string | null)[] };

/** The parameter that every preset has. */
export const SCHEMA: PresetParam = {
  name: "schema",
  required: false,
  means: "schema of the product's tables, where the connection does not find them by itself",
};

/** A table of the product, in the schema that the parameters name. */
export function productTable(params: PresetParams, table: string): Sql {
  const schema = params.get("schema");
  return schema === undefined ? name(table) : sql`${name(schema)}.${name(table)}`;
}

/** A SELECT list: each field's expression under its name. */
export function fieldList(fields: { readonly [field in LedgerField]: Sql }): readonly Sql[] {
  return LEDGER_FIELDS.map((field) => sql`${fields[field]} AS ${name(field)}`);
}

/** What is wrong with a preset: its name (`param` null), or one of its parameters. */
export type PresetMistake = { readonly param: string | null; readonly says: string };

/** Everything that is wrong with a preset's name and parameters; empty: nothing. `shown`: the name as messages may say it. */
export function presetMistakes(
  from: { readonly preset: string; readonly params: { readonly [name: string]: string } },
  presets: ReadonlyMap<string, Preset>,
  shown = from.preset,
): readonly PresetMistake[] {
  const preset = presets.get(from.preset);
  if (preset === undefined)
    return [{ param: null, says: `there is no preset ${shown}${closest(from.preset, [...presets.keys()])}` }];
  const known = preset.params.map((param) => param.name);
  return [
    ...Object.keys(from.params)
      .filter((each) => !known.includes(each))
      .map((each) => ({
        param: each,
        says: `preset ${preset.name} has no parameter ${each}${closest(each, known)}`,
      })),
    ...preset.params
      .filter((param) => param.required && from.params[param.name] === undefined)
      .map((param) => ({
        param: param.name,
        says: `preset ${preset.name} needs the parameter ${param.name}: ${param.means}`,
      })),
    ...preset.params.flatMap(({ name: param, oneOf }) => {
      const value = from.params[param];
      return value === undefined || oneOf === undefined || oneOf.includes(value)
        ? []
        : [{ param, says: `preset ${preset.name}: ${param} is one of ${oneOf.join(", ")}` }];
    }),
  ];
}

function closest(wrong: string, known: readonly string[]): string {
  const [best] = nearest(wrong, known);
  return best === undefined ? `; there is ${known.join(", ")}` : `; did you mean ${best}?`;
}
