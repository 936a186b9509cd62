import { must, StatementError } from "../../domain/errors.ts";
import { type Key, type KeyRange, keyIdentity } from "../../domain/key.ts";
import type { BoundColumn, Dialect } from "../../sql/dialect.ts";
import type { Row, Statement } from "../../sql/session.ts";
import { fromSide, keysCondition } from "../../sql/side.ts";
import { raw, type Sql, sql } from "../../sql/statement.ts";
import { passesAsText, targetText } from "../../sql/target-text.ts";
import type { Passage, Writer } from "../../sql/writer.ts";
import type { Layout } from "./layout.ts";
import { LinesAlike } from "./lines-alike.ts";
import { areThese, StretchGuess, stretchOf } from "./stretch.ts";
import type { WorkItem } from "./work.ts";

/** The source's rows of a batch of which nothing is thought to be in the target: as lines, or as values by their keys. */
export type BulkRows = ({ readonly lines: Buffer } | { readonly rows: ReadonlyMap<string, Row> }) & {
  /** The stretch of keys in which they are the source's only rows; null: they were asked for by their keys. */
  readonly stretch: KeyRange | null;
};

/**
 * Brings rows over that the target lacks, a batch at a time, without looking at them one by one: they are inserted where no unique key is
 * taken, read back as the same texts, and told apart later by the server's own fingerprints. Whatever is not as it should be (a row is
 * there, one has gone, a value reads back otherwise) is no failure: the batch is then done row by row.
 */
export type Bulk = {
  /** Outside of the batch's transaction. Null: these rows are not for it. */
  read(items: readonly WorkItem[]): Promise<BulkRows | null>;
  /**
   * Within a transaction, which must be rolled back where this gives null. The rows' fingerprints, in the order of the items. `meanwhile` is
   * called while the server is busy with the rows.
   */
  insert(
    writer: Writer,
    items: readonly WorkItem[],
    rows: BulkRows,
    meanwhile: () => void,
  ): Promise<readonly string[] | null>;
};

/** Null: rows of this pair of tables have to be looked at one by one. */
export function bulkOf(layout: Layout, writer: Writer): Bulk | null {
  const { written, plan, open, source, target } = layout;
  // A column that is compared and not written (the server computes it) is looked at row by row; so are keys that `treat` makes alike.
  const whole = plan.columns.every(
    (c) => written.some((w) => w.target === c.target) && (!c.isKey || c.treat.length === 0),
  );
  const keyFirst = layout.key.every((k, i) => written[i]?.target === k);
  const bound = (side: "source" | "target"): readonly BoundColumn[] =>
    written.map((c) => ({ info: c[side], as: c.as, zone: c.zones[side], rounding: "cut" }));
  const [from, to] = [textsOf(source.dialect, bound("source")), textsOf(target.dialect, bound("target"))];
  const mark = writer.write.fingerprint(layout.images);
  if (!whole || !keyFirst || from === null || to === null || mark === null) return null;
  const database = must(open.databases.get(open.check.source.connection), "the source is open");
  const asLines = writer.takesLines && written.every((c) => passesAsText(c.as, c.target, c.zones.target));
  const keysOf = (items: readonly WorkItem[]): readonly Key[] => items.map((item) => item.key);
  const keyOf = (row: Row): string => keyIdentity(row.slice(0, layout.key.length));
  const kinds = plan.key.map((c) => c.pair.as);
  const guess = new StretchGuess();
  /** Rows of a side: of these keys, or of the stretch from the first to the last of them, of which more than these may be there. */
  const select = (
    side: "source" | "target",
    columns: readonly Sql[],
    items: readonly WorkItem[],
    stretch: KeyRange | null,
  ): Statement => {
    // The target's rows are looked for whatever its own condition says of them.
    const spec = side === "source" ? source : { ...target, where: null, scope: null };
    const from = fromSide(spec, stretch === null ? null : { keys: stretch, buckets: null });
    const only = stretch === null ? sql` AND (${keysCondition(spec, keysOf(items))})` : raw("");
    const order = spec.key.map((c) => spec.dialect.ordered(c));
    return {
      what: `rows of the ${side}`,
      sql: sql`SELECT ${columns} ${from}${only} ORDER BY ${order} ${spec.dialect.page(items.length + 1, 0n)}`,
    };
  };
  return {
    async read(items) {
      if (!items.every(({ key, missing }) => missing && key.every(isTame))) return null;
      const read = async (stretch: KeyRange | null): Promise<BulkRows> =>
        await database.use(async (session) => {
          const statement = select("source", from, items, stretch);
          if (asLines && session.lines !== undefined)
            return { lines: Buffer.concat(await Array.fromAsync(session.lines(statement))), stretch };
          const rows = new Map<string, Row>();
          for await (const some of session.stream(statement)) for (const row of some) rows.set(keyOf(row), row);
          return { rows, stretch };
        });
      const stretch = guess.isWorthIt ? stretchOf(keysOf(items), kinds) : null;
      if (stretch !== null) {
        const all = await read(stretch);
        if (guess.came(areThese(all, keysOf(items)))) return all;
      }
      return await read(null);
    },
    async insert(into, items, rows, meanwhile) {
      try {
        await into.insert(passage(layout, rows), meanwhile);
      } catch (error) {
        if (error instanceof StatementError && into.write.classify(error) === "data") return null;
        throw error;
      }
      const back = async (stretch: KeyRange | null): Promise<readonly string[] | null> => {
        const statement = select("target", [...to, mark], items, stretch);
        if ("lines" in rows) {
          // Looked at as they come, while the server prints the next ones; to their end, as a writer's answers have to be.
          const alike = new LinesAlike(rows.lines, keysOf(items));
          for await (const piece of must(into.lines?.(statement), "who takes lines gives them")) alike.take(piece);
          return alike.end();
        }
        const marks = new Map<string, string>();
        for await (const some of into.stream(statement))
          for (const row of some) {
            const id = keyOf(row);
            const sent = rows.rows.get(id);
            const found = row.at(-1);
            if (sent?.every((value, i) => value === row[i]) && typeof found === "string") marks.set(id, found);
          }
        const all = items.map((item) => marks.get(keyIdentity(item.key)));
        return rows.rows.size === items.length && all.every((one) => one !== undefined) ? all : null;
      };
      return (rows.stretch === null ? null : await back(rows.stretch)) ?? (await back(null));
    },
  };
}

/** Whether a part of a key may stand in a list that becomes part of a statement. */
const isTame = (part: string | null): boolean => part !== null && !/['"\\\0]/.test(part);

function textsOf(dialect: Dialect, columns: readonly BoundColumn[]): readonly Sql[] | null {
  const texts = columns.map((c) => dialect.text(c));
  return texts.every((text) => text !== null) ? texts : null;
}

function passage({ written }: Layout, rows: BulkRows): Passage {
  if ("lines" in rows) return rows;
  const texts = written.map(({ as, target, zones }): ((text: string) => string) | null =>
    passesAsText(as, target, zones.target) ? null : (text) => targetText(text, as, target, zones.target),
  );
  const changed = texts.some((of) => of !== null);
  const all = [...rows.rows.values()];
  if (!changed) return { rows: all };
  return {
    rows: all.map((row) =>
      row.map((value, i) => {
        const of = texts[i] ?? null;
        return value === null || of === null ? value : of(value);
      }),
    ),
  };
}

/** What a value costs beside its text. */
const VALUE = 24;

/** What a bulk is worth knowing by: the length of its text, in characters or bytes, and its rows. */
export function sizeOfBulk(rows: BulkRows, items: number): { readonly rows: number; readonly text: number } {
  if ("lines" in rows) return { rows: items, text: rows.lines.length };
  let [seen, text] = [0, 0];
  for (const row of rows.rows.values()) {
    for (const value of row) text += VALUE + (value?.length ?? 0);
    if (++seen === 100) break;
  }
  return { rows: seen, text };
}
