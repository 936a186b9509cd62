import { spawn, type SpawnOptions } from "node:child_process";
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { copy } from "../../src/cli/demo/postgres-programs.ts";

/** A database server that this process started for itself. `stop` ends it and removes its folder. */
export interface PrivateServer {
  readonly url: string;
  /** What it is, for people: `PostgreSQL of /usr/lib/postgresql/15/bin`. */
  readonly what: string;
  stop(): Promise<void>;
}

/** The folder of a private server and the user it runs as: servers refuse to run as root, so root hands them to `nobody`. */
export interface Home {
  readonly folder: string;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

const NOBODY = { uid: 65534, gid: 65534 };

/** Makes a folder for a private server, directly below /tmp: a path to a socket may not be longer than about 100 bytes. */
export function makeHome(name: string): Home {
  const folder = mkdtempSync(join("/tmp", `tidemark-${name}-`));
  const owner = process.getuid?.() === 0 ? NOBODY : undefined;
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return { folder, owner };
}

/** Runs a program to its end as the owner of the home; an exit code other than 0 is an error that carries the output's end. */
export async function runAs(
  home: Home,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const child = spawn(file, args, { ...optionsFor(home, env), stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout?.on("data", (piece: Buffer) => (said += piece));
  child.stderr?.on("data", (piece: Buffer) => (said += piece));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${lastLines(said)}`);
}

// The server hangs on a leash: when this process goes away, however it goes (kill -9 as well), its end of the pipe closes,
// `cat` ends, the server is stopped and its folder removed (with nobody left to read what the shell says, hence the trap).
// When the server ends first, `wait` returns, and the shell's end tells.
const LEASH = `
exec 3<&0
"$@" </dev/null >"$HOME_FOLDER/log" 2>&1 3<&- &
server=$!
{ cat <&3 >/dev/null; kill -"$STOP_SIGNAL" "$server" 2>/dev/null; } &
trap '' PIPE
wait "$server"
tail -n 5 "$HOME_FOLDER/log" >&2
rm -rf "$HOME_FOLDER"
`;

/** How to start a server and how to know that it answers. */
export interface ServerStart {
  readonly home: Home;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** PostgreSQL must not be killed outright (it would leave shared memory behind), others may: their data is thrown away. */
  readonly stopSignal: "QUIT" | "KILL";
  readonly url: string;
  readonly what: string;
  /** Connects once; rejects while the server does not answer yet. */
  readonly ping: (url: string) => Promise<void>;
}

/** Starts a server on its leash and waits until it answers. */
export async function startOnLeash(start: ServerStart): Promise<PrivateServer> {
  const { home } = start;
  const options = optionsFor(home, { ...start.env, HOME_FOLDER: home.folder, STOP_SIGNAL: start.stopSignal });
  // A group of its own: Ctrl-C on the terminal goes to the tests, which then let go of the leash.
  const child = spawn("/bin/sh", ["-c", LEASH, "leash", start.file, ...start.args], {
    ...options,
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said += piece));
  child.stdin?.on("error", () => {});
  let ended = false;
  const end = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => {
      ended = true;
      child.stdin?.end();
    });
    child.once("close", () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.ref();
    child.stdin?.end();
    await end;
  };
  try {
    await untilItAnswers(
      () => start.ping(start.url),
      () => ended,
      60_000,
    );
  } catch (error) {
    await stop();
    throw new Error(`${start.what} did not start: ${lastLines(said) || String(error)}`, { cause: error });
  }
  child.unref();
  return { url: start.url, what: start.what, stop };
}

/** Asks until there is an answer, at most `patience` milliseconds; the last refusal is the error. */
export async function untilItAnswers(ping: () => Promise<void>, gone: () => boolean, patience: number): Promise<void> {
  for (const deadline = Date.now() + patience; ; ) {
    try {
      return await ping();
    } catch (error) {
      if (gone() || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

/** The first of these folders (patterns with one `*` allowed; later versions first), then of PATH, that holds all the programs. */
export function findPrograms(folders: readonly string[], programs: readonly string[]): string | undefined {
  const candidates = [...folders.flatMap(expand), ...(process.env.PATH ?? "").split(delimiter).filter(Boolean)];
  return candidates.find((folder) => programs.every((program) => executable(join(folder, program))));
}

/** The same folder, or a copy inside the home where the home's owner may not enter it (a clone below /root). */
export function reachable(home: Home, folder: string): string {
  if (!home.owner) return folder;
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) break;
    if (at === dirname(at)) return folder;
  }
  return copy(folder, { folder: home.folder, owner: home.owner ?? null });
}

/** Removes the folder of a server that could not be started. */
export function removeHome(home: Home): void {
  rmSync(home.folder, { recursive: true, force: true });
}

function optionsFor(home: Home, env: NodeJS.ProcessEnv): SpawnOptions {
  return { cwd: home.folder, env: { PATH: process.env.PATH, LC_ALL: "C", HOME: home.folder, ...env }, ...home.owner };
}

function expand(pattern: string): string[] {
  const [before, after] = pattern.split("*");
  if (before === undefined || after === undefined) return [pattern];
  try {
    return readdirSync(before)
      .toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
      .map((name) => join(before, name, after));
  } catch {
    return [];
  }
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join(" / ");
}
