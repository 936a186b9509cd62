import { type Digest, unsigned64 } from "../../domain/digest.ts";
import type { DuplicateKeys } from "../../domain/difference.ts";
import type { Key } from "../../domain/key.ts";
import { formatTableName } from "../../domain/table.ts";
import type { Chunk, FullRow, Sketch } from "../../compare/question.ts";
import { positionOf } from "../../sql/cursor.ts";
import { readDigest } from "../../sql/digest.ts";
import type { Row } from "../../sql/session.ts";
import {
  countStatement,
  cutStatement,
  digestStatement,
  duplicateKeysStatement,
  duplicatesStatement,
  endsStatement,
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

/** Reads one side through its snapshot, by statements that hold to `spec`; `sent` counts them. With a `pace` they are sparing. */
export function sideReader(
  open: OpenSide,
  spec: SideSpec,
  sent: { statements: number },
  pace: Pace | null = null,
): SideReader {
  const table = `${formatTableName(open.table.name)} (${open.side})`;
  const ask = (
    what: string,
    statement: Sql,
    rowsOf: ((answer: readonly Row[]) => bigint) | null = null,
  ): Promise<readonly Row[]> => {
    sent.statements++;
    const send = (): Promise<readonly Row[]> =>
      open.snapshot.use((session) => session.rows({ what: `${what} of ${table}`, sql: statement }));
    return pace === null ? send() : pace.through(open.side, send, rowsOf);
  };
  const keys = spec.key.length;
  const keyOf = (row: Row): Key => row.slice(0, keys);
  const copyOf = (row: Row, at: number): Sketch["copy"] => ({
    cursor: open.cursor === null ? null : positionOf(row[at] ?? null, open.cursor),
    version: row[at + 1] ?? null,
    arrival: open.side === "source" && open.stamp !== null ? positionOf(row[at + 2] ?? null, open.stamp) : null,
    loaded: open.side === "target" && open.stamp !== null ? positionOf(row[at + 2] ?? null, open.stamp) : null,
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
      const rows = await ask("keys and hashes", rowsStatement(spec, chunk, wide));
      return rows.map((row) => ({
        key: keyOf(row),
        hash: hashOf(row[keys] ?? null),
        copy: copyOf(row, keys + 1),
        values: row.slice(keys + 1 + COPY),
      }));
    },
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

/** A row's hash as a number from 0; null: the server could not hash it. */
function hashOf(text: string | null): bigint | null {
  return text === null ? null : unsigned64(BigInt(text));
}
