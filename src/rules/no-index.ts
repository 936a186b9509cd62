import type { SideFacts } from "../domain/facts.ts";
import { columnNamed, formatTableName, indexStartsWith, uniqueOn } from "../domain/table.ts";
import { count, names } from "../domain/wording.ts";
import { type FindingDraft, rule } from "./rule.ts";

/**
 * The key of a side, or the source's cursor, without an index that serves: each chunk, or each run's window, then reads the whole table.
 * A text key whose index is not in byte order does not serve the comparison. Views and foreign tables have their indexes elsewhere.
 */
export const noIndex = rule(
  "no-index",
  ["check", "source", "target", "mapping"],
  ({ check, source, target, mapping }) => {
    const found: FindingDraft[] = [];
    for (const [side, facts] of [
      ["source", source],
      ["target", target],
    ] as const) {
      const key = mapping.key.map((pair) => pair[side]);
      if (key.length > 0 && indexed(facts) && !serves(facts, key))
        found.push(draft(side, facts, key, "key", "each chunk of the comparison"));
    }
    const cursor = check.cursor?.column;
    if (cursor !== undefined && indexed(source) && indexStartsWith(source.table, [cursor]) === null)
      found.push(draft("source", source, [cursor], "cursor", "each run's window"));
    return found;
  },
);

function indexed({ table }: SideFacts): boolean {
  return table.relation === "table" || table.relation === "partitioned";
}

function isText({ table }: Pick<SideFacts, "table">, columns: readonly string[]): boolean {
  return columns.some((column) => columnNamed(table, column)?.kind.kind === "text");
}

/** An index on the key's columns, whichever stands first; with text among them only in byte order. */
function serves({ table }: SideFacts, key: readonly string[]): boolean {
  const text = isText({ table }, key);
  const usable = [
    uniqueOn(table, key),
    indexStartsWith(table, key),
    ...table.indexes.filter((index) => indexStartsWith({ ...table, indexes: [index] }, key) !== null),
  ];
  return usable.some((index) => index !== null && (!text || index.byteOrder));
}

function draft(
  side: "source" | "target",
  facts: SideFacts,
  columns: readonly string[],
  what: "key" | "cursor",
  reader: string,
): FindingDraft {
  const table = formatTableName(facts.table.name);
  const rows = facts.table.estimatedRows;
  // There is one, in the order of a collation, which is not the order that key ranges are cut in.
  const collated = what === "key" && indexStartsWith(facts.table, columns) !== null;
  const cost = rows === null || rows <= 0n ? "the whole table" : `all of about ${count(rows, "row")}`;
  const sql = statement(facts, columns, what);
  return {
    part: `${side}-${what}`,
    severity: "warn",
    says: `no index of ${table} ${collated ? "in byte order " : ""}serves its ${what} (${names(columns, columns.length, 9)}): ${reader} reads ${cost}`,
    sides: [side],
    columns,
    evidence: {
      table,
      columns,
      sql,
      estimated_rows: rows === null ? null : rows.toString(),
    },
    fix:
      sql ??
      `give ${table} an index on (${columns.join(", ")})${isText(facts, columns) && what === "key" ? " in byte order" : ""}`,
  };
}

/** In words that every engine reads alike; null: names or an order that each writes in its own way. */
function statement(facts: SideFacts, columns: readonly string[], what: "key" | "cursor"): string | null {
  const { schema, name } = facts.table.name;
  const words = [...(schema === null ? [] : [schema]), name, ...columns];
  if ((what === "key" && isText(facts, columns)) || words.some((word) => !/^[a-z_][a-z0-9_]*$/.test(word))) return null;
  return `CREATE INDEX ${[name, ...columns, "idx"].join("_").slice(0, LONGEST)} ON ${formatTableName(facts.table.name)} (${columns.join(", ")})`;
}

/** Of an index's name, where names are shortest. */
const LONGEST = 63;
