import { spawn } from "node:child_process";
import type { Ran } from "../cli/tidemark.ts";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).href;

/** A command line that runs in a process of its own: what it has said so far, a way to signal it, and what it came to. */
export type Started = {
  readonly said: () => string;
  readonly send: (signal: NodeJS.Signals) => void;
  readonly running: () => boolean;
  readonly done: Promise<Ran & { readonly signal: NodeJS.Signals | null }>;
};

/** Starts the command line from its source. `shell`: what a shell does first, such as `ulimit -f 64`. */
export function start(
  args: readonly string[],
  {
    cwd,
    env,
    shell,
  }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly shell?: string },
): Started {
  const script = `const { main } = await import(${JSON.stringify(MAIN)}); process.exitCode = await main(process.argv.slice(1));`;
  const node = ["--input-type=module", "-e", script, "--", ...args];
  const [file, all] =
    shell === undefined
      ? [process.execPath, node]
      : ["/bin/sh", ["-c", `${shell}; exec "$0" "$@"`, process.execPath, ...node]];
  const child = spawn(file, all, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A test that is given up must not leave its program behind.
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("close", () => process.removeListener("exit", end));
  let stdout = "";
  let stderr = "";
  let ended = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ran & { readonly signal: NodeJS.Signals | null }>();
  child.once("error", reject).once("close", (code, signal) => {
    ended = true;
    resolve({ code, signal, stdout, stderr });
  });
  return { said: () => stderr, send: (signal) => void child.kill(signal), running: () => !ended, done: promise };
}
