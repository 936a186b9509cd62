import { zoneOf } from "../compare/agree.ts";
import { columnOf, findColumn, lookUp, type Pairings, pairColumns } from "../compare/mapping.ts";
import type { Both } from "../compare/question.ts";
import type { Check, Relation } from "../domain/check.ts";
import { must, TidemarkError } from "../domain/errors.ts";
import type { Axis } from "../domain/position.ts";
import type { TableInfo } from "../domain/table.ts";
import { bindCursor, type BoundCursor } from "../sql/cursor.ts";
import type { Database, Snapshot } from "../sql/session.ts";
import type { OpenSide, SideName, Stamp } from "./compare/open-side.ts";
import type { Databases } from "./ports.ts";
import { commitStamp } from "./read-facts/arrival-side.ts";

/** A check with its tables described and its columns paired; nothing of it holds a session. */
export type OpenCheck = {
  readonly check: Check;
  readonly databases: ReadonlyMap<string, Database>;
  readonly tables: Both<TableInfo>;
  readonly origin: TableInfo | null;
  /** The ledger's table, or why it could not be described (which keeps no tables from being compared); null: the ledger is no table. */
  readonly ledger: { readonly table: TableInfo } | { readonly failure: TidemarkError } | null;
  readonly pairings: Pairings;
  readonly cursors: {
    readonly source: BoundCursor | null;
    readonly target: BoundCursor | null;
    readonly origin: BoundCursor | null;
  };
  readonly stamps: { readonly source: Stamp | null; readonly target: Stamp | null };
  /** Null: the check has no cursor. */
  readonly axis: Axis | null;
};

/** Every connection that a check reads from, each once, in the order of their names: the order in which snapshots are taken. */
export function connectionsOf(check: Check): readonly string[] {
  const ledger = check.runs !== null && "connection" in check.runs.from ? [check.runs.from.connection] : [];
  const all = [
    check.source.connection,
    check.target.connection,
    ...(check.origin === null ? [] : [check.origin.connection]),
    ...ledger,
  ];
  return [...new Set(all)].toSorted();
}

/** Connects, describes the tables and pairs their columns. Throws what stands in the way (`ConnectError`, `SchemaError`, …). */
export async function openCheck(check: Check, databases: Databases): Promise<OpenCheck> {
  const open = new Map<string, Database>();
  for (const connection of connectionsOf(check)) open.set(connection, await databases.open(connection));
  const describe = (relation: Relation): Promise<TableInfo> =>
    must(open.get(relation.connection), "every connection is open").describe(relation.table);
  const source = await describe(check.source);
  const target = await describe(check.target);
  const origin = check.origin === null ? null : await describe(check.origin);
  const pairings = pairColumns(check, source, target);
  const cursor = check.cursor === null ? null : columnOf(source, check.cursor.column, "cursor");
  const unit = check.cursor?.unit ?? null;
  const sourceCursor = cursor && bindCursor(cursor, unit, check.source.timezone);
  const targetColumn = cursor && findColumn(target, lookUp(check.columns.rename, cursor.name) ?? cursor.name);
  const originColumn = cursor && origin && findColumn(origin, cursor.name);
  if (check.version !== null) columnOf(source, check.version, "version");
  return {
    check,
    databases: open,
    tables: { source, target },
    origin,
    ledger: await describeLedger(check, open),
    pairings,
    cursors: {
      source: sourceCursor,
      target: targetColumn && bindCursor(targetColumn, unit, check.target.timezone),
      origin: originColumn && check.origin && bindCursor(originColumn, unit, check.origin.timezone),
    },
    stamps: {
      source: await arrivalStamp(check, source, must(open.get(check.source.connection), "every connection is open")),
      target: check.loaded === null ? null : bindStamp(target, check.loaded, "loaded", check),
    },
    axis: sourceCursor?.axis ?? null,
  };
}

async function describeLedger(check: Check, open: ReadonlyMap<string, Database>): Promise<OpenCheck["ledger"]> {
  if (check.runs?.from.kind !== "table") return null;
  const { connection, table } = check.runs.from;
  try {
    return { table: await must(open.get(connection), "every connection is open").describe(table) };
  } catch (error) {
    if (error instanceof TidemarkError) return { failure: error };
    throw error;
  }
}

async function arrivalStamp(check: Check, source: TableInfo, database: Database): Promise<Stamp | null> {
  if (check.arrival === null) return null;
  return check.arrival.by === "column"
    ? bindStamp(source, check.arrival.column, "arrival", check)
    : await commitStamp(database, source);
}

/** A stamp is a time; one that is a number counts as the cursor does. */
function bindStamp(table: TableInfo, column: string, role: "arrival" | "loaded", check: Check): Stamp {
  const info = columnOf(table, column, role);
  const numeric = info.kind.kind === "integer" || info.kind.kind === "decimal" || info.kind.kind === "float";
  return {
    ...bindCursor(
      info,
      numeric ? (check.cursor?.unit ?? null) : null,
      check[role === "arrival" ? "source" : "target"].timezone,
    ),
    text: null,
  };
}

/** Snapshots of some connections, taken at once. */
export type OpenSnapshots = { of(connection: string): Snapshot } & AsyncDisposable;

/**
 * Takes a snapshot of each connection, in the order of their names, so that two checks never wait for each other. A connection
 * that serves both sides is one snapshot with room for both.
 */
export async function openSnapshots(open: OpenCheck, connections: readonly string[]): Promise<OpenSnapshots> {
  const { check } = open;
  const taken = new Map<string, Snapshot>();
  const dispose = async (): Promise<void> => {
    for (const [connection, snapshot] of taken) {
      taken.delete(connection);
      await snapshot[Symbol.asyncDispose]();
    }
  };
  try {
    for (const connection of connections.toSorted()) {
      const sides = [check.source, check.target].filter((s) => s.connection === connection).length;
      taken.set(
        connection,
        await must(open.databases.get(connection), "every connection is open").snapshot(
          check.compare.parallel * Math.max(1, sides),
        ),
      );
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    of: (connection) => must(taken.get(connection), `a snapshot of ${connection} was taken`),
    [Symbol.asyncDispose]: dispose,
  };
}

/** Both sides of a check, each in its snapshot. */
export function bothSides(open: OpenCheck, snapshots: OpenSnapshots): Both<OpenSide> {
  return { source: openSide(open, "source", snapshots), target: openSide(open, "target", snapshots) };
}

/** Both sides in fresh snapshots of their own. */
export async function reopen(open: OpenCheck): Promise<Both<OpenSide> & AsyncDisposable> {
  const snapshots = await openSnapshots(open, [
    ...new Set([open.check.source.connection, open.check.target.connection]),
  ]);
  return { ...bothSides(open, snapshots), [Symbol.asyncDispose]: () => snapshots[Symbol.asyncDispose]() };
}

/** One side of a check in a snapshot. */
export function openSide(open: OpenCheck, side: SideName, snapshots: OpenSnapshots): OpenSide {
  const relation = open.check[side];
  const key = open.pairings.key.map((pairing) => ({
    info: pairing[side],
    as: pairing.agreement.as,
    zone:
      pairing.agreement.as.as === "instant" && pairing[side].kind.kind !== "instant"
        ? zoneOf(relation.timezone)
        : "UTC",
    rounding: "cut" as const,
  }));
  return {
    side,
    relation,
    table: open.tables[side],
    snapshot: snapshots.of(relation.connection),
    key,
    cursor: open.cursors[side],
    stamp: open.stamps[side],
  };
}
