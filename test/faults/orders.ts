import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { folderWith, type Ran } from "../cli/tidemark.ts";
import { freshDatabase, type TestDatabase, type TestEngine } from "../support/databases.ts";
import { start, type Started } from "./process.ts";

/**
 * A source and a target that differ in every way, and a project that repairs one from the other. Of every nine rows three are missing in
 * the target and three are changed there; a few more are only there. The target has a column of its own that no repair may touch.
 */
export interface Orders extends AsyncDisposable {
  readonly source: TestDatabase;
  readonly target: TestDatabase;
  readonly folder: string;
  /** Starts the program in the project's folder. `urls`: other ways to the same databases. */
  start(
    args: readonly string[],
    how?: {
      readonly urls?: Partial<Record<"SOURCE" | "TARGET", string>>;
      readonly shell?: string;
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Started;
  run(args: readonly string[], how?: Parameters<Orders["start"]>[1]): Promise<Ran>;
  /** Brings the target back to how it was. */
  reset(): Promise<void>;
  /** All of the target's rows, with the column of its own. */
  all(): Promise<string[]>;
  /** The rows of a side as the check sees them. */
  seen(side: "source" | "target"): Promise<string[]>;
  /** The file of a kind in the project's reports, newest repair first; undefined where there is none. */
  log(kind: "undo" | "quarantine"): string | undefined;
  /** All of them. */
  logs(kind: "undo" | "quarantine"): readonly string[];
}

export type OrdersOptions = {
  readonly rows: number;
  readonly batchRows?: number;
  readonly extra?: number;
  /** False: rows are missing or only there, and none is changed, so that a batch of missing rows goes over at once. */
  readonly changed?: boolean;
  readonly repair?: string;
  readonly check?: string;
};

/** A repair that may do everything that one can do. */
export const REPAIR = ["repair", "orders", "--delete-extra", "--apply", "--format", "json"] as const;

export async function orders(
  [from, to]: readonly [TestEngine, TestEngine],
  { rows, batchRows = 50, extra = Math.floor(rows / 200), changed = true, repair = "", check = "" }: OrdersOptions,
): Promise<Orders> {
  const source = await freshDatabase(from);
  const target = await freshDatabase(to);
  for (const database of [source, target])
    await database.run(
      `${utc(database)}create table orders (${columnsOf(database)}${database === target ? ", own varchar(20) default 'ours'" : ""})`,
    );
  const kept = (i: number): boolean => i % 9 < 6;
  for (const side of [source, target])
    await fill(side, "orders", function* () {
      for (let i = 1; i <= rows; i++) {
        if (side === source) yield [i, `name ${i} é😀`, `${i}.0625`, instant(i), note(i)];
        else if (changed && i % 9 < 3) yield [i, `old ${i}`, `${i}.5`, instant(i - 60), null];
        else if (kept(i)) yield [i, `name ${i} é😀`, `${i}.0625`, instant(i), note(i)];
      }
      if (side === target)
        for (let i = 1; i <= extra; i++) yield [rows + 7 * i, `extra ${i}`, "0", instant(i), "only here"];
    });
  await target.run(
    "update orders set own = 'touched' where id % 5 = 0; create table orders_were as select * from orders",
  );
  const folder = folderWith({
    "checks/tidemark.yaml": 'connections: { source: { url: "${SOURCE}" }, target: { url: "${TARGET}" } }\n',
    "checks/orders.yaml": `source: { connection: source, table: orders }
target: { connection: target, table: orders }
key: [id]
version: { column: at }
compare: { recheck: { wait: 0s } }
repair: { batch_rows: ${batchRows}, rows_per_second: 1000000, ${repair} }
${check}`,
  });
  const lines = async (database: TestDatabase, columns: string): Promise<string[]> =>
    (await database.rows(`select ${columns} from orders order by id`)).map((row) => JSON.stringify(row));
  const self: Orders = {
    source,
    target,
    folder: folder.path,
    start: (args, { urls, shell, env } = {}) =>
      start(args, {
        cwd: folder.path,
        env: { SOURCE: source.url, TARGET: target.url, ...urls, ...env },
        ...(shell === undefined ? {} : { shell }),
      }),
    run: async (args, how) => await self.start(args, how).done,
    reset: async () => await target.run("delete from orders; insert into orders select * from orders_were"),
    all: async () => await lines(target, "id, name, amount, at, note, own"),
    seen: async (side) =>
      await lines(
        side === "source" ? source : target,
        `id, name, ${amountOf(side === "source" ? from : to)}, ${timeOf(side === "source" ? from : to)}, note`,
      ),
    logs(kind) {
      const reports = join(folder.path, "reports");
      const files = existsSync(reports) ? readdirSync(reports).filter((f) => f.endsWith(`.${kind}.jsonl`)) : [];
      return files.map((f) => join(reports, f)).toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    },
    log: (kind) => self.logs(kind)[0],
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
      await source[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
  return self;
}

/** The JSON that a repair or an undo printed. */
export function printed(ran: Ran): {
  readonly id: string;
  readonly applied: boolean;
  readonly status?: string;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly remaining: readonly unknown[];
} {
  try {
    return JSON.parse(ran.stdout);
  } catch {
    throw new Error(`no JSON was printed; exit ${ran.code}: ${ran.stderr}`);
  }
}

/** Holds two lists of rows to be the same, and shows the first few that are not. */
export function same(rows: readonly string[], wanted: readonly string[], says = ""): void {
  const unlike = (a: readonly string[], b: readonly string[]): string[] => {
    const other = new Set(b);
    return a.filter((row) => !other.has(row)).slice(0, 5);
  };
  expect({ rows: rows.length, more: unlike(rows, wanted), less: unlike(wanted, rows) }, says).toEqual({
    rows: wanted.length,
    more: [],
    less: [],
  });
}

/** Waits until no session of the program is left on a server: one that was cut off may still be finishing what it was asked. */
export async function alone(database: TestDatabase): Promise<void> {
  if (database.engine === "sqlite") return;
  const sql =
    database.engine === "postgres"
      ? "select 1 from pg_stat_activity where datname = current_database() and application_name like 'tidemark%'"
      : "select 1 from information_schema.processlist where db = database() and id <> connection_id()";
  while ((await database.rows(sql)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The lines of an undo log. */
export function logged(file: string | undefined): readonly Readonly<Record<string, unknown>>[] {
  if (file === undefined) return [];
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function columnsOf({ engine }: TestDatabase): string {
  const time = engine === "postgres" ? "timestamp(6)" : engine === "sqlite" ? "timestamp" : "datetime(6)";
  return `id bigint primary key, name varchar(60) not null, amount decimal(20,4), at ${time}, note text`;
}

const utc = ({ engine }: TestDatabase): string =>
  engine === "mariadb" || engine === "mysql" ? "set time_zone = '+00:00';" : "";
const amountOf = (engine: TestEngine): string => (engine === "sqlite" ? "printf('%.4f', amount)" : "amount");
const timeOf = (engine: TestEngine): string =>
  engine === "postgres"
    ? "to_char(at, 'YYYY-MM-DD HH24:MI:SS.US')"
    : engine === "sqlite"
      ? "at"
      : "date_format(at, '%Y-%m-%d %H:%i:%s.%f')";
/** Later for a greater i; the last digit is never 0, since some engine keeps text as it comes. */
const instant = (i: number): string =>
  new Date(Date.UTC(2026, 4, 1) + i * 1000)
    .toISOString()
    .replace("T", " ")
    .replace("Z", `${String(Math.abs(i) % 100).padStart(2, "0")}1`);
const note = (i: number): string | null => (i % 4 === 0 ? null : `tab\t, line\n, back\\slash, quote ' of ${i}`);

async function fill(
  database: TestDatabase,
  table: string,
  rows: () => Iterable<readonly (string | number | null)[]>,
): Promise<void> {
  const quoted = (x: string | number | null): string =>
    x === null
      ? "null"
      : typeof x === "number"
        ? String(x)
        : `'${(database.engine === "mariadb" || database.engine === "mysql" ? x.replaceAll("\\", "\\\\") : x).replaceAll("'", "''")}'`;
  let some: string[] = [];
  const flush = async (): Promise<void> => {
    if (some.length > 0)
      await database.run(`insert into ${table} (id, name, amount, at, note) values ${some.join(",")}`);
    some = [];
  };
  for (const row of rows()) {
    some.push(`(${row.map(quoted).join(",")})`);
    if (some.length === 1000) await flush();
  }
  await flush();
}
