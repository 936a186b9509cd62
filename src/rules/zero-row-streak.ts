import { formatInstant } from "../domain/position.ts";
import { joined } from "../domain/joined.ts";
import type { Windowed } from "../domain/ledger-index.ts";
import { jsonCount } from "../domain/report.ts";
import { count, moment, rows } from "../domain/wording.ts";
import { type Concern, concernFindings } from "./concerns.ts";
import { rule } from "./rule.ts";

type Streak = Concern & {
  readonly first: Windowed;
  readonly last: Windowed;
  readonly length: number;
  readonly goesOn: boolean;
};

/** Successful runs in a row that counted nothing: failed runs do not break a streak, backfills are left out. */
export const zeroRowStreak = rule("zero-row-streak", ["check", "axis", "ledger"], (facts) => {
  const { check, ledger } = facts;
  const regular = ledger.successes.filter((run) => !run.backfill);
  const streaks: { runs: Windowed[]; goesOn: boolean }[] = [];
  let open: Windowed[] = [];
  for (const run of regular) {
    if (run.rows === 0n) open.push(run);
    else {
      streaks.push({ runs: open, goesOn: false });
      open = [];
    }
  }
  streaks.push({ runs: open, goesOn: true });
  const concerns = streaks.flatMap(({ runs, goesOn }): readonly Streak[] => {
    const first = runs[0];
    const last = runs.at(-1);
    if (first === undefined || last === undefined || runs.length < check.expect.zeroRowStreak) return [];
    const windows = joined(runs.map((run) => run.window));
    const there = windows.reduce((sum, window) => sum + ledger.rows(window), 0n);
    const lacking = ledger.lacking === null ? null : windows.reduce((sum, w) => sum + (ledger.lacking?.(w) ?? 0n), 0n);
    return [streakOf({ first, last, length: runs.length, goesOn }, windows, there, lacking)];
  });
  return concernFindings(concerns, "streaks", facts, ({ concerns: all, rows: there, lacking }) => {
    const longest = all.reduce((a, b) => (b.length > a.length ? b : a));
    const others = all.length === 1 ? "" : `, and ${count(all.length - 1, "more streak")}`;
    const what = `${count(longest.length, "successful run")} in a row with 0 rows, ${longest.first.id} to ${longest.last.id} (${moment(longest.first.started)} to ${moment(longest.last.started)}${longest.goesOn ? ", still going on" : ""})${others}`;
    if (there === 0n) return `${what}; the source has no rows in those windows`;
    return `${what}; the source has ${rows(there)} there${lacking === null ? "" : `, the target lacks ${lacking === 0n ? "none" : lacking}`}`;
  });
});

function streakOf(
  streak: Pick<Streak, "first" | "last" | "length" | "goesOn">,
  windows: ReturnType<typeof joined>,
  there: bigint,
  lacking: bigint | null,
): Streak {
  const evidence = () => ({
    length: streak.length,
    first: streak.first.id,
    last: streak.last.id,
    first_started: formatInstant(streak.first.started),
    last_started: formatInstant(streak.last.started),
    going_on: streak.goesOn,
    source_rows: jsonCount(there),
    rows_lacking: lacking === null ? null : jsonCount(lacking),
  });
  // Rows that were there and came after all: it is over. A streak in which the source had nothing to show stays a warning to look at.
  const over = !streak.goesOn && there > 0n && lacking === 0n;
  const severity =
    lacking !== null && lacking > 0n
      ? ({ severity: "error" } as const)
      : over
        ? ({ severity: "info", part: "ended" } as const)
        : ({ severity: "warn", part: "quiet" } as const);
  return { ...streak, ...severity, windows, evidence };
}
