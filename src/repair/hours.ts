import type { HoursOfDay } from "../domain/check.ts";
import { toInstant, toLocal } from "../domain/timezone.ts";

const DAY = 86_400_000_000n;

/** When writing may go on: `now` itself inside the hours, else the moment when they next begin. Microseconds; `hours` null: always. */
export function nextOpening(now: bigint, hours: HoursOfDay | null, timezone: string): bigint {
  if (hours === null || hours.from === hours.to) return now;
  const local = toLocal(timezone, now);
  const midnight = local - (((local % DAY) + DAY) % DAY);
  const clock = local - midnight;
  const { from, to } = hours;
  const open = from < to ? clock >= from && clock < to : clock >= from || clock < to;
  if (open) return now;
  const opens = toInstant(timezone, (clock < from ? midnight : midnight + DAY) + from).earlier;
  return opens > now ? opens : now;
}
