import { must } from "../../domain/errors.ts";
import { type Position, SECOND } from "../../domain/position.ts";
import { holds, windowOf } from "../../domain/window.ts";

/** A grade as it stands; a later event of the same id replaces it. */
export type Grade = {
  readonly id: number;
  readonly userid: number;
  readonly finalgrade: string | null;
  readonly timemodified: Position;
};

/** A grade in the snapshot, and when the load that brought it ran. */
export type LoadedGrade = Grade & { readonly loadedAt: Position };

/** A line of the pipeline's ledger. Microseconds. */
export type StoryRun = {
  readonly id: number;
  readonly from: Position;
  readonly to: Position;
  readonly started: Position;
  readonly finished: Position;
  readonly rows: number;
};

/** How it all ended: the snapshot, the target as the runs left it, the ledger, and the grade that the story is about. */
export type Outcome = {
  readonly source: readonly LoadedGrade[];
  readonly target: readonly Grade[];
  readonly runs: readonly StoryRun[];
  readonly hero: LoadedGrade;
  /** Midnight (UTC) of the story's Monday. */
  readonly monday: Position;
};

const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** The grade that was lost, and the run that should have carried it. */
export const HERO = 4711;

const at = (day: Position, hours: number, minutes = 0): Position =>
  day + BigInt(hours) * HOUR + BigInt(minutes) * MINUTE;

/**
 * The story of findings.md §4, played with what each actor could see. A snapshot of a learning platform is loaded every night: from
 * 22:52 what changed by day, at 01:45 what changed until 01:40 meanwhile. A pipeline that asked it at 02:00 for the past day lost
 * nothing. On a Monday it is moved to 08:00, 12:00, 15:00 and 01:00, each run taking "what has changed since the last one, until now":
 * by day it asks a snapshot that stands still. The Monday is the latest whose Tuesday 02:00 has passed at `now` (microseconds).
 */
export function simulate(now: Position): Outcome {
  const monday = latestMonday(now);
  const events = [...earlierTerm(monday), ...tenDays(monday), ...theMonday(monday)].map((event) => ({
    ...event,
    loadedAt: arrivalOf(event.timemodified),
  }));
  events.sort((a, b) => (a.timemodified < b.timemodified ? -1 : a.timemodified > b.timemodified ? 1 : a.id - b.id));
  const target = new Map<number, Grade>();
  const first = at(monday - 10n * DAY, 2);
  // What was there before the ledger begins came by a first load, long ago.
  for (const event of events) if (event.timemodified <= first) target.set(event.id, event);
  const runs: StoryRun[] = [];
  let watermark = first;
  for (const [n, to] of runTimes(monday).entries()) {
    const started = to + 5n * SECOND;
    const window = windowOf(watermark, to, "(]");
    const read = snapshotAt(events, started).filter(({ timemodified }) => holds(window, timemodified));
    for (const grade of read) target.set(grade.id, grade);
    const took = 11n + BigInt(Math.ceil(read.length / 12));
    runs.push({ id: 801 + n, from: watermark, to, started, finished: started + took * SECOND, rows: read.length });
    watermark = to;
  }
  const source = snapshotAt(events, at(monday + DAY, 2));
  return {
    source,
    target: [...target.values()].toSorted((a, b) => a.id - b.id),
    runs,
    hero: must(
      source.find(({ id }) => id === HERO),
      "the hero is in the snapshot",
    ),
    monday,
  };
}

/** Ten nights at 02:00, then the new timetable. */
function runTimes(monday: Position): readonly Position[] {
  const nights = Array.from({ length: 10 }, (_, n) => at(monday - BigInt(9 - n) * DAY, 2));
  return [...nights, at(monday, 8), at(monday, 12), at(monday, 15), at(monday + DAY, 1)];
}

/** When a change shows in the snapshot: at 22:52 of its day, or at 01:45 if it was made between 22:52 and 01:40. */
function arrivalOf(changed: Position): Position {
  const midnight = changed - (((changed % DAY) + DAY) % DAY);
  if (changed <= at(midnight, 1, 40)) return at(midnight, 1, 45);
  return changed <= at(midnight, 22, 52) ? at(midnight, 22, 52) : at(midnight + DAY, 1, 45);
}

/** The newest version of each grade that had been loaded by then, by id. */
function snapshotAt(events: readonly LoadedGrade[], moment: Position): readonly LoadedGrade[] {
  const visible = new Map<number, LoadedGrade>();
  for (const event of events) if (event.loadedAt <= moment) visible.set(event.id, event);
  return [...visible.values()].toSorted((a, b) => a.id - b.id);
}

/** 1970-01-01 was a Thursday. */
function latestMonday(now: Position): Position {
  const days = (now - 2n * HOUR) / DAY - 1n;
  return (days - ((days + 3n) % 7n)) * DAY;
}

/** A seeded row of numbers from 0 to below `n` (mulberry32): the same story every time. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** A moment within a minute. */
function moment(roll: (n: number) => number): Position {
  return BigInt(roll(60)) * SECOND + BigInt(roll(1_000_000));
}

function grade(id: number, timemodified: Position, roll: (n: number) => number): Grade {
  const points = roll(2_000_001) + 8_000_000 - roll(6_000_000);
  const finalgrade =
    roll(40) === 0 ? null : `${Math.floor(points / 100_000)}.${String(points % 100_000).padStart(5, "0")}`;
  return { id, userid: 1000 + ((id * 7919) % 900), finalgrade, timemodified };
}

/** 1,500 grades of the months before. */
function earlierTerm(monday: Position): readonly Grade[] {
  const roll = dice(1);
  const start = monday - 120n * DAY;
  return Array.from({ length: 1500 }, (_, n) =>
    grade(n + 1, at(start + BigInt(roll(110)) * DAY, 7 + roll(15), roll(60)) + moment(roll), roll),
  );
}

/** Ten days until Sunday: some 2,300 new grades and 200 changed ones, most of them by day, the last ones at night. */
function tenDays(monday: Position): readonly Grade[] {
  const roll = dice(2);
  const events: Grade[] = [];
  let id = 2000;
  for (let day = 10n; day >= 1n; day--) {
    const midnight = monday - day * DAY;
    const busy = day === 9n || day === 8n || day <= 2n ? 90 : 330;
    for (let n = 0; n < busy; n++) {
      const when = at(midnight, 7 + roll(15), roll(60)) + moment(roll);
      events.push(grade(roll(12) === 0 ? 1 + roll(1500) : id++, when, roll));
    }
    for (let n = 0; n < 3; n++) events.push(grade(id++, at(midnight, 23, roll(60)), roll));
    // A job of the platform closes the day's exams: its row is the newest that each morning's snapshot shows.
    events.push(grade(id++, at(midnight + DAY, 1, 40), roll));
  }
  return events;
}

/** A public holiday: hardly anyone grades by day, a few do in the evening. */
function theMonday(monday: Position): readonly Grade[] {
  const roll = dice(3);
  const evening = Array.from({ length: 24 }, (_, n) => grade(4800 + n, at(monday, 16 + (n % 6), roll(60)), roll));
  return [
    { id: HERO, userid: 1234, finalgrade: "88.25000", timemodified: at(monday, 10) },
    grade(4712, at(monday, 10, 47), roll),
    grade(4713, at(monday, 11, 20), roll),
    grade(4714, at(monday, 13, 5), roll),
    // A grade that the target has is corrected: it stays there as it was.
    grade(42, at(monday, 14, 30), roll),
    ...evening,
    grade(4830, at(monday, 22, 31), roll),
  ];
}
