import mysql from "mysql2/promise";
import pg from "pg";
import { provision } from "../support/provision.ts";

/** One connection that says what its server answered: the first value of the first row. */
export type Connected = AsyncDisposable & { readonly ask: (sql: string) => Promise<string> };

/** The two servers, and one database of the same name on each, made where it is not there. */
export type Servers = {
  /** The URL of the database, by server. */
  readonly url: { readonly pg: string; readonly maria: string };
  /** Drops the databases unless they are to be kept, and stops what was started. */
  readonly end: (keep: boolean) => Promise<void>;
};

/** PG_URL and MYSQL_URL (a MariaDB), each without a database; else private servers. Throws where there are none. */
export async function benchServers(database: string): Promise<Servers> {
  const { postgres, mariadb, stop } = await servers();
  const make = async (url: string, sql: string): Promise<void> => {
    await using connected = await connect(url);
    await connected.ask(sql);
  };
  {
    await using connected = await connect(postgres);
    const there = await connected.ask(`select count(*) from pg_database where datname = '${database}'`);
    if (there === "0") await connected.ask(`create database ${database} template template0 encoding 'UTF8'`);
  }
  await make(mariadb, `create database if not exists ${database}`);
  return {
    url: { pg: withDatabase(postgres, database), maria: withDatabase(mariadb, database) },
    async end(keep) {
      if (!keep) {
        await make(postgres, `drop database if exists ${database} with (force)`);
        await make(mariadb, `drop database if exists ${database}`);
      }
      await stop();
    },
  };
}

/** A connection to whichever server a URL names, in UTC; MariaDB's takes several statements at once. */
export async function connect(url: string): Promise<Connected> {
  if (url.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("set timezone = 'UTC'; set jit = off");
    return {
      ask: async (sql) => String((await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows?.[0]?.[0]),
      [Symbol.asyncDispose]: async () => await client.end(),
    };
  }
  const connection = await mysqlConnection(url);
  return {
    async ask(sql) {
      const [answer] = await connection.query({ sql, rowsAsArray: true });
      return Array.isArray(answer) ? String((answer as unknown as unknown[][])[0]?.[0]) : "";
    },
    [Symbol.asyncDispose]: async () => await connection.end(),
  };
}

/** A connection that may send several statements at once, in UTC. */
export async function mysqlConnection(url: string): Promise<mysql.Connection> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const connection = await mysql.createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username || "root"),
    password: decodeURIComponent(password),
    ...(pathname.length > 1 ? { database: pathname.slice(1) } : {}),
    charset: "utf8mb4",
    multipleStatements: true,
    flags: ["+LOCAL_FILES"],
  });
  await connection.query("set time_zone = '+00:00', unique_checks = 0, foreign_key_checks = 0");
  return connection;
}

async function servers(): Promise<{
  readonly postgres: string;
  readonly mariadb: string;
  readonly stop: () => Promise<void>;
}> {
  const { PG_URL, MYSQL_URL } = process.env;
  if (PG_URL !== undefined && MYSQL_URL !== undefined)
    return { postgres: PG_URL, mariadb: MYSQL_URL.replace(/^mysql:/, "mariadb:"), stop: async () => {} };
  const provisions = await provision();
  const { postgres, mariadb } = provisions.found;
  if ("why" in postgres || "why" in mariadb) {
    await provisions.stop();
    throw new Error([postgres, mariadb].flatMap((each) => ("why" in each ? [each.why] : [])).join("; "));
  }
  return { postgres: postgres.url, mariadb: mariadb.url, stop: async () => await provisions.stop() };
}

function withDatabase(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
