import { lowerBound } from "../../domain/cuts.ts";
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

/** Above so many rows, a quantile is told from its part of the histogram (within a sixteenth, from above) instead of by another pass. */
const EXACT_UP_TO = 250_000n;

/** Counts lags by parts, for quantiles without sorting all of them. */
export class LagHistogram {
  readonly #parts = new Map<number, Part>();
  #sampled: bigint | null = null;

  /** All rows that were counted. */
  get rows(): bigint {
    return this.#parts.values().reduce((sum, { rows }) => sum + rows, 0n);
  }

  /** So many rows were counted for all of them; null: each was. */
  get sampled(): bigint | null {
    return this.#sampled;
  }

  /** The same, of a sample. */
  asSample(): this {
    this.#sampled = this.rows;
    return this;
  }

  /** Lets a sample stand for so many rows in all, the largest of whose lags is known. Does nothing to what is no sample. */
  standFor(all: bigint, largest: bigint | null): void {
    const counted = this.#sampled;
    const parts = this.#sorted();
    if (counted === null || counted === 0n) return;
    let before = 0n;
    for (const part of parts) {
      // From where the part ends among all rows, so that roundings do not add up.
      const upTo = before + part.rows;
      part.rows = (upTo * all) / counted - (before * all) / counted;
      before = upTo;
    }
    const last = parts.at(-1);
    if (last !== undefined && largest !== null && largest > last.most) last.most = largest;
  }

  add(part: number, rows: bigint, least: bigint, most: bigint): void {
    const known = this.#parts.get(part);
    if (known === undefined) this.#parts.set(part, { rows, least, most });
    else {
      known.rows += rows;
      if (least < known.least) known.least = least;
      if (most > known.most) known.most = most;
    }
  }

  /**
   * The smallest lags that at least half and 99 % of the rows do not exceed, and the largest. `lookUp` finds the lag that stands
   * `skip` rows behind the first among those from `low` to `high`. Null: no lag.
   */
  async quantiles(lookUp: LookUp): Promise<ArrivalFacts["lag"]> {
    const max = this.#sorted().at(-1)?.most;
    const p50 = await this.quantileWithout(50n, [], lookUp);
    const p99 = await this.quantileWithout(99n, [], lookUp);
    return max === undefined || p50 === null || p99 === null ? null : { p50, p99, max };
  }

  /** All parts, by lag. */
  parts(): readonly { readonly least: bigint; readonly most: bigint; readonly rows: bigint }[] {
    return this.#sorted().map((part) => ({ ...part }));
  }

  /**
   * A quantile over all rows but some, whose lags these are: each is the lag of a row that was counted. Null: no row is left. Keeps
   * nothing of very many lags but how many of them each part holds.
   */
  async quantileWithout(percent: bigint, lags: Iterable<bigint>, lookUp: LookUp): Promise<bigint | null> {
    const parts = this.#sorted();
    const total = parts.reduce((sum, part) => sum + part.rows, 0n);
    const exact = total <= EXACT_UP_TO && this.#sampled === null;
    const gone = parts.map((): Gone => ({ rows: 0n, lags: [] }));
    const ends = parts.map(({ most }) => most);
    let left = total;
    for (const lag of lags) {
      left--;
      const own = gone[lowerBound(ends, lag)];
      if (own === undefined) continue;
      own.rows++;
      if (exact) own.lags.push(lag);
    }
    if (left <= 0n) return null;
    // Rank from 1, rounded up.
    let rank = (left * percent + 99n) / 100n;
    for (const [i, part] of parts.entries()) {
      const { rows, lags: own } = gone[i] as Gone;
      if (rank <= part.rows - rows) return exact ? await exactly(part, own, rank, lookUp) : part.most;
      rank -= part.rows - rows;
    }
    return parts.at(-1)?.most ?? null;
  }

  #sorted(): readonly Part[] {
    return [...this.#parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
  }
}

type Part = { rows: bigint; least: bigint; most: bigint };

/** What a part lost: how many rows, and their lags where these are few enough. */
type Gone = { rows: bigint; readonly lags: bigint[] };

/** The lag that stands `skip` rows behind the first among those from `low` to `high`. */
type LookUp = (low: bigint, high: bigint, skip: bigint) => Promise<bigint | null>;

/** The lag at a rank (from 1) of a part without those that are gone: they only push it further, so this comes to rest. */
async function exactly(part: Part, gone: readonly bigint[], rank: bigint, lookUp: LookUp): Promise<bigint> {
  if (part.least === part.most) return part.most;
  for (let passed = 0n; ; ) {
    const lag = (await lookUp(part.least, part.most, rank - 1n + passed)) ?? part.most;
    const before = BigInt(gone.filter((each) => each <= lag).length);
    if (before <= passed || lag === part.most) return lag;
    passed = before;
  }
}
