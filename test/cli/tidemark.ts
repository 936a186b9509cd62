import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).href;

/** What a run of the real command line came to. */
export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** How it is run: where, with which environment beside this one's, and what happens to it meanwhile. */
export type Running = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each piece of standard error and with the way to send a signal. */
  readonly watch?: (stderr: string, send: (signal: NodeJS.Signals) => void) => void;
};

/** Runs the command line from its source in a process of its own, without a terminal. */
export async function tidemark(args: readonly string[], { cwd, env, watch }: Running = {}): Promise<Ran> {
  const script = `const { main } = await import(${JSON.stringify(MAIN)}); process.exitCode = await main(process.argv.slice(1));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    watch?.(stderr, (signal) => child.kill(signal));
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject).once("close", resolve);
  return { code: await promise, stdout, stderr };
}

/** A folder of one's own with these files in it; gone when disposed of. */
export function folderWith(files: Readonly<Record<string, string>>): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "tidemark-cli-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
