import type { Both } from "../../compare/question.ts";
import { InvariantError, LedgerError, SchemaError, type TidemarkError, UnsupportedError } from "../../domain/errors.ts";
import type { LedgerFacts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import type { Run } from "../../domain/run.ts";
import type { TableInfo } from "../../domain/table.ts";
import type { Comparison } from "../compare/compare-tables.ts";
import type { OpenSide } from "../compare/open-side.ts";
import { type OpenCheck, type OpenSnapshots, reopen } from "../open-check.ts";
import type { World } from "../ports.ts";
import { type LedgerReading, type ReadLedger, readLedger } from "./read-ledger-facts.ts";

/** A ledger that cannot be read does not keep the tables from being compared. Its runs are told as soon as they are read. */
export async function tryLedger(
  ...args: Parameters<typeof openLedger>
): Promise<{ readonly ledger: ReadLedger | null; readonly failure: TidemarkError | null }> {
  try {
    return { ledger: await openLedger(...args), failure: null };
  } catch (error) {
    if (!(error instanceof LedgerError) && !(error instanceof SchemaError) && !(error instanceof UnsupportedError))
      throw error;
    return { ledger: null, failure: error };
  }
}

async function openLedger(
  open: OpenCheck,
  sides: Both<OpenSide>,
  sourceClock: Promise<Position | null>,
  snapshots: OpenSnapshots,
  asked: Pick<LedgerReading, "now" | "wholeLags">,
  world: World,
  tellRuns: (runs: readonly Run[]) => void,
): Promise<ReadLedger | null> {
  const { check } = open;
  if (check.runs === null || sides.source.cursor === null) return null;
  world.progress.step(check.name, "reading the ledger");
  const observations = await world.state.observations(check.name);
  const describe = async (): Promise<TableInfo> => {
    if (open.ledger === null) throw new InvariantError("only a ledger that is a table is described");
    if ("failure" in open.ledger) throw open.ledger.failure;
    return open.ledger.table;
  };
  return await readLedger(check, {
    source: sides.source,
    sourceClock,
    ...asked,
    tellRuns,
    observations,
    ledgers: world.ledgers,
    snapshotOf: (connection) => snapshots.of(connection),
    describe,
  });
}

/** The ledger's facts with what the comparison found; by then its snapshots are closed. */
export async function completeLedger(
  ledger: ReadLedger,
  comparison: Comparison | null,
  open: OpenCheck,
): Promise<LedgerFacts> {
  if (comparison === null) return await ledger.complete(() => []);
  await using sides = await reopen(open);
  return await ledger.complete(() => comparison.differences.all(), sides.source);
}
