import { nearest } from "../domain/nearest.ts";
import { UsageError } from "../domain/errors.ts";
import { REPORTERS } from "../reporters/index.ts";

/** One `--format`: a reporter's name, and the file it writes to as typed (null: standard output). */
export type Output = { readonly format: string; readonly file: string | null };

/** Reads `--format FORMAT` or `--format FORMAT=FILE`. Throws a `UsageError` that names what there is. */
export function parseFormat(text: string): Output {
  const cut = text.indexOf("=");
  const format = cut < 0 ? text : text.slice(0, cut);
  const file = cut < 0 ? null : text.slice(cut + 1);
  const available = Object.keys(REPORTERS);
  if (!Object.hasOwn(REPORTERS, format)) {
    const [best] = nearest(format, available);
    throw new UsageError(
      `--format ${format}: no such format; ${best === undefined ? "" : `did you mean ${best}? `}there are ${available.join(", ")}`,
    );
  }
  if (file === "") throw new UsageError(`--format ${text}: no file is named; expected ${format}=FILE`);
  return { format, file };
}

/** One more `--format` of a command that has some already. */
export function addFormat(text: string, before: readonly Output[] = []): readonly Output[] {
  return [...before, parseFormat(text)];
}

/** All outputs of a command: the terminal's where none is given. Throws a `UsageError` where two go to one place. */
export function outputsOf(given: readonly Output[] = []): readonly Output[] {
  if (given.length === 0) return [{ format: "terminal", file: null }];
  for (const [i, output] of given.entries()) {
    const other = given.slice(0, i).find(({ file }) => file === output.file);
    if (other === undefined) continue;
    throw new UsageError(
      output.file === null
        ? `--format ${other.format} and --format ${output.format} both go to standard output; give one of them a file: --format ${output.format}=FILE`
        : `--format ${other.format} and --format ${output.format} both go to ${output.file}; give each a file of its own`,
    );
  }
  return given;
}
