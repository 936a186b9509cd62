/**
 * Measures what auditing a ledger adds to comparing the tables: the same audit without a ledger, with one, and with one and arrivals.
 *
 *   node test/bench/ledger.ts [--rows 2000000] [--ledger 100000] [--runs 3] [--only pg,maria] [--keep]
 *
 * Servers: PG_URL and MYSQL_URL (a MariaDB), each without a database; else private ones. The databases `tidemark_bench_ledger` are made
 * there, and dropped unless --keep is given; with --keep they are used again by the next run.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { provision } from "../support/provision.ts";
import { mysqlConnection } from "./data.ts";
import { plantOnMariadb, plantOnPostgres, type Size } from "./ledger-data.ts";
import { buildPackage, measureAudit, median, type Run } from "./measure.ts";

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "2000000" },
    ledger: { type: "string", default: "100000" },
    runs: { type: "string", default: "3" },
    only: { type: "string", default: "pg,maria" },
    keep: { type: "boolean", default: false },
  },
});
const size: Size = { rows: Number(given.rows), runs: Number(given.ledger) };
const only = given.only.split(",");
const DATABASE = "tidemark_bench_ledger";
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const WORK = {
  compared: "",
  ledger:
    "runs: { connection: db, table: runs, columns: { id: id, from: window_from, to: window_to, started: started_at, finished: finished_at, status: status, rows: rows_read }, since: 60d }\n",
  arrivals:
    "runs: { connection: db, table: runs, columns: { id: id, from: window_from, to: window_to, started: started_at, finished: finished_at, status: status, rows: rows_read }, since: 60d }\narrival: { column: loaded_at }\n",
} as const;
type Work = keyof typeof WORK;

const servers = await urls();
const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-ledger-"));
try {
  say("building the package");
  const door = await buildPackage(folder);
  process.stdout.write(
    `${size.rows.toLocaleString("en")} rows, ${size.runs.toLocaleString("en")} runs, medians of ${given.runs}; whole processes, wall time\n`,
  );
  for (const engine of only) {
    const url = withDatabase(engine === "pg" ? servers.postgres : servers.mariadb);
    await prepare(engine, url);
    const checks = join(folder, "checks");
    mkdirSync(checks, { recursive: true });
    writeFileSync(join(checks, "tidemark.yaml"), `connections:\n  db: { url: "${url}" }\n`);
    for (const [name, more] of Object.entries(WORK))
      writeFileSync(
        join(checks, `${name}.yaml`),
        `source: { connection: db, table: source, timezone: UTC }\ntarget: { connection: db, table: target, timezone: UTC }\ncursor: { column: updated_at }\ncompare: { recheck: { rounds: 0 } }\n${more}`,
      );
    const work: Record<Work, Run[]> = { compared: [], ledger: [], arrivals: [] };
    for (let i = 0; i <= Number(given.runs); i++)
      for (const name of Object.keys(WORK) as Work[]) {
        const run = await measureAudit(door, folder, name);
        const wrong = run.report.checks[0]?.error ?? null;
        if (wrong !== null) throw new Error(wrong.message);
        // The first round warms the server.
        if (i > 0) work[name].push(run);
      }
    const base = median(work.compared.map((run) => run.seconds));
    for (const name of Object.keys(WORK) as Work[]) {
      const seconds = median(work[name].map((run) => run.seconds));
      const peak = Math.max(...work[name].map((run) => run.peak));
      const digest = work[name][0]?.report.checks[0]?.compared?.digest ?? "?";
      process.stdout.write(
        `${engine.padEnd(6)} ${name.padEnd(10)} ${seconds.toFixed(2).padStart(7)} s  × ${(seconds / base).toFixed(2)}  ${peak.toFixed(0)} MiB  (${digest})\n`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  if (!given.keep) await drop();
  await servers.stop();
}

async function prepare(engine: string, url: string): Promise<void> {
  if ((await rowsThere(engine, url)) === `${size.rows} ${size.runs}`) return;
  say(`making the tables (${engine})`);
  if (engine === "pg") {
    const client = new pg.Client({ connectionString: servers.postgres });
    await client.connect();
    await client.query(`drop database if exists ${DATABASE} with (force)`);
    await client.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
    await client.end();
    await plantOnPostgres(url, size);
    return;
  }
  const connection = await mysqlConnection(servers.mariadb);
  await connection.query(`create database if not exists ${DATABASE}`);
  await connection.end();
  await plantOnMariadb(url, size);
}

/** What an earlier run left; something else where there is nothing. */
async function rowsThere(engine: string, url: string): Promise<string> {
  const question = "select (select count(*) from source) as n, (select count(*) from runs) as m";
  try {
    if (engine === "pg") {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ n: string; m: string }>(question);
      await client.end();
      return `${rows[0]?.n} ${rows[0]?.m}`;
    }
    const connection = await mysqlConnection(url);
    const [rows] = await connection.query({ sql: question, rowsAsArray: true });
    await connection.end();
    return (rows as unknown as unknown[][])[0]?.join(" ") ?? "";
  } catch {
    return "none";
  }
}

async function drop(): Promise<void> {
  if (only.includes("pg")) {
    const client = new pg.Client({ connectionString: servers.postgres });
    await client.connect();
    await client.query(`drop database if exists ${DATABASE} with (force)`);
    await client.end();
  }
  if (!only.includes("maria")) return;
  const connection = await mysqlConnection(servers.mariadb);
  await connection.query(`drop database if exists ${DATABASE}`);
  await connection.end();
}

async function urls(): Promise<{
  readonly postgres: string;
  readonly mariadb: string;
  readonly stop: () => Promise<void>;
}> {
  const { PG_URL, MYSQL_URL } = process.env;
  if (PG_URL !== undefined && MYSQL_URL !== undefined)
    return { postgres: PG_URL, mariadb: MYSQL_URL.replace(/^mysql:/, "mariadb:"), stop: async () => {} };
  const provided = await provision();
  const { found } = provided;
  const urlOf = (each: typeof found.postgres): string => ("url" in each ? each.url : "");
  return { postgres: urlOf(found.postgres), mariadb: urlOf(found.mariadb), stop: () => provided.stop() };
}

function withDatabase(server: string): string {
  const url = new URL(server);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
