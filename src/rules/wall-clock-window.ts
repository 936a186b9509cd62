import { adviseCommand } from "../domain/command.ts";
import { formatInstant, SECOND } from "../domain/position.ts";
import { count, duration, moment, seconds } from "../domain/wording.ts";
import { isEmpty } from "../domain/window.ts";
import { rule } from "./rule.ts";

const FEWEST = 5;
const NEAR = 60n * SECOND;

/** Nearly all windows end where the wall clock stood, although the data clock was seen to stand behind it: the right edge is now(). */
export const wallClockWindow = rule("wall-clock-window", ["check", "axis", "ledger"], ({ check, axis, ledger }) => {
  const judged = ledger.successes.filter((run) => !run.backfill && run.window.to !== null && !isEmpty(run.window));
  if (axis !== "time" || judged.length < FEWEST) return [];
  const near = (end: bigint, moment: bigint | null): boolean =>
    moment !== null && end - moment <= NEAR && moment - end <= NEAR;
  const ending = judged.filter(
    ({ window, started, finished }) => near(window.to ?? 0n, started) || near(window.to ?? 0n, finished),
  );
  if (ending.length * 10 < judged.length * 9) return [];
  const behind = ledger.facts.runs.flatMap((run, i) => {
    const clock = ledger.facts.clocks[i] ?? null;
    if (clock === null || clock.position === null || clock.certainty === "at-least") return [];
    const by = run.started - clock.position;
    return by >= NEAR ? [{ run, clock, by }] : [];
  });
  if (behind.length === 0) return [];
  const worst = behind.reduce((a, b) => (b.by > a.by ? b : a));
  return [
    {
      severity: "warn",
      says: `${ending.length} of ${count(judged.length, "successful run")} end at the wall clock; the data clock stood up to ${duration(worst.by)} behind it (run ${worst.run.id}, ${moment(worst.run.started)}): the right edge is now(), and should be min(now, data clock)`,
      evidence: {
        runs_judged: judged.length,
        runs_ending_at_wall_clock: ending.length,
        runs_behind: behind.length,
        largest_distance_seconds: seconds(worst.by),
        run: worst.run.id,
        started: formatInstant(worst.run.started),
        clock: worst.clock.position === null ? null : formatInstant(worst.clock.position),
        witness: worst.clock.witness,
      },
      fix: adviseCommand(check.name),
    },
  ];
});
