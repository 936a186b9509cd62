import { daysFromCivil, formatInstant, SECOND } from "../../domain/position.ts";
import { offsetAt, transitions, type Transition } from "../../domain/timezone.ts";
import { raw, type Sql, sql } from "../../sql/statement.ts";

/**
 * The offset of a zone by its local readings, as SQL over a naive moment. The server's own zone tables are often empty, so it is
 * spelled out. A change at T from `before` to `after` divides readings at T + after: in a repeated hour the later moment is
 * taken, in a gap the old offset, both as PostgreSQL's AT TIME ZONE does.
 */
export function offsetSeconds(moment: Sql, zone: string): Sql {
  const changes = changesOf(zone);
  const last = changes.settled.at(-1)?.offsetAfter ?? offsetAt(zone, 0n);
  const table = search(moment, changes.settled, 0, changes.settled.length, last);
  if (changes.calendars.every((c) => c.changes.length === 0)) return table;
  return sql`IF(${moment} < '${raw(String(SETTLED_YEAR))}-01-01', ${table}, ${byCalendar(moment, changes.calendars)})`;
}

/** The offset in the last days of the year 9999, where UTC may lie beyond what the server holds. */
export function lastOffsetSeconds(zone: string): bigint {
  return offsetAt(zone, daysFromCivil(9999n, 12n, 31n) * 86_400n * SECOND) / SECOND;
}

/** Before this year changes are laws, one by one; from it on they follow a rule by weekdays, so that the calendar tells them. */
const SETTLED_YEAR = 2100;
const FIRST_YEAR = 1850;

/** One of the 14 calendars: the weekday of January 1 (1: Sunday), and whether there is a February 29. */
type Calendar = {
  readonly weekday: number;
  readonly leap: boolean;
  readonly changes: readonly Transition[];
  readonly first: bigint;
};

type Changes = { readonly settled: readonly Transition[]; readonly calendars: readonly Calendar[] };

const known = new Map<string, Changes>();

function changesOf(zone: string): Changes {
  let found = known.get(zone);
  if (found === undefined) {
    found = { settled: transitions(zone, FIRST_YEAR, SETTLED_YEAR), calendars: calendarsOf(zone) };
    known.set(zone, found);
  }
  return found;
}

function calendarsOf(zone: string): readonly Calendar[] {
  const calendars = new Map<string, Calendar>();
  for (let year = SETTLED_YEAR; calendars.size < 14 && year < SETTLED_YEAR + 400; year++) {
    const start = daysFromCivil(BigInt(year), 1n, 1n);
    const leap = daysFromCivil(BigInt(year + 1), 1n, 1n) - start === 366n;
    // 1970-01-01 was a Thursday.
    const weekday = Number((start + 4n) % 7n) + 1;
    const id = `${weekday}${leap}`;
    if (calendars.has(id)) continue;
    calendars.set(id, {
      weekday,
      leap,
      changes: transitions(zone, year, year + 1),
      first: offsetAt(zone, start * 86_400n * SECOND),
    });
  }
  return [...calendars.values()];
}

const reading = ({ utcMicros, offsetAfter }: Transition): string =>
  formatInstant(utcMicros + offsetAfter)
    .slice(0, 19)
    .replace("T", " ");
const seconds = (offset: bigint): Sql => raw(String(offset / SECOND));

/** A binary search among the changes from `from` to `to`, as nested IFs: the server takes some eight comparisons a row. */
function search(moment: Sql, changes: readonly Transition[], from: number, to: number, last: bigint): Sql {
  if (from === to) return seconds(changes[from]?.offsetBefore ?? last);
  const middle = (from + to) >> 1;
  const change = changes[middle];
  if (change === undefined) return seconds(last);
  return sql`IF(${moment} < TIMESTAMP'${raw(reading(change))}', ${search(moment, changes, from, middle, last)}, ${search(moment, changes, middle + 1, to, last)})`;
}

function byCalendar(moment: Sql, calendars: readonly Calendar[]): Sql {
  const year = sql`YEAR(${moment})`;
  const leap = sql`(${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0))`;
  const cases = calendars.map(({ weekday, leap: isLeap, changes, first }) => {
    const last = changes.at(-1)?.offsetAfter ?? first;
    const offset = changes.reduceRight(
      (rest, change) =>
        sql`IF(MID(${moment}, 6, 14) < '${raw(reading(change).slice(5))}', ${seconds(change.offsetBefore)}, ${rest})`,
      seconds(last),
    );
    return sql` WHEN ${raw(String(weekday * 2 + (isLeap ? 1 : 0)))} THEN ${offset}`;
  });
  return sql`CASE DAYOFWEEK(MAKEDATE(${year}, 1)) * 2 + ${leap}${{ parts: cases.flatMap((c) => c.parts) }} END`;
}
