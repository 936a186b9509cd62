import type { Kind } from "../../domain/kind.ts";
import type { TextHash } from "../../sql/session.ts";
import { raw, type Sql, sql } from "../../sql/statement.ts";
import type { DoublePrint } from "./float-text.ts";

/** What a server says of itself when it is first reached. */
export type ServerVersion = {
  readonly text: string;
  /** `[major, minor, patch]`. */
  readonly numbers: readonly [number, number, number];
};

/** What differs between the servers that speak MySQL's protocol, as data. */
export type Flavour = {
  /** Engine id. */
  readonly id: string;
  /** Whether a `VERSION()` is this server's. The first flavour that says so is taken. */
  recognizes(version: string): boolean;
  /**
   * A collation of utf8mb4 that compares by bytes and in which trailing blanks count; null: this version has none. Values are
   * compared and grouped under it, so that no collation makes different texts equal.
   */
  exactCollation(version: ServerVersion): string | null;
  /** Prints a double without a sign, that is no bare column, with all its digits. */
  readonly printDouble: DoublePrint;
  /** Session variables of its own, as `name = value`; `timeout` in milliseconds, null: leave the server's. */
  settings(version: ServerVersion, timeout: number | null): readonly string[];
  /** A condition on `information_schema.statistics s` that holds for indexes that the optimizer may use. */
  usableIndex(version: ServerVersion): string;
  /** Conditions of its own under which a column is of another kind than its type says. */
  kindOf(column: DeclaredColumn): Kind | null;
  /** An expression over `information_schema.columns c`: 1 where a check constraint holds the column to be JSON. */
  readonly jsonCheck: Sql;
  /** What `column_default` says where there is no default, beside NULL; null: nothing else. */
  readonly noDefault: string | null;
  /** The statement whose rows say that this server is a replica. */
  replicaStatus(version: ServerVersion): string;
  /** Hashes to be tried at connect; those that the server refuses are left out. */
  readonly hashes: readonly TextHash[];
};

/** A column as `information_schema` tells it. */
export type DeclaredColumn = {
  readonly name: string;
  /** `int`, `varchar`, in lower case. */
  readonly dataType: string;
  /** `int(10) unsigned zerofill`. */
  readonly columnType: string;
  readonly characters: bigint | null;
  readonly bytes: bigint | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly timePrecision: number;
  readonly charset: string | null;
  readonly collation: string | null;
  /** Whether a check constraint holds it to be JSON. */
  readonly checkedJson: boolean;
};

/** Reads `8.0.36-log` or `10.11.6-MariaDB-1`; anything unreadable counts as 0. */
export function readVersion(text: string): ServerVersion {
  // MariaDB before 11 puts `5.5.5-` before its own number towards replication clients.
  const m = /(\d+)\.(\d+)\.(\d+)/.exec(text.replace(/^5\.5\.5-(?=\d)/, ""));
  return { text, numbers: [Number(m?.[1] ?? 0), Number(m?.[2] ?? 0), Number(m?.[3] ?? 0)] };
}

/** Whether a version is at least this one. */
export function atLeast(version: ServerVersion, wanted: readonly [number, number, number]): boolean {
  for (const [i, n] of wanted.entries()) {
    const have = version.numbers[i] ?? 0;
    if (have !== n) return have > n;
  }
  return true;
}

/** MySQL 5.7 and later. */
export const mysqlFlavour: Flavour = {
  id: "mysql",
  recognizes: () => true,
  exactCollation: (version) => (atLeast(version, [8, 0, 17]) ? "utf8mb4_0900_bin" : null),
  // As text of a function a double is cut to 22 characters, which small numbers need more of; JSON keeps all.
  printDouble: (value) => sql`CAST(CAST(${value} AS JSON) AS CHAR)`,
  settings: (version, timeout) => [
    // Milliseconds, and for SELECT only: all that a read-only session sends.
    ...(timeout === null ? [] : [`max_execution_time = ${timeout}`]),
    // Row estimates as they are now, not as they were cached a day ago.
    ...(atLeast(version, [8, 0, 0]) ? ["information_schema_stats_expiry = 0"] : []),
    // A long list of keys stays an index range.
    "range_optimizer_max_mem_size = 0",
  ],
  usableIndex: (version) => (atLeast(version, [8, 0, 0]) ? "s.is_visible = 'YES'" : "1 = 1"),
  kindOf: () => null,
  jsonCheck: raw("0"),
  noDefault: null,
  replicaStatus: (version) => (atLeast(version, [8, 0, 22]) ? "SHOW REPLICA STATUS" : "SHOW SLAVE STATUS"),
  hashes: ["sha256", "md5"],
};
