import { must } from "../../domain/errors.ts";
import type { Facts } from "../../domain/facts.ts";
import { preflight, refuseBy } from "../../repair/preflight.ts";
import { allOf, join, name, raw, sql } from "../../sql/statement.ts";
import type { WriteFacts } from "../../sql/write-dialect.ts";
import type { Layout } from "./layout.ts";

/** Throws a `RefusedError` with every reason not to repair this target. `looked` null: before anything was compared. */
export async function checkPreflight(layout: Layout, facts: WriteFacts, looked: Facts | null): Promise<void> {
  const { check, pairings, tables, databases } = layout.open;
  const source = must(databases.get(check.source.connection), "the source is open");
  const target = must(databases.get(check.target.connection), "the target is open");
  const key = pairings.key.map((p) => ({
    source: p.source,
    target: p.target,
    sourceEquality: source.dialect.equality(p.source),
    targetEquality: target.dialect.equality(p.target),
  }));
  const duplicates = looked?.comparison?.duplicates.find((d) => d.side === "source") ?? null;
  refuseBy(
    preflight({
      check: check.name,
      target: tables.target,
      key,
      written: layout.written.map((c) => c.target),
      lacking: facts.lacking,
      notTransactional: facts.notTransactional,
      readOnly: facts.readOnly,
      blankKeys:
        looked === null &&
        key.some((k) => k.targetEquality === "blanks" && k.sourceEquality === "bytes") &&
        (await hasBlankKeys(layout)),
      sourceDuplicates: duplicates?.keys ?? null,
      quote: (identifier) => target.dialect.quote(identifier),
    }),
  );
}

/** Whether a text of the source's key ends in a blank, under its `where`. */
async function hasBlankKeys({ source, open }: Layout): Promise<boolean> {
  const texts = source.key.filter((c) => c.info.kind.kind === "text");
  const own = source.where === null ? null : raw(`${source.where}\n`);
  const ends = join(
    texts.map((c) => sql`${name(c.info.name)} LIKE '% '`),
    " OR ",
  );
  const database = must(open.databases.get(open.check.source.connection), "the source is open");
  const rows = await database.use((session) =>
    session.rows({
      what: "keys that end in a blank",
      sql: sql`SELECT 1 FROM ${source.dialect.table(source.table)} WHERE ${allOf([own, ends])} ${source.dialect.page(1, 0n)}`,
    }),
  );
  return rows.length > 0;
}
