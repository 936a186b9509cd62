/**
 * Measures audits of whole tables as ratios to what both servers need for one checksum of everything, in the same run.
 *
 *   npm run bench -- [--rows 1000000] [--runs 3] [--only pg-pg,pg-maria,maria-maria] [--keep] [--json FILE]
 *
 * Servers: PG_URL and MYSQL_URL (a MariaDB), each without a database; else private ones. The databases `tidemark_bench` are made there,
 * and dropped unless --keep is given; with --keep they are used again by the next run with as many rows.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { provision } from "../support/provision.ts";
import { loadMariadb, loadPostgres, mysqlConnection } from "./data.ts";
import { type Floor, shaFloor, typedFloor } from "./floors.ts";
import { buildPackage, measureAudit, median, type Run } from "./measure.ts";

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    runs: { type: "string", default: "3" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const rows = Number(given.rows.replaceAll("_", ""));
const runs = Number(given.runs);
const DATABASE = "tidemark_bench";
const say = (line: string): void => void process.stderr.write(`${line}\n`);

type Pair = {
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly floor: "typed" | "sha";
};
const PAIRS: readonly Pair[] = [
  { name: "pg-pg", source: "pg", target: "pg2", floor: "typed" },
  { name: "pg-maria", source: "pg", target: "maria", floor: "sha" },
  { name: "maria-maria", source: "maria", target: "maria2", floor: "sha" },
].filter(({ name }) => given.only === undefined || given.only.split(",").includes(name)) as Pair[];
const WORK = [
  { name: "equal", says: "equal" },
  { name: "many", says: "3 + 500 + 20 differences" },
  { name: "one", says: "one differing row" },
] as const;

type Line = {
  readonly work: string;
  readonly seconds: number;
  readonly ratio: number;
  readonly toEqual: number;
  /** Of the fastest runs, which other work on the machine disturbs least. */
  readonly best: number;
  readonly peak: number;
  readonly digest: string;
  readonly statements: number;
  readonly fetched: number;
  readonly found: string;
};

const servers = await urls();
const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-"));
try {
  const url: Record<string, string> = { pg: withDatabase(servers.postgres), maria: withDatabase(servers.mariadb) };
  [url["pg2"], url["maria2"]] = [url["pg"]!, url["maria"]!];
  await prepare();
  say("building the package");
  const door = await buildPackage(folder);
  writeChecks(url);
  const results: {
    pair: string;
    floor: string;
    floorSeconds: number;
    singleSeconds: readonly number[];
    lines: Line[];
  }[] = [];
  for (const pair of PAIRS) {
    const sides = [url[pair.source]!, url[pair.target]!] as const;
    const floorOf = (side: string): Floor => (pair.floor === "typed" ? typedFloor : shaFloor(side));
    const floors: number[] = [];
    const work: Record<string, Run[]> = { equal: [], many: [], one: [] };
    // Warm both servers first; then floor and work take turns, so that whatever else runs on the machine meets both alike.
    await atOnce(sides, floorOf);
    for (let i = 0; i < runs; i++) {
      floors.push(await atOnce(sides, floorOf));
      for (const { name } of WORK) {
        say(`${pair.name}: ${name} (${i + 1}/${runs})`);
        work[name]!.push(await measureAudit(door, folder, `${pair.name}-${name}`));
      }
    }
    const floor = median(floors);
    const equal = median(work["equal"]!.map((r) => r.seconds));
    const lines = WORK.map(({ name, says }): Line => {
      const all = work[name]!;
      const seconds = median(all.map((r) => r.seconds));
      const [check] = all[0]!.report.checks;
      const found =
        check?.error?.message ??
        (check?.findings
          .filter((f) => (f.rows ?? null) !== null)
          .map((f) => `${f.code} ${f.rows}`)
          .join(", ") ||
          "nothing");
      return {
        work: says,
        seconds,
        ratio: seconds / floor,
        toEqual: seconds / equal,
        best: Math.min(...all.map((r) => r.seconds)) / Math.min(...floors),
        peak: Math.max(...all.map((r) => r.peak)),
        digest: check?.compared?.digest ?? "?",
        statements: check?.compared?.statements ?? 0,
        fetched: check?.compared?.rows_fetched ?? 0,
        found,
      };
    });
    results.push({ pair: pair.name, floor: floorOf(sides[0]).name, floorSeconds: floor, singleSeconds: floors, lines });
  }
  print(results);
  if (given.json !== undefined)
    writeFileSync(
      given.json,
      `${JSON.stringify({ rows, runs, cpus: cpus().length, node: process.version, results }, null, 2)}\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
  if (!given.keep) await drop();
  await servers.stop();
}

/** One checksum of everything, on both sides at once, each in one connection. Both must say the same. */
async function atOnce([source, target]: readonly [string, string], floorOf: (side: string) => Floor): Promise<number> {
  const began = performance.now();
  const [a, b] = await Promise.all([floorOf(source).run(source, "source"), floorOf(target).run(target, "equal")]);
  if (a !== b) throw new Error(`the floor says ${a} and ${b} of equal tables`);
  return (performance.now() - began) / 1000;
}

function writeChecks(url: Readonly<Record<string, string>>): void {
  const checks = join(folder, "checks");
  mkdirSync(checks, { recursive: true });
  const connections = Object.entries(url).map(([name, at]) => `  ${name}: { url: "${at}" }`);
  writeFileSync(join(checks, "tidemark.yaml"), `connections:\n${connections.join("\n")}\n`);
  for (const pair of PAIRS)
    for (const { name } of WORK)
      writeFileSync(
        join(checks, `${pair.name}-${name}.yaml`),
        `source: { connection: ${pair.source}, table: source }\ntarget: { connection: ${pair.target}, table: ${name} }\n`,
      );
}

function print(
  results: readonly {
    readonly pair: string;
    readonly floor: string;
    readonly floorSeconds: number;
    readonly singleSeconds: readonly number[];
    readonly lines: readonly Line[];
  }[],
): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  const columns = (name: string, ...cells: readonly (string | number)[]): string =>
    name.padEnd(40) + cells.map((c) => (typeof c === "number" ? c.toFixed(2) : c).padStart(9)).join("");
  out(
    `\n${rows.toLocaleString("en")} rows × 10 columns, ${cpus().length} CPUs, Node ${process.versions.node}, ${runs} runs; whole processes, wall time.`,
  );
  out(
    "s, × floor, × equal: by medians; best: fastest run by fastest floor, which other work on the machine disturbs least.",
  );
  out("Where something differs, the time holds the wait before the second look (compare.recheck: 2 s).\n");
  out(`${columns("", "s", "× floor", "× equal", "best", "MiB", "asked", "fetched")}  digest, found`);
  for (const { pair, floor, floorSeconds, singleSeconds, lines } of results) {
    out(columns(`${pair}: ${floor} on both sides at once`, floorSeconds, "", "", Math.min(...singleSeconds)));
    for (const l of lines)
      out(
        `${columns(`  ${l.work}`, l.seconds, l.ratio, l.toEqual, l.best, l.peak.toFixed(0), `${l.statements}`, `${l.fetched}`)}  ${l.digest}, ${l.found}`,
      );
  }
}

async function prepare(): Promise<void> {
  const postgres = new pg.Client({ connectionString: servers.postgres });
  await postgres.connect();
  const there = await postgres.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (there.rowCount === 0) await postgres.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
  await postgres.end();
  if ((await rowsOnPostgres()) !== `${rows}`) await loadPostgres(withDatabase(servers.postgres), rows, say);
  if (!PAIRS.some(({ target }) => target.startsWith("maria"))) return;
  const maria = await mysqlConnection(servers.mariadb);
  await maria.query(`create database if not exists ${DATABASE}`);
  await maria.end();
  if ((await rowsOnMariadb()) !== `${rows}`)
    await loadMariadb(withDatabase(servers.mariadb), withDatabase(servers.postgres), say, { rows });
}

/** Rows of the last copy that an earlier run left; something else where there is none. */
async function rowsOnPostgres(): Promise<string> {
  const client = new pg.Client({ connectionString: withDatabase(servers.postgres) });
  try {
    await client.connect();
    return String((await client.query<{ n: string }>("select count(*) as n from one")).rows[0]?.n);
  } catch {
    return "none";
  } finally {
    await client.end();
  }
}

async function rowsOnMariadb(): Promise<string> {
  const connection = await mysqlConnection(withDatabase(servers.mariadb));
  try {
    const [answer] = await connection.query({ sql: "select count(*) from one", rowsAsArray: true });
    return String((answer as unknown as unknown[][])[0]?.[0]);
  } catch {
    return "none";
  } finally {
    await connection.end();
  }
}

async function drop(): Promise<void> {
  const postgres = new pg.Client({ connectionString: servers.postgres });
  await postgres.connect();
  await postgres.query(`drop database if exists ${DATABASE} with (force)`);
  await postgres.end();
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
  const provisions = await provision();
  const { found } = provisions;
  const stop = async (): Promise<void> => await provisions.stop();
  const missing = [found.postgres, found.mariadb].flatMap((each) => ("why" in each ? [each.why] : []));
  if (missing.length > 0) {
    await stop();
    throw new Error(missing.join("; "));
  }
  const urlOf = (each: typeof found.postgres): string => ("url" in each ? each.url : "");
  return { postgres: urlOf(found.postgres), mariadb: urlOf(found.mariadb), stop };
}

function withDatabase(server: string): string {
  const url = new URL(server);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
