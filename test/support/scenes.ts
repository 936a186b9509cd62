import type { CheckDetail } from "../../src/domain/detail.ts";
import type { Difference } from "../../src/domain/difference.ts";
import type { Facts } from "../../src/domain/facts.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { must } from "../../src/domain/errors.ts";
import { appraise } from "../../src/flows/appraise.ts";
import { HOUR, MINUTE, type Row, t, type Timeline, timeline } from "./timeline.ts";

/** A check with what its pictures are drawn from. */
export type Scene = { readonly report: CheckReport; readonly detail: CheckDetail };

/** A pipeline as a page shows it. */
export function sceneOf(name: string, told: Timeline, description: string | null = null): Scene {
  const { facts, differences } = timeline(told);
  const named = { ...facts, check: { ...facts.check, name, description } };
  const { report } = appraise(named, differences, EVERYTHING, []);
  return { report: { ...report, seconds: 1 }, detail: detailOf(named, differences) };
}

const EVERYTHING = { range: null, only: null, exact: false } as const;

/** What the pictures of facts and differences are drawn from. */
export function detailOf(facts: Facts, differences: Iterable<Difference>): CheckDetail {
  const { detail } = appraise(facts, differences, EVERYTHING, [], { pictures: true });
  return must(detail, "pictures were asked for");
}

/** Hourly runs over a table with three rows an hour, each visible a minute after its change, of which the target lacks some. */
export function hourly(hours: number, lacks: (id: number) => boolean, failed = -1): Timeline {
  const start = t("1 00:00");
  const rows = Array.from({ length: hours * 3 }, (_, n): Row => {
    const x = start + BigInt(n) * 20n * MINUTE + 7n * MINUTE;
    return { id: n + 1, x, a: x + MINUTE };
  });
  const runs = Array.from({ length: hours }, (_, n) => {
    const to = start + BigInt(n + 1) * HOUR;
    const outcome = n === failed ? ("failed" as const) : ("success" as const);
    return { id: `run-${n}`, from: to - HOUR, to, started: to + 5_000_000n, rows: n === failed ? null : 3n, outcome };
  });
  const now = start + BigInt(hours + 1) * HOUR;
  return { rows, runs, now, arrived: rows.map(({ id }) => id).filter((id) => !lacks(id)) };
}
