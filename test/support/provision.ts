import mysql from "mysql2/promise";
import { pingMysql, startLocalMariadb } from "./private-mariadb.ts";
import { pingPostgres, startEmbeddedPostgres, startLocalPostgres } from "./private-postgres.ts";
import type { PrivateServer } from "./private-server.ts";

/** The engines that need a server. */
export type ServerEngine = "postgres" | "mariadb" | "mysql";

/** A server for an engine, or why there is none. Plain data: it travels from the main process of the tests to their workers. */
export type Provision = { readonly url: string; readonly what: string } | { readonly why: string };

/** What was found for each engine, and how to let go of all that was started. */
export interface Provisions {
  readonly found: Readonly<Record<ServerEngine, Provision>>;
  stop(): Promise<void>;
}

/** A way to get a server. It says why where it has none. */
type Source = () => Promise<PrivateServer | { readonly why: string }>;

/**
 * Finds or starts a server for each engine, in this order: the URL in the environment, a container, the server programs of this
 * machine, npm's PostgreSQL. MySQL proper comes from the first two only: MariaDB speaks its protocol and is there more often.
 */
export async function provision(): Promise<Provisions> {
  const started: PrivateServer[] = [];
  const environment = await serversOfTheEnvironment();
  const containers = once(loadContainers);
  const find = async (engine: ServerEngine, sources: readonly Source[]): Promise<Provision> => {
    const reasons: string[] = [];
    for (const source of sources) {
      try {
        const server = await source();
        if ("why" in server) {
          reasons.push(server.why);
          continue;
        }
        started.push(server);
        return { url: server.url, what: server.what };
      } catch (error) {
        // A server of the user's choice that does not answer is a mistake to show, not one to work around.
        if (source === sources[0]) throw error;
        reasons.push(error instanceof Error ? error.message : String(error));
      }
    }
    return { why: `${engine}: ${reasons.join("; ")}` };
  };
  const inContainer =
    (pick: (from: typeof import("./containers.ts")) => Promise<PrivateServer>): Source =>
    async () => {
      const from = await containers();
      return "why" in from ? from : await pick(from);
    };
  try {
    const [postgres, mariadb, mysqlProper] = await Promise.all([
      find("postgres", [
        environment("postgres"),
        inContainer((from) => from.postgresContainer()),
        orWhy(startLocalPostgres, "no PostgreSQL server programs here"),
        orWhy(startEmbeddedPostgres, "npm's PostgreSQL is not installed"),
      ]),
      find("mariadb", [
        environment("mariadb"),
        inContainer((from) => from.mariadbContainer()),
        orWhy(startLocalMariadb, "no MariaDB server programs here (apt-get install mariadb-server)"),
      ]),
      find("mysql", [environment("mysql"), inContainer((from) => from.mysqlContainer())]),
    ]);
    return { found: { postgres, mariadb, mysql: mysqlProper }, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function stop(): Promise<void> {
    await Promise.all(started.splice(0).map((server) => server.stop()));
  }
}

/** Reads TEST_PG_URL, TEST_MARIADB_URL, TEST_MYSQL_URL; a TEST_MYSQL_URL behind which a MariaDB answers counts as one. */
async function serversOfTheEnvironment(): Promise<(engine: ServerEngine) => Source> {
  const { TEST_PG_URL, TEST_MARIADB_URL, TEST_MYSQL_URL } = process.env;
  const mysqlIsMariadb = TEST_MYSQL_URL !== undefined && (await versionOf(TEST_MYSQL_URL)).includes("MariaDB");
  const urls = {
    postgres: TEST_PG_URL,
    mariadb: TEST_MARIADB_URL ?? (mysqlIsMariadb ? TEST_MYSQL_URL : undefined),
    mysql: mysqlIsMariadb ? undefined : TEST_MYSQL_URL,
  };
  const names = { postgres: "TEST_PG_URL", mariadb: "TEST_MARIADB_URL", mysql: "TEST_MYSQL_URL" };
  return (engine) => async () => {
    const url = urls[engine];
    if (url === undefined) return { why: `${names[engine]} is not set` };
    await (engine === "postgres" ? pingPostgres(url) : pingMysql(url));
    return { url, what: `the server of ${names[engine]}`, stop: async () => {} };
  };
}

async function versionOf(url: string): Promise<string> {
  await pingMysql(url);
  const connection = await mysql.createConnection(url.replace(/^mariadb:/, "mysql:"));
  const [rows] = await connection.query<mysql.RowDataPacket[]>("select version() as version");
  await connection.end();
  return String(rows[0]?.version);
}

async function loadContainers(): Promise<typeof import("./containers.ts") | { readonly why: string }> {
  const containers = await import("./containers.ts");
  const why = await containers.whyNoContainers();
  return why === undefined ? containers : { why };
}

function orWhy(start: () => Promise<PrivateServer | undefined>, why: string): Source {
  return async () => (await start()) ?? { why };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
