import { formatInstant } from "../domain/position.ts";
import { type CheckReport, type Report, worstVerdict } from "../domain/report.ts";
import { version } from "./version.ts";

/** A report of these checks, by name. Times are wall-clock microseconds; the report keeps milliseconds. */
export function reportOf(
  checks: readonly CheckReport[],
  time: { readonly started: bigint; readonly finished: bigint },
): Report {
  return {
    version: 1,
    tool: { name: "tidemark", version: version() },
    started_at: milliseconds(time.started),
    finished_at: milliseconds(time.finished),
    verdict: worstVerdict(checks.map((check) => check.verdict)),
    checks: byName(checks),
  };
}

/** In the order of their names, which does not hang on how long each took. */
export function byName(checks: readonly CheckReport[]): readonly CheckReport[] {
  return checks.toSorted((a, b) => (a.check < b.check ? -1 : a.check > b.check ? 1 : 0));
}

/** `2026-06-02T01:00:00.000Z` */
export function milliseconds(micros: bigint): string {
  return formatInstant(micros).replace(/\d{3}Z$/, "Z");
}

/** The same report with every text that a server or a driver wrote passed through `clean`. Names, keys and numbers are the user's own and stay. */
export function cleaned(check: CheckReport, clean: (text: string) => string): CheckReport {
  const { error, compared, runs } = check;
  return {
    ...check,
    compared: compared && {
      ...compared,
      not_compared: compared.not_compared.map(({ column, why }) => ({ column, why: clean(why) })),
      notes: compared.notes.map(clean),
      stopped: compared.stopped && clean(compared.stopped),
    },
    runs: runs && { ...runs, unreadable: runs.unreadable.map(({ place, why }) => ({ place, why: clean(why) })) },
    error: error && { ...error, message: clean(error.message), hint: error.hint && clean(error.hint) },
  };
}
