import type { ChunkOutcome } from "../../compare/chunk.ts";
import { TidemarkError, UsageError } from "../../domain/errors.ts";
import type { DifferenceLog, World } from "../ports.ts";
import { type ChunkStrip, chunkStrip } from "./chunk-strip.ts";
import type { Receiver } from "./converse.ts";

/** What a comparison has come to so far. */
export type Tally = {
  rows: { source: bigint; target: bigint };
  chunks: number;
  different: number;
  fetched: number;
  statements: number;
  /** Rows that a systematic column alone explains, by its name. */
  explained: Map<string, number>;
  /** Why it ended before everything was compared; null: it did not. */
  stopped: string | null;
  failure: TidemarkError | null;
  readonly strip: ChunkStrip;
};

/** A tally of nothing yet. */
export function newTally(): Tally {
  return {
    rows: { source: 0n, target: 0n },
    chunks: 0,
    different: 0,
    fetched: 0,
    statements: 0,
    explained: new Map(),
    stopped: null,
    failure: null,
    strip: chunkStrip(),
  };
}

/** Puts what chunks hand over where it belongs. */
export function receive(found: DifferenceLog, tally: Tally): Receiver {
  return {
    take(differences, explained) {
      for (const difference of differences) found.add(difference);
      for (const [column, rows] of explained) tally.explained.set(column, (tally.explained.get(column) ?? 0) + rows);
    },
  };
}

/** Counts a chunk in. */
export function add(tally: Tally, outcome: ChunkOutcome, chunks: number): void {
  tally.rows.source += outcome.rows.source;
  tally.rows.target += outcome.rows.target;
  tally.chunks += chunks;
  tally.different += outcome.different ? 1 : 0;
  tally.fetched += outcome.fetched;
}

/** A failure of the world, which ends one comparison; everything else is thrown on. */
export function ofTheWorld(error: unknown, world: World): TidemarkError {
  if (!(error instanceof TidemarkError) || error instanceof UsageError || world.signal.aborted) throw error;
  return error;
}
