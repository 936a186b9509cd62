import { Cron } from "croner";
import type { RunRhythm } from "../../domain/check.ts";
import { formatInstant } from "../../domain/position.ts";

/** How many moments of a schedule are looked at: enough for a rule that forgives some. */
const MOMENTS = 4;

/** The first moments after `after` (microseconds) at which a schedule wants a run, ascending; null: there is no schedule. */
export function expectedStarts(every: RunRhythm | null, after: bigint): readonly bigint[] | null {
  if (every === null || every.by !== "schedule") return null;
  const cron = new Cron(every.schedule, { timezone: every.timezone, paused: true });
  // Schedules know seconds; a start within a second has had that second's moment.
  const moments = cron.nextRuns(MOMENTS, `${formatInstant(after).slice(0, 19)}Z`);
  return moments.map((moment) => BigInt(moment.getTime()) * 1000n).filter((moment) => moment > after);
}
