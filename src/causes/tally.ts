import type { Difference, ShownValues } from "../domain/difference.ts";
import type { Facts } from "../domain/facts.ts";
import { lacks } from "../domain/profile.ts";
import { ROW_FINDINGS, type Attribution, type FindingTally, type Tally } from "../domain/tally.ts";
import { acceptedBy } from "./acceptance.ts";
import { attribute, knownOf, lostOf } from "./attribution.ts";
import { boundsKeeper } from "./bounds.ts";
import type { Known, Lost } from "./cause.ts";
import { CauseCount } from "./cause-count.ts";
import { Extent } from "./extent.ts";

/** How many rows a sample holds. */
const SAMPLE = 20;

/**
 * Counts all differences by finding and cause, in one pass, with memory that grows with the ledger and never with the differences:
 * exact counts, per run too; the first keys as a sample; stretches of nearby rows.
 */
export function tally(facts: Facts, differences: Iterable<Difference>): Tally {
  const known = knownOf(facts);
  const accepts = acceptedBy(facts, known.ledger);
  const bounds = boundsKeeper(known);
  const counts = new Map<string, FindingCount>();
  let total = 0n;
  let nullCursorsLacking = 0n;
  for (const difference of differences) {
    const lost = lostOf(difference, known);
    const attribution = attribute(lost, known);
    const accepted = accepts(attribution.finding, difference, lost.x);
    const id = `${attribution.finding}/${accepted ?? ""}`;
    let count = counts.get(id);
    if (count === undefined) {
      count = new FindingCount(attribution.finding, accepted, known);
      counts.set(id, count);
    }
    count.add(lost, attribution);
    if (attribution.cause === "null-cursor") nullCursorsLacking += 1n;
    bounds.add(lost, attribution);
    total += 1n;
  }
  const order = (tallied: FindingTally): number =>
    ROW_FINDINGS.indexOf(tallied.finding) * 1e6 + (tallied.accepted ?? -1);
  return {
    differences: total,
    findings: [...counts.values()].map((count) => count.done()).toSorted((a, b) => order(a) - order(b)),
    nullCursorsLacking,
    bounds: bounds.done(),
  };
}

/** What is counted of one finding; a class because it is written to a million times. */
class FindingCount {
  readonly finding: Attribution["finding"];
  readonly accepted: number | null;
  readonly known: Known;
  readonly extent: Extent;
  readonly causes = new Map<string, CauseCount>();
  readonly sample: FindingTally["sample"][number][] = [];
  readonly columns = new Set<string>();
  lacking = 0;

  constructor(finding: Attribution["finding"], accepted: number | null, known: Known) {
    this.finding = finding;
    this.accepted = accepted;
    this.known = known;
    this.extent = new Extent(known.facts.mapping.key.map((pair) => pair.as));
  }

  add(lost: Lost, attribution: Attribution): void {
    const { difference } = lost;
    this.extent.add(lost.x, difference.key);
    if (lacks(difference)) this.lacking += 1;
    const columns = difference.type === "changed" ? difference.columns : null;
    if (columns !== null) for (const column of columns) this.columns.add(column);
    this.keep(difference.key, columns, difference.type === "changed" ? difference.values : undefined);
    let cause = this.causes.get(attribution.cause);
    if (cause === undefined) {
      cause = new CauseCount(attribution.cause, this.known);
      this.causes.set(attribution.cause, cause);
    }
    cause.add(lost, attribution);
  }

  /** Keeps the smallest keys: differences may come from several chunks at once, in no order. */
  keep(key: Difference["key"], columns: readonly string[] | null, values: readonly ShownValues[] | undefined): void {
    const last = this.sample.at(-1);
    if (this.sample.length === SAMPLE && last !== undefined && this.extent.compare(key, last.key) >= 0) return;
    let at = this.sample.length;
    while (at > 0 && this.extent.compare(key, (this.sample[at - 1] as { key: Difference["key"] }).key) < 0) at--;
    this.sample.splice(at, 0, { key, columns, ...(values === undefined ? {} : { values }) });
    this.sample.length = Math.min(this.sample.length, SAMPLE);
  }

  done(): FindingTally {
    return {
      finding: this.finding,
      accepted: this.accepted,
      ...this.extent.done(),
      lacking: BigInt(this.lacking),
      sample: this.sample,
      columns: [...this.columns],
      causes: [...this.causes.values()]
        .map((cause) => cause.done())
        .toSorted((a, b) => (a.rows < b.rows ? 1 : a.rows > b.rows ? -1 : 0)),
    };
  }
}
