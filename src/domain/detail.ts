import type { Advice } from "./advice.ts";
import type { Witness } from "./clock.ts";
import type { Axis, Position } from "./position.ts";
import type { AuditedCheckRecord } from "./state.ts";
import type { RunOutcome } from "./run.ts";

/**
 * What the pictures of a report are drawn from, by check name: more than a report carries, and bounded, so that no ledger and no table
 * makes a page of them too large. It holds positions, moments and counts, and of rows only their keys' place; no value.
 */
export type ReportDetail = ReadonlyMap<string, CheckDetail>;

/** One check's pictures. Null or empty: there is nothing to draw, because it was not read or the check has none. */
export type CheckDetail = {
  /** The wall clock when the audit began, microseconds. */
  readonly now: bigint;
  readonly axis: Axis | null;
  /** Source name of the column that windows are cut by; null: the check has none. */
  readonly cursor: string | null;
  readonly clocks: TwoClocks | null;
  readonly keys: KeySpace | null;
  readonly lag: LagPicture | null;
  readonly freshness: Freshness | null;
  /** Earlier audits of the check and this one, oldest first. */
  readonly history: readonly HistoryPoint[];
};

/** How old the newest row of a side was when the audit began, microseconds; null: no row has a cursor, or the cursor is no time. */
export type Freshness = {
  readonly source: bigint | null;
  readonly target: bigint | null;
  /** What the check allows; null: nothing is said. */
  readonly warn: bigint | null;
  readonly error: bigint | null;
};

/** The ledger against the data clock: all of it, and near the place where most rows were lost. */
export type TwoClocks = {
  /** Where to look: the runs that lost most, with what came before and after; the newest runs where nothing was lost. */
  readonly near: ClockPicture;
  /** The whole ledger; null: `near` shows all of it. */
  readonly whole: ClockPicture | null;
};

/** A rectangle of wall time and data time, and what lies in it. */
export type ClockPicture = {
  /** Microseconds; `to` is beyond `from`. */
  readonly wall: { readonly from: bigint; readonly to: bigint };
  /** Positions on the check's axis; `to` is beyond `from`. */
  readonly data: { readonly from: Position; readonly to: Position };
  /** By start. */
  readonly runs: readonly DrawnRun[];
  /** The data clock from moment to moment, by time. */
  readonly clock: readonly ClockPoint[];
  readonly lost: readonly LostRows[];
  /** What was put together or left out, in sentences. */
  readonly notes: readonly string[];
};

/** One run, or several neighbouring ones as one. */
export type DrawnRun = {
  /** Of several the first and the last. */
  readonly id: string;
  readonly lastId: string;
  readonly many: number;
  readonly started: bigint;
  /** Null: no end is written down. */
  readonly finished: bigint | null;
  /** What its windows span, cut to the picture; null: it has no window. */
  readonly window: { readonly from: Position; readonly to: Position } | null;
  /** Sum of their counts; null: none is written down. */
  readonly rows: bigint | null;
  /** `failed` where any of several failed, `success` where any of them read something. */
  readonly outcome: RunOutcome;
  readonly empty: boolean;
  readonly backfill: boolean;
  /** The data clock at its start (of several the first's); null: nobody can say, or nothing was visible. */
  readonly clock: Position | null;
  /** The part of the window beyond the data clock at its start, with the source's rows there now and those the target lacks. */
  readonly dead: {
    readonly from: Position;
    readonly to: Position;
    readonly rows: bigint;
    readonly lacking: bigint | null;
  } | null;
};

/** A reading of the data clock. */
export type ClockPoint = {
  readonly at: bigint;
  /** Null: nothing was visible. */
  readonly position: Position | null;
  readonly witness: Witness | "lost-row";
  /** `exact` and witnessed then; or a bound, or inferred from what the source shows now. */
  readonly certainty: "exact" | "at-least" | "at-most";
};

/** Nearby rows that the target lacks. */
export type LostRows = {
  readonly rows: bigint;
  readonly cursors: { readonly first: Position; readonly last: Position };
  /** The start of the run that should have carried them: the first that held them, or the first that passed them over; null: none did. */
  readonly run: { readonly id: string; readonly started: bigint } | null;
  /** When they became visible; null: not known. */
  readonly arrivals: { readonly first: bigint; readonly last: bigint } | null;
};

/** Where in the order of keys the sides differ. */
export type KeySpace = {
  /** By key order, some hundred at most. */
  readonly parts: readonly KeyPart[];
  /** `number`: parts are equal stretches of a whole-number key. `rows`: parts are chunks, as wide as they hold rows. */
  readonly by: "number" | "rows";
  /** Keys at both ends, as people read them. */
  readonly first: string;
  readonly last: string;
  readonly chunks: number;
  readonly chunksDifferent: number;
  readonly notes: readonly string[];
};

export type KeyPart = {
  /** How much of the strip it takes; all parts together are 1. */
  readonly share: number;
  readonly from: string;
  readonly to: string;
  readonly missing: number;
  readonly stale: number;
  readonly changed: number;
  readonly ahead: number;
  readonly extra: number;
};

/** Arrival lags against overlaps. */
export type LagPicture = {
  readonly histogram: readonly { readonly least: bigint; readonly most: bigint; readonly rows: bigint }[];
  /** So many rows stand for all of them; null: each does. */
  readonly sampled: bigint | null;
  readonly advice: Advice;
};

/** One audit of the check in the history. */
export type HistoryPoint = Pick<AuditedCheckRecord, "verdict" | "rows" | "findings"> & {
  /** ISO. */
  readonly startedAt: string;
  /** Runs of the longest zero-row streak; null: it found none. */
  readonly streak: number | null;
};
