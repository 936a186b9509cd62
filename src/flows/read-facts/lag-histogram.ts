import type { ArrivalFacts } from "../../domain/facts.ts";
import { SECOND } from "../../domain/position.ts";
import type { BoundColumn } from "../../sql/dialect.ts";

/** Lags in microseconds, as a column that a dialect can sort among `LAG_EDGES`. */
export const LAG_COLUMN: BoundColumn = {
  info: {
    name: "lag",
    type: "bigint",
    kind: { kind: "integer", min: -(2n ** 63n), max: 2n ** 63n - 1n },
    nullable: true,
    hasDefault: false,
    generated: true,
    ordinal: 0,
  },
  as: { as: "integer" },
  zone: "UTC",
  rounding: "cut",
};

/** From a millisecond to three hundred years, each edge a sixteenth of an octave above the one before; as canonical texts. */
export const LAG_EDGES: readonly string[] = edges().map(String);

function edges(): readonly bigint[] {
  const all: bigint[] = [0n];
  let octave = SECOND / 1000n;
  while (octave < 2n ** 63n / 2n) {
    for (let step = 0n; step < 16n; step++) {
      const edge = octave + (octave * step) / 16n;
      if (edge > (all.at(-1) ?? 0n)) all.push(edge);
    }
    octave *= 2n;
  }
  return all;
}

/** Above so many rows, a quantile is told from its part of the histogram instead of being looked up: within a sixteenth. */
const EXACT_UP_TO = 2_000_000n;

/** Counts lags by parts, for quantiles without sorting all of them. */
export class LagHistogram {
  readonly #parts = new Map<number, { rows: bigint; least: bigint; most: bigint }>();

  add(part: number, rows: bigint, least: bigint, most: bigint): void {
    const known = this.#parts.get(part);
    if (known === undefined) this.#parts.set(part, { rows, least, most });
    else {
      known.rows += rows;
      if (least < known.least) known.least = least;
      if (most > known.most) known.most = most;
    }
  }

  /** Null: no lag. */
  get least(): bigint | null {
    return [...this.#parts.values()].reduce<bigint | null>((least, p) => (least === null || p.least < least ? p.least : least), null);
  }

  /**
   * The smallest lags that at least half and 99 % of the rows do not exceed, and the largest. `lookUp` finds the lag that stands
   * `skip` rows behind the first among those from `low` to `high`. Null: no lag.
   */
  async quantiles(
    lookUp: (low: bigint, high: bigint, skip: bigint) => Promise<bigint | null>,
  ): Promise<ArrivalFacts["lag"]> {
    const parts = [...this.#parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
    const total = parts.reduce((sum, part) => sum + part.rows, 0n);
    const max = parts.at(-1)?.most;
    if (max === undefined) return null;
    const quantile = async (percent: bigint): Promise<bigint> => {
      // Rank from 1, rounded up.
      const rank = (total * percent + 99n) / 100n;
      let before = 0n;
      for (const part of parts) {
        if (rank <= before + part.rows) {
          if (part.least === part.most) return part.most;
          const exact = total <= EXACT_UP_TO ? await lookUp(part.least, part.most, rank - before - 1n) : null;
          return exact ?? part.most;
        }
        before += part.rows;
      }
      return max;
    };
    return { p50: await quantile(50n), p99: await quantile(99n), max };
  }
}
