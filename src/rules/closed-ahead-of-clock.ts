import type { ClockReading } from "../domain/clock.ts";
import type { Json } from "../domain/finding.ts";
import { dataClockIsIgnored } from "../domain/ledger-clock.ts";
import type { Windowed } from "../domain/ledger-index.ts";
import { common } from "../domain/joined.ts";
import { type Axis, formatInstant, formatPosition } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import { distance, place, rows, runs, seconds } from "../domain/wording.ts";
import { isEmpty, span, type Window } from "../domain/window.ts";
import { type Concern, concernFindings, windowJson } from "./concerns.ts";
import { rule } from "./rule.ts";

/** How many of the newest successful runs still deserve a warning when they lost nothing. */
const RECENT = 10;

type Ahead = Concern & { readonly run: Windowed; readonly clock: ClockReading; readonly by: bigint | null };

/** Successful runs whose window ends beyond where the data clock stood when they started: what lands in between is never looked for. */
export const closedAheadOfClock = rule("closed-ahead-of-clock", ["check", "axis", "now", "ledger"], (facts) => {
  const { ledger, axis, now } = facts;
  const ignored = ledger.facts.runs.filter((run) => dataClockIsIgnored(run, axis, now)).map((run) => run.id);
  const concerns = ledger.successes.flatMap((run, i): readonly Ahead[] => {
    const clock = ledger.facts.clocks[ledger.successAt[i] ?? -1] ?? null;
    const dead = clock === null ? null : deadZone(run.window, clock);
    if (clock === null || dead === null) return [];
    const there = ledger.rows(dead);
    const lacking = ledger.lacking?.(dead) ?? null;
    const recent = i >= ledger.successes.length - RECENT && clock.witness !== "source-now";
    const by = clock.position === null || run.window.to === null ? null : run.window.to - clock.position;
    return [
      {
        ...(lacking !== null && lacking > 0n
          ? { severity: "error" }
          : recent
            ? { severity: "warn", part: "recent" }
            : { severity: "info", part: "older" }),
        windows: [dead],
        run,
        clock,
        by,
        evidence: () => ({
          run: run.id,
          started: formatInstant(run.started),
          window: windowJson(run.window, axis),
          clock: clock.position === null ? null : formatPosition(clock.position, axis),
          witness: clock.witness,
          certainty: clock.certainty,
          ...aheadJson(by, axis),
          rows: jsonCount(there),
          rows_lacking: lacking === null ? null : jsonCount(lacking),
        }),
      },
    ];
  });
  return concernFindings(concerns, "runs", facts, ({ concerns: all, rows: there, lacking }) => {
    const dead =
      there === 0n
        ? "no source row lies in between now"
        : `${rows(there)} of the source ${there === 1n ? "lies" : "lie"} in between now`;
    const lost = there === 0n || lacking === null ? "" : `, the target lacks ${lacking === 0n ? "none" : lacking}`;
    return `${sentence(all, axis)}; ${dead}${lost}`;
  }).map((draft) =>
    ignored.length === 0
      ? draft
      : { ...draft, evidence: { ...draft.evidence, data_clocks_ignored: ignored.slice(0, 20) } },
  );
});

/** The part of a window that lies beyond the clock; null: none, or it cannot be shown. A bound from below shows nothing. */
export function deadZone(window: Window, clock: ClockReading): Window | null {
  if (isEmpty(window) || clock.certainty === "at-least") return null;
  if (clock.position === null) return window;
  const { last } = span(window);
  if (last !== null && last <= clock.position) return null;
  return common(window, { from: clock.position, fromClosed: false, to: null, toClosed: false });
}

function sentence(all: readonly Ahead[], axis: Axis): string {
  const worst = all.reduce((a, b) => (b.by !== null && (a.by === null || b.by > a.by) ? b : a));
  const least = worst.clock.certainty === "at-most" ? "at least " : "";
  const by = worst.by === null ? null : `${least}${distance(worst.by, axis)}`;
  const to = worst.run.window.to;
  if (all.length === 1)
    return `run ${worst.run.id} closed its window${to === null ? "" : ` at ${place(to, axis)}`}, ${by === null ? "before anything was visible" : `${by} ahead of the data clock`}`;
  const most =
    by === null
      ? `, run ${worst.run.id} before anything was visible`
      : `, ${least === "" ? "by up to " : "one by "}${by} (run ${worst.run.id})`;
  return `${runs(all.map(({ run }) => run.id))} closed their windows ahead of the data clock${most}`;
}

function aheadJson(by: bigint | null, axis: Axis): Record<string, Json> {
  if (by === null) return { ahead_by: null };
  return axis === "time" ? { ahead_by_seconds: seconds(by) } : { ahead_by: jsonCount(by) };
}
