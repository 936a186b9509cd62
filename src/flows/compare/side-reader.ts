import type { Digest } from "../../domain/digest.ts";
import type { Copy, DuplicateKeys } from "../../domain/difference.ts";
import type { Key } from "../../domain/key.ts";
import { formatTableName } from "../../domain/table.ts";
import type { Chunk, FullRow, Question, Sketch } from "../../compare/question.ts";
import { positionOf } from "../../sql/cursor.ts";
import { readDigest } from "../../sql/digest.ts";
import type { Row, Session, Statement } from "../../sql/session.ts";
import {
  countStatement,
  cutStatement,
  digestStatement,
  duplicateKeysStatement,
  duplicatesStatement,
  endsStatement,
  gatherStatement,
  keysStatement,
  rowsStatement,
  type SideSpec,
  someKeysStatement,
  splitStatement,
  valuesStatement,
} from "../../sql/side.ts";
import type { Sql } from "../../sql/statement.ts";
import type { OpenSide } from "./open-side.ts";
import type { Pace } from "./pace.ts";

/** Answers the questions of a comparison for one side. */
export type SideReader = {
  digest(chunk: Chunk, wide: boolean): Promise<Digest>;
  split(chunk: Chunk, modulus: number, wide: boolean): Promise<ReadonlyMap<number, Digest>>;
  /** `wide` null: without hashes. */
  rows(chunk: Chunk, wide: boolean | null): Promise<readonly Sketch[]>;
  /** Hands over every row of a chunk behind a number made of its key's hash, from 0 to `BUCKETS` − 1; `sketch` reads it. */
  gather(asked: Gathering, take: (bucket: number, row: Row) => void): Promise<void>;
  /** A row that was handed over by `gather`. */
  sketch(row: Row): Sketch;
  /** Whether it came without a hash. */
  isUnhashed(row: Row): boolean;
  values(keys: readonly Key[]): Promise<readonly FullRow[]>;
  /** The digest of a chunk's keys, whatever their rows' cursors. */
  keys(chunk: Chunk): Promise<Digest>;
  /** The key that stands `rows` rows behind the chunk's start; null: the chunk is not that long. */
  cut(chunk: Chunk, rows: number): Promise<Key | null>;
  /** Rows in question. */
  count(): Promise<bigint>;
  /** Keys to look at before the comparison: the first and the last in key order, or any. */
  sampleKeys(ordered: boolean, rows: number): Promise<readonly Key[]>;
  duplicates(sample: number): Promise<DuplicateKeys | null>;
};

/** What is gathered: as in the question. */
export type Gathering = Pick<Extract<Question, { ask: "gather" }>, "chunk" | "wide" | "unscoped">;

/** Reads one side through its snapshot, by statements that hold to `spec`; `sent` counts them. With a `pace` they are sparing. */
export function sideReader(
  open: OpenSide,
  spec: SideSpec,
  sent: { statements: number },
  pace: Pace | null = null,
): SideReader {
  const table = `${formatTableName(open.table.name)} (${open.side})`;
  const through = async <T>(
    work: (session: Session) => Promise<T>,
    rowsOf: ((answer: T) => bigint) | null,
  ): Promise<T> => {
    sent.statements++;
    const send = (): Promise<T> => open.snapshot.use(work);
    return pace === null ? await send() : await pace.through(open.side, send, rowsOf);
  };
  const named = (what: string, statement: Sql): Statement => ({ what: `${what} of ${table}`, sql: statement });
  const ask = async (
    what: string,
    statement: Sql,
    rowsOf: ((answer: readonly Row[]) => bigint) | null = null,
  ): Promise<readonly Row[]> => await through((session) => session.rows(named(what, statement)), rowsOf);
  const keys = spec.key.length;
  const keyOf = (row: Row): Key => row.slice(0, keys);
  const stampOf = (row: Row, at: number): bigint | null =>
    open.stamp === null ? null : positionOf(row[at + 2] ?? null, open.stamp);
  const copyOf = (row: Row, at: number): Copy => {
    const cursor = open.cursor === null ? null : positionOf(row[at] ?? null, open.cursor);
    const version = row[at + 1] ?? null;
    const stamp = stampOf(row, at);
    if (cursor === null && version === null && stamp === null) return BARE;
    return open.side === "source"
      ? { cursor, version, arrival: stamp, loaded: null }
      : { cursor, version, arrival: null, loaded: stamp };
  };
  const sketchOf = (row: Row): Sketch => ({
    key: keyOf(row),
    hash: row[keys] ?? null,
    copy: copyOf(row, keys + 1),
    values: row.length > keys + 1 + COPY ? row.slice(keys + 1 + COPY) : NONE,
  });
  return {
    async digest(chunk, wide) {
      const [row] = await ask("checksum", digestStatement(spec, chunk, wide), ([counted]) =>
        BigInt(counted?.[0] ?? "0"),
      );
      return readDigest(row?.[0], row?.[1]);
    },
    async split(chunk, modulus, wide) {
      const rows = await ask("checksums", splitStatement(spec, chunk, modulus, wide));
      return new Map(rows.map((row) => [Number(row[0]), readDigest(row[1], row[2])]));
    },
    async rows(chunk, wide) {
      const statement = named("keys and hashes", rowsStatement(spec, chunk, wide));
      // As they come: there may be thousands, and what a driver makes of a row is larger than what is kept of it.
      return await through(async (session) => {
        const sketches: Sketch[] = [];
        for await (const batch of session.stream(statement)) for (const row of batch) sketches.push(sketchOf(row));
        return sketches;
      }, null);
    },
    async gather({ chunk, wide, unscoped }, take) {
      const narrowed = unscoped ? { ...spec, scope: null } : spec;
      const statement = named("keys and hashes", gatherStatement(narrowed, chunk, wide));
      sent.statements++;
      await open.snapshot.use(async (session) => {
        const batches = session.stream(statement)[Symbol.asyncIterator]();
        const next = (): Promise<IteratorResult<readonly Row[]>> => batches.next();
        try {
          for (;;) {
            const { done, value } = pace === null ? await next() : await pace.through(open.side, next, null);
            if (done === true) return;
            for (const row of value) take(Number(row[0]), row.slice(1));
          }
        } finally {
          await batches.return?.();
        }
      });
    },
    sketch: sketchOf,
    isUnhashed: (row) => row[keys] === null,
    async values(asked) {
      const rows = await ask("rows", valuesStatement(spec, asked));
      return rows.map((row) => ({ key: keyOf(row), copy: copyOf(row, keys), values: row.slice(keys + COPY) }));
    },
    async keys(chunk) {
      const [row] = await ask("keys", keysStatement(spec, chunk));
      return readDigest(row?.[0], row?.[1]);
    },
    async cut(chunk, rows) {
      const [row] = await ask("bounds of chunks", cutStatement(spec, chunk, rows));
      return row ? keyOf(row) : null;
    },
    async count() {
      const [row] = await ask("a count", countStatement(spec));
      return BigInt(row?.[0] ?? "0");
    },
    async sampleKeys(ordered, rows) {
      if (!ordered) return (await ask("a sample", someKeysStatement(spec, rows))).map(keyOf);
      const first = await ask("a sample", endsStatement(spec, "first", rows / 2));
      const last = await ask("a sample", endsStatement(spec, "last", rows / 2));
      return [...first, ...last].map(keyOf);
    },
    async duplicates(sample) {
      const [row] = await ask("duplicate keys", duplicatesStatement(spec));
      const count = BigInt(row?.[0] ?? "0");
      if (count === 0n) return null;
      const some = await ask("duplicate keys", duplicateKeysStatement(spec, sample));
      return { side: open.side, keys: count, rows: BigInt(row?.[1] ?? "0"), sample: some.map(keyOf) };
    },
  };
}

/** Columns of a copy in a statement: cursor, version, stamp. */
const COPY = 3;

/** Most rows have no streamed values, and those of a table without clocks all know as little of their copies. */
const NONE: readonly never[] = [];
const BARE: Copy = { cursor: null, version: null, arrival: null, loaded: null };
