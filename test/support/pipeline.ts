import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditProject } from "../../src/cli/audit-project.ts";
import { compose, systemClock } from "../../src/cli/compose.ts";
import { loadProject } from "../../src/cli/library.ts";
import type { Check } from "../../src/domain/check.ts";
import { must } from "../../src/domain/errors.ts";
import { SECOND } from "../../src/domain/position.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import type { AuditOptions, World } from "../../src/flows/ports.ts";
import type { TestDatabase, TestEngine } from "./databases.ts";
import { keptDatabase } from "./kept-databases.ts";
import { t } from "./timeline.ts";

/** A place on the cursor's axis as stories write it: `1 10:00` of June 2026, an ISO time, a number of a sequence, none. */
type At = string | number | null;

/** What a row has beside its key and its cursor. `v` is its value: by default the same for the same cursor. */
type More = { readonly arrived?: string | null; readonly loaded?: string; readonly v?: string | null };

/** A row: its key (parts of a composite one as a list), its cursor, and more; a text alone says when it arrived. */
export type StoryRow = readonly [key: number | readonly (number | string)[], at: At, more?: string | More];

/** A line of the ledger. Left out: started five seconds after its right end (of times), over a minute later, a success that counted nothing. */
export type StoryRun = readonly [
  id: string,
  from: At,
  to: At,
  more?: {
    readonly started?: string;
    readonly finished?: string | null;
    readonly status?: string;
    readonly rows?: number;
    readonly kind?: string;
    readonly clock?: At;
  },
];

type SideSql = { readonly source?: string | readonly string[]; readonly target?: string | readonly string[] };

/** A pipeline between two real databases: what lies on both sides now, and what its ledger wrote down. */
export type Pipeline = {
  /** Source and target. The ledger lies with the target, or in a database of its own. */
  readonly on: readonly [source: TestEngine, target: TestEngine, ledger?: TestEngine];
  readonly source: readonly StoryRow[];
  /** Keys of source rows that the target lacks. */
  readonly lost?: readonly StoryRow[0][];
  /** Rows that the target holds otherwise than the source, or alone. */
  readonly target?: readonly StoryRow[];
  /** Null: the check names no ledger. */
  readonly runs?: readonly StoryRun[] | null;
  /** What cursors are: moments without a zone, which the check says (default), moments with one where the engine has such, numbers. */
  readonly cursor?: "naive" | "instant" | "epoch-s" | "sequence";
  /** When it is audited; `real`: when the test runs. Default: `2 12:00`. */
  readonly now?: string;
  /** Laid over the check file. */
  readonly check?: object;
  /** SQL that is run when the tables `t` (and `runs`, beside the target) are filled; a list: each text in a transaction of its own. */
  readonly also?: SideSql;
  /** SQL that clears away what `also` left outside of the tables. */
  readonly tidyUp?: SideSql;
};

/** A pipeline that stands: audit it, ask it. */
export interface Planted extends AsyncDisposable {
  readonly source: TestDatabase;
  readonly target: TestDatabase;
  /** The report of the one check: what `tidemark audit` does. */
  audit(options?: Partial<AuditOptions> & { readonly now?: string }): Promise<CheckReport>;
  /** With the outside as `trace` and `advise` have it. */
  ask<T>(question: (check: Check, world: World) => Promise<T>): Promise<T>;
}

const TYPES = {
  postgres: { instant: "timestamptz", naive: "timestamp" },
  mariadb: { instant: "timestamp(6)", naive: "datetime(6)" },
  mysql: { instant: "timestamp(6)", naive: "datetime(6)" },
  sqlite: { instant: "timestamp", naive: "timestamp" },
} as const;

/** Makes the tables and the ledger anew, and writes the check. */
export async function plant(pipeline: Pipeline): Promise<Planted> {
  const [from, to, third] = pipeline.on;
  const source = await keptDatabase(from, "src");
  const target = await keptDatabase(to, "dst");
  const ledger = third === undefined ? target : await keptDatabase(third, "led");
  const runAll = async (sql: SideSql = {}): Promise<void> => {
    for (const text of [sql.source ?? []].flat()) await source.run(text);
    for (const text of [sql.target ?? []].flat()) await target.run(text);
  };
  const lost = new Set((pipeline.lost ?? []).map(String));
  const own = new Map((pipeline.target ?? []).map((row) => [String(row[0]), row]));
  const carried = pipeline.source.filter(([key]) => !lost.has(String(key)) && !own.has(String(key)));
  await source.run(tableSql(pipeline, from, pipeline.source));
  await target.run(tableSql(pipeline, to, [...carried, ...own.values()]));
  if (pipeline.runs !== null) await ledger.run(ledgerSql(pipeline, ledger.engine));
  await runAll(pipeline.also);

  const folder = mkdtempSync(join(tmpdir(), "tidemark-story-"));
  const urls = { src: source.url, dst: target.url, ...(third === undefined ? {} : { led: ledger.url }) };
  const connections = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url }]));
  mkdirSync(join(folder, "checks"));
  // JSON is YAML.
  writeFileSync(join(folder, "checks/tidemark.yaml"), JSON.stringify({ connections }));
  writeFileSync(join(folder, "checks/story.yaml"), JSON.stringify(checkFile(pipeline)));
  const project = await loadProject({ cwd: folder, environment: {} });
  const now = pipeline.now ?? "2 12:00";
  const clock = now === "real" ? systemClock : { ...systemClock, now: () => t(now) };
  const [check] = project.checks;
  const story = must(check, "a story has a check");
  const silence = { begin() {}, end() {}, note() {}, detail() {}, step() {}, rows() {}, [Symbol.dispose]() {} };
  const around = { display: silence, verbose: false, signal: new AbortController().signal, clock };
  return {
    source,
    target,
    async audit({ now: then, ...options } = {}) {
      const asked = { range: null, only: null, exact: false, ...options };
      const { report, bugs } = await auditProject({
        ...around,
        ...(then === undefined ? {} : { clock: { ...clock, now: () => t(then) } }),
        project,
        checks: [story],
        options: asked,
        clean: (text) => text,
        saveFacts: null,
      });
      if (bugs.length > 0) throw bugs[0];
      return must(report.checks[0], "a story has a check");
    },
    async ask(question) {
      await using surroundings = await compose(project, { ...around, checks: [story] });
      return await question(story, surroundings.world);
    },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
      await runAll(pipeline.tidyUp);
    },
  };
}

const moreOf = (more: StoryRow[2]): More => (typeof more === "string" ? { arrived: more } : (more ?? {}));

function keysOf({ source, target = [] }: Pipeline): readonly string[] {
  const [first] = [...source, ...target];
  return Array.isArray(first?.[0]) ? ["id", "part"] : ["id"];
}

function tableSql(pipeline: Pipeline, engine: TestEngine, rows: readonly StoryRow[]): string {
  const { cursor = "naive" } = pipeline;
  const types = TYPES[engine];
  const at = types[cursor as "naive"] ?? "bigint";
  const keys = keysOf(pipeline);
  const columns = `id bigint not null, ${keys.length === 1 ? "" : "part varchar(20) not null, "}at ${at} null, v varchar(100), arrived ${types.naive} null, loaded ${types.naive} null`;
  const lines = rows.map(([key, x, rest]) => {
    const { arrived = null, loaded = null, v } = moreOf(rest);
    const value = v === undefined ? `as of ${x}` : v;
    const moments = [arrived, loaded].map((moment) => literal(moment, "naive", engine));
    return `(${[...[key].flat().map(quoted), literal(x, cursor, engine), quoted(value), ...moments].join(", ")})`;
  });
  const insert = lines.length === 0 ? "" : `; insert into t values ${lines.join(", ")}`;
  return `drop table if exists t; create table t (${columns}, primary key (${keys.join(", ")})); create index t_at on t (at)${insert}`;
}

function ledgerSql({ runs, cursor = "naive" }: Pipeline, engine: TestEngine): string {
  const types = TYPES[engine];
  const at = types[cursor as "naive"] ?? "bigint";
  const lines = (runs ?? []).map(([id, from, to, more = {}]) => {
    const started = more.started ?? after(to, 5n);
    const finished = more.finished === undefined ? after(started, 60n) : more.finished;
    const ends = [from, to].map((end) => literal(end, cursor, engine));
    const moments = [started, finished].map((moment) => literal(moment, "naive", engine));
    const { status = "success", rows = null, kind = null, clock = null } = more;
    return `(${[quoted(id), ...ends, ...moments, quoted(status), quoted(rows), quoted(kind), literal(clock, cursor, engine)].join(", ")})`;
  });
  const columns = `id varchar(20), from_at ${at} null, to_at ${at} null, started ${types.naive} null, finished ${types.naive} null, status varchar(20), n bigint, kind varchar(20), clock ${at} null`;
  const insert = lines.length === 0 ? "" : `; insert into runs values ${lines.join(", ")}`;
  return `drop table if exists runs; create table runs (${columns})${insert}`;
}

const quoted = (value: string | number | null): string =>
  value === null ? "null" : typeof value === "number" ? `${value}` : `'${value.replaceAll("'", "''")}'`;

/** A story's moment as SQL writes it: with a zone where the type has one. */
function literal(at: At, kind: NonNullable<Pipeline["cursor"]>, engine: TestEngine): string {
  if (at === null || typeof at === "number") return `${at ?? "null"}`;
  if (kind === "epoch-s") return `${t(at) / SECOND}`;
  return `'${written(at)}${kind === "instant" && engine === "postgres" ? "+00" : ""}'`;
}

/** `1 10:00` as 2026-06-01 10:00:00; ISO times stay as they are. */
const written = (at: string): string =>
  at.replace(
    /^(\d{1,2}) (\d\d:\d\d)(:\S+)?$/,
    (_, day: string, minute: string, rest = ":00") => `2026-06-${day.padStart(2, "0")} ${minute}${rest}`,
  );

function after(at: At, seconds: bigint): string | null {
  return typeof at === "string"
    ? new Date(Number((t(at) + seconds * SECOND) / 1000n)).toISOString().slice(0, 19).replace("T", " ")
    : null;
}

function checkFile(pipeline: Pipeline): object {
  const { cursor = "naive", source, target = [], check = {} } = pipeline;
  const some = [...source, ...target].map(([, , more]) => moreOf(more));
  const relation = (connection: string): object => ({ connection, table: "t", timezone: "UTC" });
  const columns = {
    id: "id",
    from: "from_at",
    to: "to_at",
    started: "started",
    finished: "finished",
    status: "status",
    rows: "n",
    kind: "kind",
    data_clock: "clock",
  };
  const unit = cursor === "epoch-s" || cursor === "sequence" ? { unit: cursor } : {};
  return over(
    {
      source: relation("src"),
      target: relation("dst"),
      columns: { exclude: ["arrived", "loaded"] },
      cursor: { column: "at", ...unit },
      ...(source.some(([, , more]) => moreOf(more).arrived !== undefined) ? { arrival: { column: "arrived" } } : {}),
      ...(some.some(({ loaded }) => loaded !== undefined) ? { loaded: { column: "loaded" } } : {}),
      ...(pipeline.runs === null
        ? {}
        : {
            runs: { connection: pipeline.on[2] === undefined ? "dst" : "led", table: "runs", columns, timezone: "UTC" },
          }),
      compare: { recheck: { rounds: 1, wait: "0s" } },
    },
    check,
  );
}

/** Lays one object over another, deeply; null takes a key away. */
function over(base: object, more: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(more)) {
    const before = merged[name];
    const both = isPlain(value) && isPlain(before);
    if (value === null) delete merged[name];
    else merged[name] = both ? over(before, value) : value;
  }
  return merged;
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
