import { shellQuote } from "../domain/command.ts";
import { formatTableName, uniqueOn } from "../domain/table.ts";
import { names } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** No unique index or constraint of the target covers exactly the key: an upsert would not find the row, and write it twice. */
export const notIdempotent = rule("not-idempotent", ["check", "target", "mapping"], ({ check, target, mapping }) => {
  const key = mapping.key.map((pair) => pair.target);
  if (key.length === 0 || uniqueOn(target.table, key) !== null) return [];
  const table = formatTableName(target.table.name);
  return [
    {
      severity: "error",
      says: `no unique index or constraint of ${table} covers exactly ${names(key, key.length, 9)}: a backfill could write rows twice; \`tidemark repair\` refuses to, and gives the SQL`,
      sides: ["target"],
      columns: mapping.key.map((pair) => pair.source),
      evidence: {
        table,
        key,
        unique: target.table.indexes.filter((index) => index.unique).map(({ name, columns }) => ({ name, columns })),
      },
      fix: `tidemark repair ${shellQuote(check.name)}`,
    },
  ];
});
