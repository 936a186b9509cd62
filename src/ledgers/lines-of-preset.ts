import { LEDGER_FIELDS, type Ledger, type LedgerSource } from "../domain/check.ts";
import { LedgerError, must } from "../domain/errors.ts";
import { allOf, name, raw, sql } from "../sql/statement.ts";
import type { LedgerQuestion, TakeLine } from "./ledgers.ts";
import { readRows } from "./lines-of-statement.ts";
import type { RawLine } from "./preset.ts";
import { presetMistakes } from "./preset.ts";
import { PRESETS } from "./presets/index.ts";

type FromPreset = LedgerSource & { readonly kind: "preset" };

/** The lines of another product's tables, as its preset reads them. `where` is asked of the canonical names. */
export async function linesOfPreset(
  ledger: Ledger,
  from: FromPreset,
  asked: LedgerQuestion,
  take: TakeLine,
): Promise<void> {
  const mistakes = presetMistakes(from, PRESETS);
  if (mistakes.length > 0)
    throw new LedgerError(mistakes.map(({ says }) => says).join("; "), {
      hint: "the presets and their parameters are listed in src/ledgers/presets",
    });
  const preset = must(PRESETS.get(from.preset), "a preset without mistakes exists");
  const params = new Map<string, string>();
  for (const param of preset.params) {
    const value = from.params[param.name] ?? param.default;
    if (value !== undefined) params.set(param.name, value);
  }
  const extra = preset.extra ?? [];
  const columns = [...LEDGER_FIELDS, ...extra].map(name);
  const where = allOf([ledger.where === null ? null : raw(`${ledger.where}\n`)]);
  const order = ["started", "id", ...extra.slice(0, 1)].map(name);
  const statement = sql`SELECT ${columns} FROM (${preset.query(params)}) ${name("ledger")} WHERE ${where} ORDER BY ${order}`;
  const shown = `preset ${preset.name}`;
  const lines: RawLine[] = [];
  await readRows(
    asked.snapshotOf(from.connection),
    statement,
    shown,
    `it reads ${preset.reads} (${preset.versions})`,
    (row) =>
      lines.push({
        ...Object.fromEntries(LEDGER_FIELDS.map((field, n) => [field, row[n] ?? null])),
        extra: extra.map((_, n) => row[LEDGER_FIELDS.length + n] ?? null),
      }),
  );
  for (const [i, line] of (preset.finish?.(lines, params) ?? lines).entries())
    take({ place: `${shown}, line ${i + 1}`, line });
}
