/**
 * Measures repairs of an empty target as ratios to the same rows brought over by hand, in the same run: COPY out, COPY in and
 * INSERT … ON CONFLICT from a staging table on PostgreSQL; INSERTs of many rows, each as large as a packet may be, on MariaDB.
 *
 *   node test/bench/repair.ts [--rows 200000] [--runs 1] [--only pg-pg,pg-maria,maria-maria] [--half] [--keep] [--json FILE]
 *
 * --half: every other row is there already. Servers: PG_URL and MYSQL_URL (a MariaDB), each without a database; else private ones. The
 * databases `tidemark_bench_repair` are made there, and dropped unless --keep is given.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { provision } from "../support/provision.ts";
import { insertByHand, copyByHand } from "./by-hand.ts";
import { loadMariadb, loadPostgres, mysqlConnection } from "./data.ts";
import { buildPackage, measureRepair, median, type RepairRun } from "./measure.ts";

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "200000" },
    runs: { type: "string", default: "1" },
    only: { type: "string", default: "pg-pg,pg-maria,maria-maria" },
    half: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const rows = Number(given.rows.replaceAll("_", ""));
const runs = Number(given.runs);
const pairs = given.only.split(",");
const DATABASE = "tidemark_bench_repair";
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const out = (line: string): void => void process.stdout.write(`${line}\n`);

/** Statements on one server, whichever it is. */
type Run = (sql: string) => Promise<string>;

type Result = {
  readonly pair: string;
  readonly byHand: number;
  readonly seconds: number;
  readonly ratio: number;
  readonly peak: number;
  readonly told: unknown;
};

const servers = await urls();
const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-repair-"));
try {
  const url: Readonly<Record<string, string>> = {
    pg: withDatabase(servers.postgres),
    maria: withDatabase(servers.mariadb),
  };
  await prepare(url);
  say("building the package");
  const door = await buildPackage(folder);
  const checks = join(folder, "checks");
  mkdirSync(checks, { recursive: true });
  writeFileSync(
    join(checks, "tidemark.yaml"),
    `connections:\n${Object.entries(url)
      .map(([name, at]) => `  ${name}: { url: "${at}" }\n`)
      .join("")}`,
  );
  const results: Result[] = [];
  for (const pair of pairs) {
    const [source = "", target = ""] = pair.split("-");
    writeFileSync(
      join(checks, `${pair}.yaml`),
      `source: { connection: ${source}, table: source }\ntarget: { connection: ${target}, table: target }\n` +
        `compare: { recheck: { wait: 0s } }\nrepair: { rows_per_second: 100000000, max_rows: 100000000 }\n`,
    );
    const hand: number[] = [];
    const repairs: RepairRun[] = [];
    const run = await runOn(url[target] ?? "");
    for (let i = 0; i < runs; i++) {
      say(`${pair}: by hand (${i + 1}/${runs})`);
      await empty(target, run);
      hand.push(
        target === "pg"
          ? await copyByHand(url[source] ?? "", url[target] ?? "")
          : await insertByHand(url[source] ?? "", url[target] ?? ""),
      );
      await expectWhole(run);
      say(`${pair}: repair (${i + 1}/${runs})`);
      await empty(target, run);
      const repair = await measureRepair(door, folder, pair);
      if (repair.code !== 0) throw new Error(`the repair of ${pair} ended with ${repair.code}: ${repair.stderr}`);
      await expectWhole(run);
      repairs.push(repair);
    }
    await run("");
    const byHand = median(hand);
    const seconds = median(repairs.map((r) => r.seconds));
    results.push({
      pair,
      byHand,
      seconds,
      ratio: seconds / byHand,
      peak: Math.max(...repairs.map((r) => r.peak)),
      told: repairs[0]?.told ?? null,
    });
  }
  out(
    `\n${rows.toLocaleString("en")} rows × 10 columns, ${given.half ? "half of them" : "all"} missing, ${cpus().length} CPUs, Node ${process.versions.node}, medians of ${runs}; whole processes, wall time.\n`,
  );
  out(`${"".padEnd(14)}${["by hand s", "repair s", "× by hand", "MiB"].map((c) => c.padStart(11)).join("")}`);
  for (const { pair, byHand, seconds, ratio, peak } of results)
    out(
      pair.padEnd(14) +
        [byHand.toFixed(2), seconds.toFixed(2), ratio.toFixed(2), peak.toFixed(0)].map((c) => c.padStart(11)).join(""),
    );
  if (given.json !== undefined)
    writeFileSync(
      given.json,
      `${JSON.stringify({ rows, runs, half: given.half, cpus: cpus().length, node: process.version, results }, null, 2)}\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
  if (!given.keep) await drop();
  await servers.stop();
}

/** The target without the rows that are to be missing. */
async function empty(target: string, run: Run): Promise<void> {
  await run("drop table if exists target");
  await run(target === "pg" ? "create table target (like source including all)" : "create table target like source");
  if (given.half) await run("insert into target select * from source where id % 2 = 0");
}

async function expectWhole(run: Run): Promise<void> {
  const found = await run("select count(*) from target");
  if (found !== String(rows)) throw new Error(`the target holds ${found} rows instead of ${rows}`);
}

/** An empty statement closes the connection. */
async function runOn(url: string): Promise<Run> {
  if (url.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return async (sql) => {
      if (sql === "") {
        await client.end();
        return "";
      }
      const result = await client.query<unknown[]>({ text: sql, rowMode: "array" });
      return String(result.rows[0]?.[0]);
    };
  }
  const connection = await mysqlConnection(url);
  return async (sql) => {
    if (sql === "") {
      await connection.end();
      return "";
    }
    const [result] = await connection.query({ sql, rowsAsArray: true });
    return Array.isArray(result) ? String((result as unknown as unknown[][])[0]?.[0]) : "";
  };
}

async function prepare(url: Readonly<Record<string, string>>): Promise<void> {
  const postgres = new pg.Client({ connectionString: servers.postgres });
  await postgres.connect();
  const there = await postgres.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (there.rowCount === 0) await postgres.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
  await postgres.end();
  if ((await rowsOf(url["pg"] ?? "")) !== `${rows}`) await loadPostgres(url["pg"] ?? "", rows, say, ["source"]);
  if (!pairs.some((pair) => pair.includes("maria"))) return;
  const maria = await mysqlConnection(servers.mariadb);
  await maria.query(`create database if not exists ${DATABASE}`);
  await maria.end();
  if ((await rowsOf(url["maria"] ?? "")) !== `${rows}`)
    await loadMariadb(url["maria"] ?? "", url["pg"] ?? "", say, { rows, copies: ["source"] });
}

/** What an earlier run left; `none` where there is nothing. */
async function rowsOf(url: string): Promise<string> {
  const run = await runOn(url);
  const rows = await run("select count(*) from source").catch(() => "none");
  await run("");
  return rows;
}

async function drop(): Promise<void> {
  const postgres = new pg.Client({ connectionString: servers.postgres });
  await postgres.connect();
  await postgres.query(`drop database if exists ${DATABASE} with (force)`);
  await postgres.end();
  if (!pairs.some((pair) => pair.includes("maria"))) return;
  const maria = await mysqlConnection(servers.mariadb);
  await maria.query(`drop database if exists ${DATABASE}`);
  await maria.end();
}

async function urls(): Promise<{
  readonly postgres: string;
  readonly mariadb: string;
  readonly stop: () => Promise<void>;
}> {
  const { PG_URL, MYSQL_URL } = process.env;
  if (PG_URL !== undefined && MYSQL_URL !== undefined)
    return { postgres: PG_URL, mariadb: MYSQL_URL.replace(/^mysql:/, "mariadb:"), stop: async () => {} };
  const { found, stop } = await provision();
  const urlOf = (each: typeof found.postgres): string => ("url" in each ? each.url : "");
  return { postgres: urlOf(found.postgres), mariadb: urlOf(found.mariadb), stop };
}

function withDatabase(server: string): string {
  const url = new URL(server);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
