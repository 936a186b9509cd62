import { formatInstant, type Position } from "../../domain/position.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** The databases that the demo can live in: what their SQL is called and how it differs. */
export type StoryDialect = "postgres" | "sqlite";

/** Where the story is told: one empty database for each side, and how to run a statement there. */
export type Stage = {
  readonly dialect: StoryDialect;
  readonly source: (sql: string) => Promise<unknown>;
  readonly target: (sql: string) => Promise<unknown>;
  /** Wall-clock microseconds: the story ends shortly before. */
  readonly now: Position;
};

/** Makes the tables of the two-clock story (`simulate.ts`) and fills them. Comes back with how it went, for those who tell it. */
export async function plantStory({ dialect, source, target, now }: Stage): Promise<Outcome> {
  const story = simulate(now);
  for (const statement of sourceStatements(story, dialect)) await source(statement);
  for (const statement of targetStatements(story, dialect)) await target(statement);
  return story;
}

const KEY: Readonly<Record<StoryDialect, string>> = { postgres: "bigint", sqlite: "integer" };

/** A file that is written to while an audit reads it must be in WAL mode. */
const FIRST: Readonly<Record<StoryDialect, readonly string[]>> = {
  postgres: [],
  sqlite: ["pragma journal_mode = wal"],
};
const LAST = ["analyze"];

function sourceStatements({ source }: Outcome, dialect: StoryDialect): readonly string[] {
  return [
    ...FIRST[dialect],
    `create table grades (
      id ${KEY[dialect]} primary key, userid bigint not null, finalgrade numeric(10,5),
      timemodified timestamptz not null, loaded_at timestamptz not null)`,
    "create index grades_timemodified on grades (timemodified)",
    ...inserts(
      "grades",
      source.map((row) => [row.id, row.userid, row.finalgrade, time(row.timemodified), time(row.loadedAt)]),
    ),
    ...LAST,
  ];
}

function targetStatements({ target, runs }: Outcome, dialect: StoryDialect): readonly string[] {
  return [
    ...FIRST[dialect],
    `create table grades (
      id ${KEY[dialect]} primary key, userid bigint not null, finalgrade numeric(10,5), timemodified timestamptz not null)`,
    "create index grades_timemodified on grades (timemodified)",
    ...inserts(
      "grades",
      target.map((row) => [row.id, row.userid, row.finalgrade, time(row.timemodified)]),
    ),
    `create table sync_runs (
      run_id ${KEY[dialect]} primary key, pipeline text not null, watermark_from timestamptz, watermark_to timestamptz,
      started_at timestamptz not null, finished_at timestamptz, status text not null, rows_extracted bigint)`,
    ...inserts(
      "sync_runs",
      runs.map((run) => [
        run.id,
        "'grades'",
        time(run.from),
        time(run.to),
        time(run.started),
        time(run.finished),
        "'success'",
        run.rows,
      ]),
    ),
    ...LAST,
  ];
}

const time = (position: Position): string => `'${formatInstant(position)}'`;

/** Rows of one statement: neither too long for anyone nor too many round trips. */
const ROWS = 500;

/** The values are the program's own: numbers and quoted times. */
function inserts(table: string, rows: readonly (readonly (string | number | null)[])[]): readonly string[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, n) => {
    const part = rows.slice(n * ROWS, (n + 1) * ROWS).map((row) => `(${row.map((x) => x ?? "null").join(", ")})`);
    return `insert into ${table} values ${part.join(", ")}`;
  });
}
