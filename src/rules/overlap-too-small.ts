import { adviseCommand } from "../domain/command.ts";
import type { Json } from "../domain/finding.ts";
import type { LedgerIndex } from "../domain/ledger-index.ts";
import { groupNeeds, overlapInForce } from "../domain/overlap.ts";
import type { Axis } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import type { OverlapBounds, Tally } from "../domain/tally.ts";
import { distance, duration, justOver, rows, seconds } from "../domain/wording.ts";
import { type FindingDraft, rule } from "./rule.ts";

/** Some row needed a larger look-back than the ledger's windows show. */
export const overlapTooSmall = rule(
  "overlap-too-small",
  ["check", "axis", "ledger", "tallyIfCompared"],
  ({ check, axis, ledger, tallyIfCompared }) => {
    const seen = observed(ledger, axis, tallyIfCompared?.bounds.knownBehind);
    const bounds = inferred(tallyIfCompared);
    const behind = (seen?.behind ?? 0n) + (bounds?.behind ?? 0n);
    if (behind === 0n) return [];
    const needed = largest(seen?.needed ?? 0n, bounds?.needed ?? 0n);
    const inForce = overlapInForce(ledger);
    const { lag = null, sampled } = ledger.facts.arrivals ?? {};
    const lagMost = largest(lag?.max ?? 0n, bounds === null ? 0n : (tallyIfCompared?.bounds.lag ?? 0n));
    // Bounds from below are all there is where nobody knows when rows arrived.
    const known = seen !== null && seen.behind > 0n && (bounds === null || seen.needed >= bounds.needed);
    const exact = seen?.exact ?? false;
    const value = (n: bigint): Json => (axis === "time" ? seconds(n) : jsonCount(n));
    const unit = axis === "time" ? "_seconds" : "";
    const draft: FindingDraft = {
      severity: "warn",
      says: `the windows look back by ${inForce === 0n ? "nothing" : distance(inForce, axis)}, and ${exact ? "" : "at least "}${rows(behind)} needed more: ${known ? justOver(needed, axis) : `at least ${distance(needed, axis)}`} would have reached ${behind === 1n ? "it" : "them"}${axis === "time" && lagMost > 0n ? `; rows arrive ${lag === null ? "at least" : "up to"} ${duration(lagMost)} after their cursor` : ""}`,
      rows: behind,
      evidence: {
        basis: known ? "observed" : "inferred",
        [`overlap_in_force${unit}`]: value(inForce),
        [`overlap_needed${unit}`]: value(needed),
        rows_needing_more: jsonCount(behind),
        rows_counted: exact ? "exactly" : "at least",
        ...(axis === "time"
          ? {
              lag_p50_seconds: lag === null ? null : seconds(lag.p50),
              lag_p99_seconds: lag === null ? null : seconds(lag.p99),
              lag_max_seconds: seconds(lagMost),
              ...(sampled === undefined ? {} : { lag_rows_sampled: jsonCount(sampled) }),
            }
          : {}),
      },
      fix: adviseCommand(check.name),
    };
    return [draft];
  },
);

type Needs = { readonly behind: bigint; readonly needed: bigint; readonly exact: boolean };

/** From arrivals: what each group of rows needed at its first chance to be read; of it, as many as were lost needed more at least. */
function observed(ledger: LedgerIndex, axis: Axis, lost: OverlapBounds["knownBehind"] = new Map()): Needs | null {
  const groups = ledger.facts.arrivals?.groups;
  if (groups === undefined) return null;
  let all: Needs = { behind: 0n, needed: 0n, exact: true };
  for (const group of groups) {
    const needs = groupNeeds(ledger, group, axis);
    if (needs === null || needs.behind === 0n || needs.needed === 0n) continue;
    const behind = largest(needs.behind, group.nextRun === null ? 0n : (lost.get(group.nextRun) ?? 0n));
    all = {
      behind: all.behind + behind,
      needed: largest(all.needed, needs.needed),
      exact: all.exact && (needs.exact || behind === group.rows),
    };
  }
  return all;
}

/** From lost rows whose arrival nobody knows. */
function inferred(tally: Tally | null): Needs | null {
  if (tally === null || tally.bounds.behind === 0n) return null;
  return { behind: tally.bounds.behind, needed: tally.bounds.needed, exact: true };
}

const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
