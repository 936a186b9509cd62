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
import { plantOnMariadb, plantOnPostgres, type Size } from "./ledger-data.ts";
import { buildPackage, measureAudit, median, type Run } from "./measure.ts";
import { benchServers, connect } from "./servers.ts";

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
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const WORK = {
  compared: "",
  ledger:
    "runs: { connection: db, table: runs, columns: { id: id, from: window_from, to: window_to, started: started_at, finished: finished_at, status: status, rows: rows_read }, since: 60d }\n",
  arrivals:
    "runs: { connection: db, table: runs, columns: { id: id, from: window_from, to: window_to, started: started_at, finished: finished_at, status: status, rows: rows_read }, since: 60d }\narrival: { column: loaded_at }\n",
} as const;
type Work = keyof typeof WORK;

const servers = await benchServers("tidemark_bench_ledger");
const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-ledger-"));
try {
  say("building the package");
  const door = await buildPackage(folder);
  process.stdout.write(
    `${size.rows.toLocaleString("en")} rows, ${size.runs.toLocaleString("en")} runs, medians of ${given.runs}; whole processes, wall time\n`,
  );
  for (const engine of only) {
    const url = engine === "pg" ? servers.url.pg : servers.url.maria;
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
  await servers.end(given.keep);
}

async function prepare(engine: string, url: string): Promise<void> {
  if ((await rowsThere(url)) === `${size.rows} ${size.runs}`) return;
  say(`making the tables (${engine})`);
  if (engine === "pg") {
    await using server = await connect(url);
    await server.ask("drop table if exists source, target, runs");
    await plantOnPostgres(url, size);
  } else await plantOnMariadb(url, size);
}

/** What an earlier run left; something else where there is nothing. */
async function rowsThere(url: string): Promise<string> {
  await using server = await connect(url);
  try {
    return `${await server.ask("select count(*) from source")} ${await server.ask("select count(*) from runs")}`;
  } catch {
    return "none";
  }
}
