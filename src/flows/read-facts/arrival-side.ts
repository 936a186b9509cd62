import type { Arrival, Check } from "../../domain/check.ts";
import { SchemaError, UnsupportedError } from "../../domain/errors.ts";
import { type ColumnInfo, columnNamed, formatTableName, type TableInfo } from "../../domain/table.ts";
import { bindCursor, type BoundCursor } from "../../sql/cursor.ts";
import { name, raw, type Sql, sql } from "../../sql/statement.ts";
import type { Witness } from "../../domain/clock.ts";
import type { Database } from "../../sql/session.ts";
import type { Stamp } from "../compare/open-side.ts";
import { dialectOf, type OpenSide } from "./open-side.ts";

/** How a source says when its rows became visible. */
export type ArrivalSide = {
  /** The arrival as a column of `from`, on a time axis. */
  readonly arrival: BoundCursor;
  /** What stands behind FROM; null: the table itself. */
  readonly from: Sql | null;
  /** The same with what chooses a part of the table's rows; null: it has no parts. */
  readonly sampled: ((sample: Sql) => Sql) | null;
  readonly witness: Witness;
  /** NULL means so long ago that the server has forgotten when (commit timestamps), rather than nobody knows when. */
  readonly nullIsOld: boolean;
};

/**
 * Binds a check's arrival to its source; null: the check says none. Throws a `SchemaError` where the column is missing, an
 * `UnsupportedError` where it is no time, or where the server keeps no commit timestamps.
 */
export async function arrivalSide(check: Check, source: OpenSide): Promise<ArrivalSide | null> {
  if (check.arrival === null) return null;
  return check.arrival.by === "column" ? byColumn(check, check.arrival, source) : await byCommit(source);
}

function byColumn(check: Check, arrival: Arrival & { readonly by: "column" }, source: OpenSide): ArrivalSide {
  const info = columnNamed(source.table, arrival.column);
  if (info === null)
    throw new SchemaError(
      `${formatTableName(source.table.name)} has no column ${arrival.column}, which arrival names`,
      {
        hint: "arrival.column is a column of the source",
      },
    );
  // A stamp is a time; one that is a number counts as the cursor does.
  const numeric = info.kind.kind === "integer" || info.kind.kind === "decimal" || info.kind.kind === "float";
  const bound = bindCursor(info, numeric ? (check.cursor?.unit ?? null) : null, source.relation.timezone);
  if (bound.axis !== "time")
    throw new UnsupportedError(`arrival ${info.name}: its type ${info.type} is no time`, {
      hint: "an arrival is a date or a time with a date",
    });
  const table = dialectOf(source).table(source.table);
  const sampled = isStored(source.table) ? (sample: Sql): Sql => sql`${table} ${sample}` : null;
  return { arrival: bound, from: null, sampled, witness: "arrivals", nullIsOld: false };
}

const COMMITTED: ColumnInfo = {
  name: "tidemark_committed",
  type: "timestamp with time zone",
  kind: { kind: "instant", precision: 6 },
  nullable: true,
  hasDefault: false,
  generated: true,
  ordinal: 0,
};

async function byCommit(source: OpenSide): Promise<ArrivalSide> {
  const dialect = dialectOf(source);
  const said = dialect.facts.commitTimestamp;
  if (said === null)
    throw new UnsupportedError(`arrival: ${source.relation.connection} keeps no commit timestamps`, {
      hint: "name an arrival column, or leave arrival out",
    });
  const [row] = await source.snapshot.use(
    async (session) => await session.rows({ what: "whether commit timestamps are kept", sql: said.kept }),
  );
  if (row?.[0] !== "on")
    throw new UnsupportedError(`arrival: commit timestamps are off on ${source.relation.connection}`, {
      hint: "set track_commit_timestamp = on and restart the server; it knows of commits from then on only",
    });
  if (!isStored(source.table))
    throw new UnsupportedError(
      `arrival: ${formatTableName(source.table.name)} is no table, so that its rows have no commit timestamps`,
    );
  const sampled = (sample: Sql): Sql =>
    sql`(SELECT tm.*, ${said.expression} AS ${name(COMMITTED.name)} FROM ${dialect.table(source.table)} ${raw("tm")} ${sample}) ${raw("tm")}`;
  const arrival = bindCursor(COMMITTED, null, null);
  return { arrival, from: sampled(raw("")), sampled, witness: "commit-timestamps", nullIsOld: true };
}

/** Views, and tables of other servers, have no transactions and no pages of their own. */
function isStored(table: TableInfo): boolean {
  return table.relation === "table" || table.relation === "partitioned";
}

/** When the rows of a table were committed; null: the server does not keep that (`arrivalSide` says why, to those who need it). */
export async function commitStamp(database: Database, table: TableInfo): Promise<Stamp | null> {
  const said = database.dialect.facts.commitTimestamp;
  if (said === null || !isStored(table)) return null;
  const [row] = await database.use(
    async (session) => await session.rows({ what: "whether commit timestamps are kept", sql: said.kept }),
  );
  return row?.[0] === "on" ? { ...bindCursor(COMMITTED, null, null), text: said.text } : null;
}
