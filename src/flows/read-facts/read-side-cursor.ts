import type { CursorFacts } from "../../domain/facts.ts";
import { type Position, SECOND } from "../../domain/position.ts";
import type { Window } from "../../domain/window.ts";
import { type BoundCursor, positionOf } from "../../sql/cursor.ts";
import { cursorCondition, thresholdAt, windowCondition } from "../../sql/cursor-condition.ts";
import type { Row } from "../../sql/session.ts";
import { columnText } from "../../sql/side.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import { countOf, dialectOf, hasCursorIndex, type OpenSide, rowsWhere } from "./open-side.ts";

/** What `readSideCursor` is asked beside the side. */
export type CursorQuestion = {
  /** The wall clock, microseconds. */
  readonly now: bigint;
  /** `expect.future`, microseconds. */
  readonly future: bigint;
  /** Rows that the pipeline reads at a time; null: neither ties nor whole seconds are asked. */
  readonly page: number | null;
  /** Where ties are looked for, once it is known; absent: everywhere. A stretch is not to cost what the whole table does. */
  readonly within?: Promise<Window | null>;
  /** Is told the clock as soon as it is known, which may be long before the rest. */
  readonly tell?: (clock: Position | null) => void;
};

/** Rows whose cursors are looked at for a fraction of a second, and how few of them say nothing. */
const SAMPLE = 1000;
const TOO_FEW = 20;
/** Above this, ties are looked for only along an index: grouping so many values otherwise costs as much as comparing them. */
const MANY = 1_000_000n;

const EVERYWHERE: Window = { from: null, fromClosed: false, to: null, toClosed: false };

/**
 * What a side's cursor column shows now, under the side's `where`: by its index where there is one. On a sequence axis nothing lies in
 * the future. Values without a position count as future where they lie beyond every position (`infinity`), and nowhere otherwise.
 * Null: the side has no cursor.
 */
export async function readSideCursor(side: OpenSide, asked: CursorQuestion): Promise<CursorFacts | null> {
  const { cursor } = side;
  if (cursor === null) return null;
  const limit = cursor.axis === "time" ? asked.now + asked.future : null;
  const upTo = limit === null ? null : cursorCondition(cursor, "<=", limit, dialectOf(side));
  const readClock = async (): Promise<Position | null> => {
    const found = await readEnd(side, cursor, "DESC", upTo);
    asked.tell?.(found);
    return found;
  };
  const clock = readClock();
  const [oldest, newest, nulls, beyond, paged] = await Promise.all([
    readEnd(side, cursor, "ASC", null),
    upTo === null ? clock : readEnd(side, cursor, "DESC", null),
    readNulls(side, cursor),
    limit === null ? { rows: 0n, sample: null } : readFuture(side, cursor, limit),
    asked.page === null ? { ties: null, wholeSeconds: null } : readPaged(side, cursor, asked.within ?? null),
  ]);
  return {
    clock: await clock,
    oldest,
    newest,
    nulls,
    future: beyond.rows,
    futureSample: beyond.sample,
    ...paged,
  };
}

/** The first or last position by the cursor's index; null: no row has one. */
async function readEnd(
  side: OpenSide,
  cursor: BoundCursor,
  order: "ASC" | "DESC",
  condition: Sql | null,
): Promise<Position | null> {
  const dialect = dialectOf(side);
  const within = condition ?? windowCondition(cursor, EVERYWHERE, dialect);
  const statement = sql`SELECT ${columnText(side.snapshot.database, cursor.column)} ${rowsWhere(side, [within])}
    ORDER BY ${dialect.ordered(cursor.column)} ${raw(order)} ${dialect.page(1, 0n)}`;
  const [row] = await ask(side, "an end of the cursor", statement);
  return positionOf(row?.[0] ?? null, cursor);
}

async function readNulls(side: OpenSide, cursor: BoundCursor): Promise<bigint> {
  const { info } = cursor.column;
  if (!info.nullable) return 0n;
  const statement = sql`SELECT ${dialectOf(side).countText(raw("COUNT(*)"))} ${rowsWhere(side, [sql`${name(info.name)} IS NULL`])}`;
  const [row] = await ask(side, "rows without a cursor", statement);
  return countOf(row?.[0]);
}

async function readFuture(
  side: OpenSide,
  cursor: BoundCursor,
  limit: Position,
): Promise<{ readonly rows: bigint; readonly sample: CursorFacts["futureSample"] }> {
  const dialect = dialectOf(side);
  const threshold = thresholdAt(cursor, limit + 1n, dialect);
  if (typeof threshold === "string") return { rows: 0n, sample: null };
  // Not a window: its upper end would leave `infinity` out, which poisons a watermark like any other value.
  const from = rowsWhere(side, [
    sql`${dialect.ordered(cursor.column)} >= ${dialect.value(threshold.text, cursor.column)}`,
  ]);
  const [counted] = await ask(side, "rows in the future", sql`SELECT ${dialect.countText(raw("COUNT(*)"))} ${from}`);
  const rows = countOf(counted?.[0]);
  if (rows === 0n) return { rows, sample: null };
  const columns = [...side.key, cursor.column].map((column) => columnText(side.snapshot.database, column));
  const newest = sql`SELECT ${columns} ${from} ORDER BY ${dialect.ordered(cursor.column)} DESC ${dialect.page(1, 0n)}`;
  const [sample] = await ask(side, "a row in the future", newest);
  if (sample === undefined) return { rows, sample: null };
  const position = positionOf(sample.at(-1) ?? null, cursor) ?? dialect.facts.reach(cursor.column).most;
  return { rows, sample: { key: sample.slice(0, -1), position } };
}

async function readPaged(
  side: OpenSide,
  cursor: BoundCursor,
  within: Promise<Window | null> | null,
): Promise<Pick<CursorFacts, "ties" | "wholeSeconds">> {
  const tiesWithin = async (): Promise<CursorFacts["ties"]> =>
    await readTies(side, cursor, (await within) ?? EVERYWHERE);
  const [ties, wholeSeconds] = await Promise.all([tiesWithin(), readWholeSeconds(side, cursor)]);
  return { ties, wholeSeconds };
}

/** Whether ties are looked for: not among very many rows without an index on the cursor. */
export function asksTies(side: OpenSide): boolean {
  const estimated = side.table.estimatedRows;
  return side.cursor !== null && (estimated === null || estimated <= MANY || hasCursorIndex(side, side.cursor));
}

/** One pass over the index, in its order; then as many groups as there are different sizes. */
async function readTies(side: OpenSide, cursor: BoundCursor, within: Window): Promise<CursorFacts["ties"]> {
  if (!asksTies(side)) return null;
  const dialect = dialectOf(side);
  // Sorted outside: inside, some servers would keep every group for it, not only the few that are shared.
  const groups = sql`SELECT ${dialect.ordered(cursor.column)} AS ${name("x")}, COUNT(*) AS ${name("n")} ${rowsWhere(side, [windowCondition(cursor, within, dialect)])}
    GROUP BY ${dialect.ordered(cursor.column)} HAVING COUNT(*) > 1`;
  const sizes = sql`SELECT ${name("n")}, COUNT(*) AS ${name("c")}, MAX(${name("x")}) AS ${name("v")} FROM (${groups}) ${name("g")} GROUP BY ${name("n")}`;
  const shared = columnText(side.snapshot.database, { ...cursor.column, info: { ...cursor.column.info, name: "v" } });
  const statement = sql`SELECT ${shared}, ${dialect.countText(name("n"))}, ${dialect.countText(name("c"))} FROM (${sizes}) ${name("s")} ORDER BY ${name("n")} DESC`;
  const rows = await ask(side, "values that rows share", statement);
  const [most] = rows;
  const position = positionOf(most?.[0] ?? null, cursor);
  if (position === null) return null;
  return { position, rows: countOf(most?.[1]), values: rows.reduce((sum, [, , count]) => sum + countOf(count), 0n) };
}

/** Told from the newest rows: an older part of the table may have been written by something else. */
async function readWholeSeconds(side: OpenSide, cursor: BoundCursor): Promise<boolean | null> {
  if (!keepsFractions(cursor)) return null;
  const dialect = dialectOf(side);
  const statement = sql`SELECT ${columnText(side.snapshot.database, cursor.column)} ${rowsWhere(side, [windowCondition(cursor, EVERYWHERE, dialect)])}
    ORDER BY ${dialect.ordered(cursor.column)} DESC ${dialect.page(SAMPLE, 0n)}`;
  const rows = await ask(side, "fractions of seconds in the cursor", statement);
  if (rows.length < TOO_FEW) return null;
  return rows.every(([text = null]) => (positionOf(text, cursor) ?? 0n) % SECOND === 0n);
}

function keepsFractions({ column, unit, axis }: BoundCursor): boolean {
  if (axis !== "time") return false;
  const { kind } = column.info;
  if (kind.kind === "instant" || kind.kind === "local") return kind.precision > 0;
  return (
    unit === "epoch-ms" || unit === "epoch-us" || kind.kind === "float" || (kind.kind === "decimal" && kind.scale !== 0)
  );
}

async function ask(side: OpenSide, what: string, statement: Sql): Promise<readonly Row[]> {
  return await side.snapshot.use(async (session) => await session.rows({ what, sql: statement }));
}
