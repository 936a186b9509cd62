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
import { insertByHand, copyByHand } from "./by-hand.ts";
import { buildPackage, measureRepair, median, type RepairRun } from "./measure.ts";
import { benchServers, connect } from "./servers.ts";
import { type BenchTable, loadMariadb, loadPostgres, TABLES } from "./tables.ts";

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
/** The table of ten columns, without its second index: MariaDB 10.11 counts rows twice that were put into an empty one in bulk. */
const TABLE: BenchTable = { ...TABLES[0]!, name: "bench" };
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const out = (line: string): void => void process.stdout.write(`${line}\n`);

/** A statement on whichever server. */
type Ask = (sql: string) => Promise<string>;

type Result = {
  readonly pair: string;
  readonly byHand: number;
  readonly seconds: number;
  readonly ratio: number;
  readonly peak: number;
  readonly told: unknown;
};

const servers = await benchServers("tidemark_bench_repair");
const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-repair-"));
try {
  const url: Readonly<Record<string, string>> = servers.url;
  await prepare();
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
  out(
    `\n${rows.toLocaleString("en")} rows × 10 columns, ${given.half ? "half of them" : "all"} missing, ${cpus().length} CPUs, Node ${process.versions.node}, medians of ${runs}; whole processes, wall time.\n`,
  );
  out(`${"".padEnd(14)}${["by hand s", "repair s", "× by hand", "MiB"].map((c) => c.padStart(11)).join("")}`);
  const results: Result[] = [];
  for (const pair of pairs) {
    const [source = "", target = ""] = pair.split("-");
    writeFileSync(
      join(checks, `${pair}.yaml`),
      `source: { connection: ${source}, table: bench_source }\ntarget: { connection: ${target}, table: target }\n` +
        `compare: { recheck: { wait: 0s } }\nrepair: { rows_per_second: 100000000, max_rows: 100000000 }\n`,
    );
    const hand: number[] = [];
    const repairs: RepairRun[] = [];
    await using server = await connect(url[target] ?? "");
    const run = server.ask;
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
    const byHand = median(hand);
    const seconds = median(repairs.map((r) => r.seconds));
    const result: Result = {
      pair,
      byHand,
      seconds,
      ratio: seconds / byHand,
      peak: Math.max(...repairs.map((r) => r.peak)),
      told: repairs[0]?.told ?? null,
    };
    results.push(result);
    out(
      pair.padEnd(14) +
        [byHand.toFixed(2), seconds.toFixed(2), result.ratio.toFixed(2), result.peak.toFixed(0)]
          .map((c) => c.padStart(11))
          .join(""),
    );
  }
  if (given.json !== undefined)
    writeFileSync(
      given.json,
      `${JSON.stringify({ rows, runs, half: given.half, cpus: cpus().length, node: process.version, results }, null, 2)}\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
  await servers.end(given.keep);
}

/** The target without the rows that are to be missing. */
async function empty(target: string, run: Ask): Promise<void> {
  await run("drop table if exists target");
  await run(
    target === "pg" ? "create table target (like bench_source including all)" : "create table target like bench_source",
  );
  if (given.half) await run("insert into target select * from bench_source where id % 2 = 0");
}

async function expectWhole(run: Ask): Promise<void> {
  const found = await run("select count(*) from target");
  if (found !== String(rows)) throw new Error(`the target holds ${found} rows instead of ${rows}`);
}

async function prepare(): Promise<void> {
  await loadPostgres(servers.url.pg, TABLE, rows, ["source"], say);
  if (pairs.some((pair) => pair.includes("maria")))
    await loadMariadb(servers.url.maria, servers.url.pg, TABLE, rows, ["source"], say);
}
