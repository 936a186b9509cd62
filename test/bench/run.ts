/**
 * Measures everything in one go, on the same servers: comparisons of the table of ten columns and of what else tables look like, the
 * ledger, and repair.
 *
 *   npm run bench -- [--rows 1000000] [--runs 3] [--large] [--peers] [--keep] [--json FOLDER] [--smoke]
 *
 * Each part is a script of its own with more options: compare.ts, ledger.ts, repair.ts. --large: comparisons of ten
 * times as many rows, too, of which time per row must not grow. --peers: what compares tables elsewhere, in the same run. --smoke: a few thousand rows and one run of
 * each, to see that they work; no figure means anything then.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { provision } from "../support/provision.ts";

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    runs: { type: "string", default: "3" },
    large: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    json: { type: "string" },
    smoke: { type: "boolean", default: false },
  },
});
type Part = readonly [name: string, script: string, args: readonly string[]];
const rows = given.smoke ? "3000" : given.rows;
const runs = given.smoke ? "1" : given.runs;
const keep = given.keep ? ["--keep"] : [];
const peers = given.peers ? ["--peers"] : [];
/** Ten times as many rows: what users with large tables ask most. */
const LARGE: Part = [
  "large",
  "compare.ts",
  [
    "--rows",
    `${Number(rows.replaceAll("_", "")) * 10}`,
    "--work",
    "equal,many,range",
    "--only",
    "pg-pg,pg-maria",
    ...peers,
  ],
];
const PARTS: readonly Part[] = [
  ["compare", "compare.ts", ["--rows", rows, ...peers]],
  ...(given.large ? [LARGE] : []),
  [
    "tables",
    "compare.ts",
    [
      "--rows",
      rows,
      "--tables",
      "wide,columns,sparse,composite,uuid",
      "--work",
      "equal,many",
      "--only",
      "pg-pg,pg-maria",
    ],
  ],
  ["ledger", "ledger.ts", ["--rows", rows, "--ledger", given.smoke ? "100" : "100000"]],
  ["repair", "repair.ts", ["--rows", rows]],
];

const provisions = await provision();
const { found } = provisions;
try {
  const env = { ...process.env };
  if ("url" in found.postgres) env["PG_URL"] ??= found.postgres.url;
  if ("url" in found.mariadb) env["MYSQL_URL"] ??= found.mariadb.url;
  if (given.json !== undefined) mkdirSync(given.json, { recursive: true });
  let failed = 0;
  for (const [name, script, args] of PARTS) {
    process.stdout.write(`\n== ${name}\n`);
    const json = given.json === undefined || script === "ledger.ts" ? [] : ["--json", join(given.json, `${name}.json`)];
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, script), ...args, "--runs", runs, ...keep, ...json],
      { stdio: "inherit", env },
    );
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.once("error", () => resolve(null)).once("close", resolve);
    if ((await promise) !== 0) failed++;
  }
  process.stdout.write(`\n${PARTS.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await provisions.stop();
}
