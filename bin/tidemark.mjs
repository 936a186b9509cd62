#!/usr/bin/env node
// The door: makes sure that Node is new enough, then hands over to the command line. Plain JavaScript without imports at the
// top, so that any Node can read it and `--version` stays quick.

const needed = 24;
const major = Number.parseInt(process.versions.node, 10);

if (major >= needed) await run();
else await runWithNewerNode();

/** Runs the built command line; in a clone that has not been built, its source. */
async function run() {
  const { existsSync } = await import("node:fs");
  // Compiled code is kept between runs, in the system's temp folder: a third of the start is compiling.
  (await import("node:module")).enableCompileCache?.();
  const built = new URL("../dist/cli/main.js", import.meta.url);
  const source = new URL("../src/cli/main.ts", import.meta.url);
  // A parent that re-executed us holds the other end of this channel: when it is killed, we must not live on without it.
  if (process.env.TIDEMARK_REEXECUTED === "1") {
    delete process.env.TIDEMARK_REEXECUTED;
    // The signal lets it stop as cleanly as it can.
    process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
    process.channel?.unref();
  }
  const door = [built, source].find((file) => existsSync(file));
  if (door === undefined) {
    process.stderr.write("tidemark is not built: neither dist nor src is beside it; in a clone, run npm run build\n");
    process.exitCode = 70;
    return;
  }
  const { main } = await import(door.href);
  process.exitCode = await main(process.argv.slice(2));
}

/** A development clone carries a newer Node of its own: the same command is run by it. Elsewhere there is only advice to give. */
async function runWithNewerNode() {
  const { existsSync, readFileSync } = await import("node:fs");
  const { fileURLToPath } = await import("node:url");
  const folder = new URL("../node_modules/node/", import.meta.url);
  const node = fileURLToPath(new URL(process.platform === "win32" ? "bin/node.exe" : "bin/node", folder));
  const found = existsSync(node)
    ? Number.parseInt(JSON.parse(readFileSync(new URL("package.json", folder), "utf8")).version, 10)
    : 0;
  if (found < needed) {
    process.stderr.write(
      `tidemark needs Node ${needed} or newer, this is ${process.versions.node}: install it from https://nodejs.org (or with your version manager: nvm install ${needed})\n`,
    );
    process.exitCode = 2;
    return;
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, TIDEMARK_REEXECUTED: "1" },
  });
  // Ctrl-C on a terminal reaches the child by itself; forwarding it as well would look like a second, impatient one.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on("SIGINT", () => onTerminal || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => {
    process.stderr.write(`tidemark could not start ${node}: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.once("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 3;
      return;
    }
    // Die of the same signal, so that a shell sees what really happened.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
