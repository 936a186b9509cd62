import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What one run of the command came to. */
export type Run = {
  readonly seconds: number;
  readonly peak: number;
  readonly code: number | null;
  readonly report: Report;
};

/** What the bench reads of a report. */
export type Report = {
  readonly checks: readonly {
    readonly findings: readonly { readonly code: string; readonly rows?: number | null }[];
    readonly compared: {
      readonly seconds: number;
      readonly statements: number;
      readonly chunks: number;
      readonly rows_fetched: number;
      readonly digest: string;
    } | null;
    readonly error: { readonly message: string } | null;
  }[];
};

/** Builds the package as a user has it, in a folder of its own. Gives the door's path. */
export async function buildPackage(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const built = await ended(process.execPath, [join(ROOT, "build.ts"), join(folder, "dist")], {});
  if (built.code !== 0) throw new Error(`the build failed: ${built.stderr.slice(0, 2000)}`);
  for (const name of ["bin", "package.json"]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  return join(folder, "bin/tidemark.mjs");
}

/** Runs one audit in a process of its own: wall time from start to end, and its peak memory in MiB. */
export async function measureAudit(
  door: string,
  folder: string,
  check: string,
  more: readonly string[] = [],
): Promise<Run> {
  const rss = join(folder, "rss");
  const report = join(folder, "report.json");
  rmSync(rss, { force: true });
  rmSync(report, { force: true });
  const began = performance.now();
  const { code, stderr } = await ended(
    process.execPath,
    [door, "audit", check, "--checks", join(folder, "checks"), "--format", `json=${report}`, "--quiet", ...more],
    {
      BENCH_RSS: rss,
      NODE_OPTIONS: `--import=${new URL("rss.mjs", import.meta.url).href}`,
    },
    folder,
  );
  const seconds = (performance.now() - began) / 1000;
  const peak = Math.max(...readFileSync(rss, "utf8").trim().split("\n").map(Number)) / 1024;
  try {
    return { seconds, peak, code, report: JSON.parse(readFileSync(report, "utf8")) as Report };
  } catch (error) {
    throw new Error(`the audit of ${check} ended with ${code} and left no report: ${stderr}`, { cause: error });
  }
}

/** What one repair came to. `told`: the counts that it printed. */
export type RepairRun = {
  readonly seconds: number;
  readonly peak: number;
  readonly code: number | null;
  readonly told: unknown;
  readonly stderr: string;
};

/** Applies one repair in a process of its own: wall time from start to end, and its peak memory in MiB. */
export async function measureRepair(door: string, folder: string, check: string): Promise<RepairRun> {
  const rss = join(folder, "rss");
  for (const left of ["rss", "reports"]) rmSync(join(folder, left), { force: true, recursive: true });
  const began = performance.now();
  const { code, stdout, stderr } = await ended(
    process.execPath,
    [door, "repair", check, "--checks", join(folder, "checks"), "--apply", "--yes", "--format", "json", "--quiet"],
    { BENCH_RSS: rss, NODE_OPTIONS: `--import=${new URL("rss.mjs", import.meta.url).href}` },
    folder,
  );
  const seconds = (performance.now() - began) / 1000;
  const peak = Math.max(...readFileSync(rss, "utf8").trim().split("\n").map(Number)) / 1024;
  const told = code === 0 ? (JSON.parse(stdout) as { readonly result: unknown }).result : null;
  return { seconds, peak, code, told, stderr };
}

/** Runs a program to its end. */
export async function ended(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, args, {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject).once("close", resolve);
  return { code: await promise, stdout, stderr };
}

/** The middle of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
}
