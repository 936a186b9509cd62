import { formatInstant, SECOND } from "../domain/position.ts";
import { duration, moment, seconds } from "../domain/wording.ts";
import { type FindingDraft, rule } from "./rule.ts";

/** From how many times the allowed silence on it is an error. */
const FACTOR = 3n;

/** A run that starts this long before its scheduled moment is that run: schedulers' clocks differ. */
const EARLY = 60n * SECOND;

/** No run for longer than the check allows. */
export const silentLedger = rule("silent-ledger", ["check", "now", "ledger"], ({ check, now, ledger }) => {
  const { every } = check.expect;
  if (every === null) return [];
  const last = ledger.facts.runs.at(-1) ?? null;
  const silence = now - (last?.started ?? ledger.facts.since);
  if (every.by === "distance") {
    if (silence <= every.distance) return [];
    return [
      draft(
        silence > FACTOR * every.distance,
        { allowed_seconds: seconds(every.distance) },
        `at least one every ${duration(every.distance)} is expected`,
      ),
    ];
  }
  const due = (ledger.facts.expectedStarts ?? []).filter((at) => last === null || at - last.started > EARLY);
  // A scheduled run that is a little late is not silent: what may not be judged yet may not be missed yet.
  const missed = due.filter((at) => now - at > check.settle).slice(0, Number(FACTOR));
  if (missed.length === 0) return [];
  return [
    draft(
      missed.length >= FACTOR,
      { schedule: every.schedule, missed: missed.map(formatInstant) },
      `the schedule \`${every.schedule}\` wanted one at ${moment(missed[0] ?? now)}`,
    ),
  ];

  function draft(serious: boolean, evidence: FindingDraft["evidence"], expected: string): FindingDraft {
    return {
      severity: serious ? "error" : "warn",
      says: `no run for ${duration(silence)}${last === null ? "" : ` (the last is ${last.id}, ${moment(last.started)})`}: ${expected}`,
      evidence: {
        last_run: last?.id ?? null,
        last_started: last === null ? null : formatInstant(last.started),
        silent_seconds: seconds(silence),
        ...evidence,
      },
    };
  }
});
