import type { Check } from "../../domain/check.ts";
import type { Observation } from "../../domain/clock.ts";
import { must } from "../../domain/errors.ts";
import type { LedgerFacts } from "../../domain/facts.ts";
import type { Position } from "../../domain/position.ts";
import { type Run, succeeded } from "../../domain/run.ts";
import type { Snapshot } from "../../sql/session.ts";
import type { Ledgers } from "../ports.ts";
import { arrivalSide } from "./arrival-side.ts";
import { clocksOf, type Witnesses } from "./clocks.ts";
import type { OpenSide } from "./open-side.ts";
import { readArrivals, type ReadArrivals } from "./read-arrivals.ts";
import { emptyProfile, readProfile } from "./read-profile.ts";

/** What `readLedgerFacts` needs beside the check. */
export type LedgerReading = {
  /** With a cursor. */
  readonly source: OpenSide;
  /** The source's clock as `readSideCursor` read it in the same snapshot: the witness for the newest run. */
  readonly sourceClock: Position | null;
  /** The wall clock when the audit began, microseconds. */
  readonly now: bigint;
  /** Ascending by time. */
  readonly observations: readonly Observation[];
  readonly ledgers: Ledgers;
  readonly snapshotOf: (connection: string) => Snapshot;
};

/**
 * Reads a check's ledger, and asks the source where its clock stood at each run's start and how its rows lie among the windows.
 * `lacking` comes back as a profile of zeros and `arrivals.lagOfArrived` as null: the differences fill them in. Throws a
 * `LedgerError` where no run can be read, an `InvariantError` for a check without ledger or cursor.
 */
export async function readLedgerFacts(check: Check, reading: LedgerReading): Promise<LedgerFacts> {
  const { source, now } = reading;
  const ledger = must(check.runs, "the check has a ledger");
  const { axis } = must(source.cursor, "the source has a cursor");
  const since = now - ledger.since;
  const { runs, unreadable } = await reading.ledgers.read(check, { axis, since, snapshotOf: reading.snapshotOf });
  const arrivals = await arrivalSide(check, source);
  const starts = [...new Set(runs.map((run) => run.started))];
  const read =
    arrivals === null ? null : await readArrivals(source, arrivals, { starts, ...stretchOf(runs), now, future: check.expect.future });
  const clocks = clocksOf(runs, {
    axis,
    now,
    observations: reading.observations,
    sourceClock: reading.sourceClock,
    arrivals: read === null || arrivals === null ? null : witnessOf(read, starts, arrivals.witness),
  });
  const ends = [...runs.flatMap(endsOf), ...clocks.flatMap((clock) => clock?.position ?? [])];
  return {
    runs,
    unreadable,
    since,
    clocks,
    source: await readProfile(source, ends),
    lacking: emptyProfile(ends),
    observations: reading.observations,
    arrivals: read?.facts ?? null,
  };
}

function endsOf({ window }: Run): readonly Position[] {
  return [window?.from ?? null, window?.to ?? null].filter((end) => end !== null);
}

/** The successful runs, and where the first of their windows begins (null: nowhere, it is open). */
function stretchOf(runs: readonly Run[]): { readonly successful: readonly bigint[]; readonly stretch: Position | null } {
  const covering = runs.filter(succeeded);
  const first = covering[0]?.window.from ?? null;
  const open = covering.some(({ window }) => window.from === null);
  const stretch = covering.reduce((least, { window }) => (window.from !== null && least !== null && window.from < least ? window.from : least), first);
  return { successful: covering.map((run) => run.started), stretch: open ? null : stretch };
}

function witnessOf(read: ReadArrivals, starts: readonly bigint[], witness: NonNullable<Witnesses["arrivals"]>["witness"]): Witnesses["arrivals"] {
  const at = new Map(starts.map((start, i) => [start, read.clocks[i] ?? null]));
  const last = starts.at(-1);
  const sureFrom = read.forgotten === 0 ? null : (starts[read.forgotten] ?? (last === undefined ? null : last + 1n));
  return { witness, at: (start) => at.get(start) ?? null, sureFrom, unknown: read.unknown };
}
