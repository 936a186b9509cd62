import { LEDGER_FIELDS, type Ledger, type LedgerField, type LedgerSource } from "../domain/check.ts";
import { LedgerError } from "../domain/errors.ts";
import type { PlacedLine, TakeLine } from "./ledgers.ts";

/** The text of a file, as UTF-8. Rejects with an error that has a `code` such as `ENOENT`. */
export type ReadFile = (path: string) => Promise<string>;

type File = LedgerSource & { readonly kind: "file" };

/**
 * The lines of a JSON Lines ledger under the canonical names (or those that `columns` gives). Blank lines are nothing. Numbers keep
 * every digit. A line that is no object is unreadable; a file without a single one is a `LedgerError`, as is one that is not there.
 */
export async function linesOfFile(ledger: Ledger, from: File, readFile: ReadFile, take: TakeLine): Promise<void> {
  if (ledger.where !== null)
    throw new LedgerError(`ledger ${from.file}: runs.where is a condition in SQL, which no file can be asked`, {
      hint: "leave the lines out of the file, or keep the ledger in a table",
    });
  const text = await contentOf(from, readFile);
  const names = LEDGER_FIELDS.map((field): readonly [LedgerField, string] => [field, ledger.columns[field] ?? field]);
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const parsed: PlacedLine[] = [];
  for (const [i, line] of lines.entries())
    if (line.trim() !== "") parsed.push(parseLine(line, `${from.file}:${i + 1}`, names));
  const first = parsed[0];
  if (first !== undefined && parsed.every((line) => "why" in line))
    throw new LedgerError(`${"place" in first ? first.place : from.file}: not a line of JSON`, {
      hint: "a runs file is JSON Lines: one object a line with id, from, to, started, finished, status and rows",
    });
  parsed.forEach(take);
}

async function contentOf(from: File, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(from.path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "it is a folder"
          : `it cannot be read (${code ?? "unknown error"})`;
    throw new LedgerError(`ledger ${from.file}: ${why}`, { hint: "runs.file is relative to the check file", cause });
  }
}

/** JSON.parse tells a reviver how a number was written (https://github.com/tc39/proposal-json-parse-with-source). */
type Parse = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

function parseLine(text: string, place: string, names: readonly (readonly [LedgerField, string])[]): PlacedLine {
  let parsed: unknown;
  try {
    parsed = (JSON.parse as Parse)(text, (_, value, { source }) =>
      typeof value === "number" ? (source ?? String(value)) : value,
    );
  } catch {
    return { place, why: "it is no JSON" };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return { place, why: "it is no JSON object" };
  const object = new Map(Object.entries(parsed));
  const line: Partial<Record<LedgerField, string | null>> = {};
  for (const [field, name] of names) {
    const value: unknown = object.get(name);
    if (value === undefined || value === null) line[field] = null;
    else if (typeof value === "string") line[field] = value;
    else return { place, why: `${name} is neither a text nor a number` };
  }
  return { place, line };
}
