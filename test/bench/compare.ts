/**
 * Measures audits of whole tables as ratios to what both servers need for one checksum of everything, in the same run.
 *
 *   node test/bench/compare.ts [--rows 1000000] [--runs 3] [--only pg-pg,pg-maria,maria-maria] [--work equal,many,…]
 *                              [--tables orders,wide,columns,sparse,composite,uuid] [--peers] [--keep]
 *                              [--json FILE]
 *
 * Servers: PG_URL and MYSQL_URL (a MariaDB), each without a database; else private ones. The databases `tidemark_bench_ROWS` are made there,
 * and dropped unless --keep is given; with --keep they are used again by the next run with as many rows. --peers: other programs that are on the PATH compare the
 * equal copies and those with 3 + 500 + 20 differences, too (pg_comparator; pt-table-sync).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Floor, readKeys, shaFloor, typedFloor } from "./floors.ts";
import { buildPackage, measureAudit, median, type Run } from "./measure.ts";
import { type Peer, peersHere } from "./peers.ts";
import { benchServers } from "./servers.ts";
import { type BenchTable, loadMariadb, loadPostgres, TABLES } from "./tables.ts";
import { GOALS, PLANTED, RANGE, type Work, WORK } from "./work.ts";

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    runs: { type: "string", default: "3" },
    only: { type: "string", default: "pg-pg,pg-maria,maria-maria" },
    work: { type: "string" },
    tables: { type: "string", default: "orders" },
    peers: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const rows = Number(given.rows.replaceAll("_", ""));
const runs = Number(given.runs);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const out = (line: string): void => void process.stdout.write(`${line}\n`);

type Server = "pg" | "maria";
type Pair = { readonly name: string; readonly source: Server; readonly target: Server; readonly floor: Floor };
const PAIRS: readonly Pair[] = [
  { name: "pg-pg", source: "pg", target: "pg", floor: typedFloor } as const,
  { name: "pg-maria", source: "pg", target: "maria", floor: shaFloor } as const,
  { name: "maria-maria", source: "maria", target: "maria", floor: shaFloor } as const,
].filter(({ name }) => given.only.split(",").includes(name));

const wanted: readonly Work[] = WORK.filter(
  ({ name }) => given.work === undefined || given.work.split(",").includes(name),
);

type Line = {
  readonly table: string;
  readonly pair: string;
  readonly work: string;
  readonly floorSeconds: number;
  readonly seconds: number;
  readonly ratio: number;
  /** Null: the equal tables were not measured. */
  readonly toEqual: number | null;
  readonly goal: string;
  readonly peak: number;
  readonly digest: string;
  readonly statements: number;
  readonly fetched: number;
  readonly found: string;
  /** Null: none did the same. */
  readonly peer: { readonly name: string; readonly seconds: number; readonly found: number } | null;
};

const servers = await benchServers(`tidemark_bench_${rows}`);
const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-"));
const lines: Line[] = [];
const peers = given.peers ? peersHere(say) : [];
try {
  say("building the package");
  const door = await buildPackage(folder);
  out(
    `${rows.toLocaleString("en")} rows, ${cpus().length} CPUs, Node ${process.versions.node}, medians of ${runs}; whole processes, wall time.\n` +
      "Floor: one checksum of everything on both sides at once; for 30 days, of these; for an empty target, reading the source's keys.\n" +
      "The tables stand still, so the checks say recheck: { wait: 0s }; without it a check with differences waits 2 s before its second look.\n",
  );
  out(columns("", "floor s", "s", "× floor", "× equal", "goal", "MiB", "asked", "fetched", "digest, found"));
  for (const table of TABLES.filter(({ name }) => given.tables.split(",").includes(name)))
    await measureTable(door, table);
  if (given.json !== undefined)
    writeFileSync(
      given.json,
      `${JSON.stringify({ rows, runs, cpus: cpus().length, node: process.version, lines }, null, 2)}\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
  await servers.end(given.keep);
}

async function measureTable(door: string, table: BenchTable): Promise<void> {
  const n = Math.round(rows * table.share);
  const work = wanted.filter(({ first }) => first !== true || table === TABLES[0]);
  const copies = [...new Set(["source", "equal", ...work.map(({ copy }) => copy)])];
  // MariaDB's copies are made out of PostgreSQL's.
  await loadPostgres(servers.url.pg, table, n, copies, say);
  if (PAIRS.some(({ target }) => target === "maria"))
    await loadMariadb(servers.url.maria, servers.url.pg, table, n, copies, say);
  out(`${table.name}: ${n.toLocaleString("en")} rows, ${table.says}`);
  for (const pair of PAIRS) {
    const checks = join(folder, table.name, pair.name);
    writeChecks(checks, table, pair, work);
    await floorOf(pair, table, "whole");
    const floors: Record<string, number[]> = {};
    const measured: Record<string, Run[]> = {};
    const peer = table === TABLES[0] ? peers.find((p) => p.pair === pair.name) : undefined;
    const rivals: Record<string, PeerRun[]> = {};
    // Floor and work take turns, so that whatever else runs on the machine meets both alike.
    for (let i = 0; i < runs; i++) {
      for (const floor of new Set(work.map((w) => w.floor)))
        (floors[floor] ??= []).push(await floorOf(pair, table, floor));
      for (const { name, args } of work) {
        say(`${table.name} ${pair.name}: ${name} (${i + 1}/${runs})`);
        (measured[name] ??= []).push(await measureAudit(door, checks, name, args));
        if (peer !== undefined && (name === "equal" || name === "many"))
          (rivals[name] ??= []).push(await measurePeer(peer, servers.url[pair.source], table, name));
      }
    }
    const equal = median((measured["equal"] ?? []).map((run) => run.seconds));
    for (const { name, says, floor } of work) {
      const line = {
        ...lineOf(table, pair, name, measured[name] ?? [], median(floors[floor] ?? []), equal),
        peer: peerOf(peer, rivals[name] ?? []),
      };
      lines.push(line);
      out(
        columns(
          `  ${pair.name} ${says}`,
          line.floorSeconds.toFixed(2),
          line.seconds.toFixed(2),
          line.ratio.toFixed(2),
          line.toEqual?.toFixed(2) ?? "",
          line.goal,
          line.peak.toFixed(0),
          String(line.statements),
          String(line.fetched),
          `${line.digest}, ${line.found}`,
        ),
      );
      if (line.peer !== null)
        out(
          `    ${line.peer.name}: ${line.peer.seconds.toFixed(2)} s, ${(line.peer.seconds / line.seconds).toFixed(2)} × as long; found ${line.peer.found} rows`,
        );
    }
  }
}

type PeerRun = { readonly seconds: number; readonly found: number };

async function measurePeer(peer: Peer, url: string, table: BenchTable, copy: string): Promise<PeerRun> {
  say(`${table.name} ${peer.pair}: ${copy} by ${peer.name}`);
  const began = performance.now();
  const found = await peer.run(url, table, copy);
  return { seconds: (performance.now() - began) / 1000, found };
}

function peerOf(peer: Peer | undefined, all: readonly PeerRun[]): Line["peer"] {
  const [first] = all;
  if (peer === undefined || first === undefined) return null;
  return { name: peer.name, seconds: median(all.map((run) => run.seconds)), found: first.found };
}

/** Seconds that a floor takes on both sides at once; both must say the same. */
async function floorOf({ source, target, floor }: Pair, table: BenchTable, what: Work["floor"]): Promise<number> {
  const began = performance.now();
  if (what === "keys") await readKeys(servers.url[source], table, "source");
  else {
    const where = what === "range" ? RANGE : "1 = 1";
    const [a, b] = await Promise.all([
      floor.run(servers.url[source], table, "source", where),
      floor.run(servers.url[target], table, "equal", where),
    ]);
    if (a !== b) throw new Error(`the floor says ${a} and ${b} of equal tables`);
  }
  return (performance.now() - began) / 1000;
}

function writeChecks(checks: string, table: BenchTable, { source, target }: Pair, work: readonly Work[]): void {
  mkdirSync(join(checks, "checks"), { recursive: true });
  writeFileSync(
    join(checks, "checks/tidemark.yaml"),
    `connections:\n  source: { url: "${servers.url[source]}" }\n  target: { url: "${servers.url[target]}" }\n`,
  );
  for (const { name, copy, args } of work)
    writeFileSync(
      join(checks, "checks", `${name}.yaml`),
      `source: { connection: source, table: ${table.name}_source, timezone: UTC }\ntarget: { connection: target, table: ${table.name}_${copy}, timezone: UTC }\n` +
        `compare: { recheck: { wait: 0s } }\n${args.length > 0 ? "cursor: { column: created_at }\n" : ""}`,
    );
}

function lineOf(
  table: BenchTable,
  { name: pair }: Pair,
  work: string,
  all: readonly Run[],
  floorSeconds: number,
  equal: number,
): Omit<Line, "peer"> {
  const seconds = median(all.map((run) => run.seconds));
  const check = all[0]?.report.checks[0];
  const ratio = seconds / floorSeconds;
  const toEqual = Number.isNaN(equal) ? null : seconds / equal;
  const goal = table === TABLES[0] && rows >= 1_000_000 ? GOALS[`${pair} ${work}`] : undefined;
  const met =
    goal === undefined ? null : (goal.floor ?? Infinity) >= ratio && (goal.equal ?? Infinity) >= (toEqual ?? 0);
  const counted = check?.findings.filter((f) => (f.rows ?? null) !== null) ?? [];
  const found = check?.error?.message ?? (counted.map((f) => `${f.code} ${f.rows}`).join(", ") || "nothing");
  // Figures of a comparison that did not find what was planted would mean nothing.
  const planted = table.share === 1 && rows >= 3000 ? PLANTED[work]?.(rows) : undefined;
  if (planted !== undefined && found !== planted)
    throw new Error(`${table.name} ${pair} ${work}: found ${found} instead of ${planted}`);
  return {
    table: table.name,
    pair,
    work,
    floorSeconds,
    seconds,
    ratio,
    toEqual,
    goal: goal === undefined ? "" : `${goal.floor ?? goal.equal} ${met === true ? "met" : "missed"}`,
    peak: Math.max(...all.map((run) => run.peak)),
    digest: check?.compared?.digest ?? "?",
    statements: check?.compared?.statements ?? 0,
    fetched: check?.compared?.rows_fetched ?? 0,
    found,
  };
}

function columns(name: string, ...cells: readonly string[]): string {
  const [last = "", ...rest] = cells.toReversed();
  return `${name.padEnd(44)}${rest
    .toReversed()
    .map((cell) => cell.padStart(11))
    .join("")}  ${last}`;
}
