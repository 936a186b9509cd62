import type { Advice, PolicyOutcome } from "../../domain/advice.ts";
import { count, distance, justOver, duration, rows } from "../../domain/wording.ts";
import type { ReporterOptions } from "../reporter.ts";
import { printable, wrap } from "../text/wrap.ts";

/** What each policy is, in a few words. */
const POLICIES: Readonly<Record<PolicyOutcome["policy"], string>> = {
  "wall-clock": "right edge at the wall clock",
  "data-clock": "right edge at min(now, data clock)",
  overlap: "look back over",
};

/** What the replay says, for a person: the overlap first, then the policies, the plot and what limits the answer. */
export function adviceText(
  check: string,
  advice: Advice,
  plot: readonly string[],
  { columns, style }: ReporterOptions,
): string {
  const { axis } = advice;
  const told =
    advice.arrivals === "observed"
      ? "their arrivals are known"
      : "their arrivals are not known: everything here is a lower bound";
  const lines = [
    ...wrap(
      printable(
        advice.needed === 0n && advice.advised === 0n
          ? `${check}: no row needed an overlap.`
          : `${check}: look back ${distance(advice.advised, axis)}. The smallest overlap that would have lost nothing is ${justOver(advice.needed, axis)}; the windows show ${advice.overlapInForce === 0n ? "none" : distance(advice.overlapInForce, axis)} today.`,
      ),
      columns,
    ).map((line) => style("bold", line)),
    ...wrap(
      `Told from ${rows(advice.rows)} and ${count(advice.runs, "run")} (one every ${distance(advice.interval, axis)}); ${told}.`,
      columns,
    ),
    "",
    ...advice.policies.flatMap((policy) => policyLines(policy, advice, columns)),
    "",
    ...plot.map((line) => `  ${line}`.trimEnd()),
  ];
  for (const note of advice.notes) lines.push("", ...wrap(printable(note), columns));
  return `${lines.join("\n")}\n`;
}

function policyLines(
  { policy, overlap, rowsLost, exact, rowsReread, rereadExact, behindStart }: PolicyOutcome,
  { axis }: Advice,
  columns: number,
): readonly string[] {
  const name = policy === "overlap" ? `${POLICIES.overlap} ${distance(overlap, axis)}` : POLICIES[policy];
  if (rowsLost === null) return [`  ${name}: cannot be replayed`];
  const lost = `${exact ? "" : "at least "}${rows(rowsLost)} lost`;
  const again = rowsReread === null ? "" : `, ${rereadExact ? "" : "at most "}${rows(rowsReread)} read again`;
  const cost =
    behindStart === null || behindStart <= 0n ? "" : `, right edge ${duration(behindStart)} behind a run's start`;
  return wrap(`${name}: ${lost}${again}${cost}`, columns - 4).map((line, i) => (i === 0 ? `  ${line}` : `    ${line}`));
}
