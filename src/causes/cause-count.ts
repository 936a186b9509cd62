import type { CauseCode } from "../domain/codes.ts";
import type { Confidence } from "../domain/finding.ts";
import type { Position } from "../domain/position.ts";
import type { Attribution, CauseTally } from "../domain/tally.ts";
import type { Known, Lost } from "./cause.ts";
import { Extent } from "./extent.ts";
import { incidentsOf } from "./incidents.ts";

/** What is counted of one cause between two ends of windows. `list` is the same array for most rows of a leaf. */
export type LeafCount = { rows: number; first: Position; last: Position; runs: Map<readonly number[], number> };

/** How many lists of runs a leaf remembers, and how many runs all leaves' lists together: beyond, rows are counted run by run at once. */
const LISTS = 4;
const LISTED = 1_000_000;

/** What is counted of one cause of one finding; memory grows with the ends of windows and the runs, not with the rows. */
export class CauseCount {
  readonly #code: CauseCode;
  readonly #known: Known;
  readonly #extent: Extent;
  readonly #by: Record<Confidence, number> = { observed: 0, inferred: 0, undetermined: 0 };
  readonly #runs = new Map<number, number>();
  readonly #leaves = new Map<number, LeafCount>();
  readonly #between = new Set<CauseCode>();
  readonly #tells = new Set<string>();
  #least: bigint | null = null;
  #most: bigint | null = null;
  #listed = 0;
  #notLoaded = 0;
  #notRead = 0;

  constructor(code: CauseCode, known: Known) {
    this.#code = code;
    this.#known = known;
    this.#extent = new Extent(known.facts.mapping.key.map((pair) => pair.as));
  }

  add(lost: Lost, attribution: Attribution): void {
    this.#extent.add(lost.x, lost.difference.key);
    this.#by[attribution.confidence] += 1;
    if (attribution.measure !== null) {
      if (this.#least === null || attribution.measure < this.#least) this.#least = attribution.measure;
      if (this.#most === null || attribution.measure > this.#most) this.#most = attribution.measure;
    }
    if (attribution.detail === "not-loaded") this.#notLoaded += 1;
    if (attribution.detail === "not-read") this.#notRead += 1;
    for (const code of attribution.between) this.#between.add(code);
    for (const tell of attribution.tells) this.#tells.add(tell);
    if (lost.leaf >= 0 && lost.x !== null) this.#place(lost.leaf, lost.x, attribution.runs);
    else this.#spread(attribution.runs, 1);
  }

  #place(leaf: number, x: Position, runs: readonly number[]): void {
    let count = this.#leaves.get(leaf);
    if (count === undefined) {
      count = { rows: 0, first: x, last: x, runs: new Map() };
      this.#leaves.set(leaf, count);
    }
    count.rows += 1;
    if (x < count.first) count.first = x;
    if (x > count.last) count.last = x;
    const seen = count.runs.get(runs);
    if (seen !== undefined) count.runs.set(runs, seen + 1);
    else if (count.runs.size < LISTS && this.#listed < LISTED) {
      this.#listed += runs.length;
      count.runs.set(runs, 1);
    } else this.#spread(runs, 1);
  }

  #spread(runs: readonly number[], rows: number): void {
    for (const run of runs) this.#runs.set(run, (this.#runs.get(run) ?? 0) + rows);
  }

  done(): CauseTally {
    for (const leaf of this.#leaves.values()) for (const [runs, rows] of leaf.runs) this.#spread(runs, rows);
    const count = (n: number): bigint => BigInt(n);
    return {
      code: this.#code,
      ...this.#extent.done(),
      byConfidence: {
        observed: count(this.#by.observed),
        inferred: count(this.#by.inferred),
        undetermined: count(this.#by.undetermined),
      },
      runs: [...this.#runs].toSorted((a, b) => a[0] - b[0]).map(([run, rows]) => ({ run, rows: count(rows) })),
      incidents: incidentsOf(this.#code, this.#leaves, this.#known),
      measure: this.#least === null || this.#most === null ? null : { least: this.#least, most: this.#most },
      details: { notLoaded: count(this.#notLoaded), notRead: count(this.#notRead) },
      between: [...this.#between],
      tells: [...this.#tells],
    };
  }
}
