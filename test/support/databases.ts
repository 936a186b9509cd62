import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import mysql from "mysql2/promise";
import pg from "pg";
import { describe, inject, test } from "vitest";
import type { Provision, ServerEngine } from "./provision.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** What provisioning found for each engine. */
    readonly servers: Readonly<Record<ServerEngine, Provision>>;
  }
}

/** The engines a test may ask for. `mariadb` is the one that speaks MySQL's protocol everywhere; `mysql` proper is there rarely. */
export type TestEngine = "postgres" | "mariadb" | "mysql" | "sqlite";

/** All of them. */
export const TEST_ENGINES: readonly TestEngine[] = ["postgres", "mariadb", "mysql", "sqlite"];

/** An empty database of one's own on a real server. It is dropped when disposed of. */
export interface TestDatabase extends AsyncDisposable {
  readonly engine: TestEngine;
  /** As a check file would name it: `postgres://…/name`, `mariadb://…/name`, `mysql://…/name`, `sqlite:/path`. */
  readonly url: string;
  /** Runs statements, as many as the text holds, in a session whose time zone is the server's: New York's, so write zones. */
  run(sql: string): Promise<void>;
  /** The rows of one statement in the server's own text; NULL is null. */
  rows(sql: string): Promise<(string | null)[][]>;
}

/** What may be asked of a new database. */
export interface DatabaseOptions {
  /** Goes after `create database name`: `encoding 'LATIN1' locale 'C'`, `character set latin1`. Not for SQLite. */
  readonly create?: string;
  /** SQL to run in it first. */
  readonly load?: string;
}

/** Whether a server of this engine is there. */
export function available(engine: TestEngine): boolean {
  return whyNot(engine) === undefined;
}

/** Why there is no server of this engine; undefined where there is one. */
export function whyNot(engine: TestEngine): string | undefined {
  if (engine === "sqlite") return undefined;
  const found = inject("servers")[engine];
  return "why" in found ? found.why : undefined;
}

/** Why one of these has no server; undefined where all have one. */
export function whyNone(engines: readonly (TestEngine | undefined)[]): string | undefined {
  return engines.map((engine) => engine && whyNot(engine)).find((why) => why !== undefined);
}

/** The URL of an engine's server, without a database; for tests that need the server itself. Throws where there is none. */
export function serverUrl(engine: Exclude<TestEngine, "sqlite">): string {
  const found = inject("servers")[engine];
  if ("why" in found) throw new Error(`no server: ${found.why}`);
  return found.url;
}

/** Makes a database with a name of its own. Use with `await using`, or dispose of it in `afterAll`. */
export async function freshDatabase(engine: TestEngine, options: DatabaseOptions = {}): Promise<TestDatabase> {
  const database = await (engine === "sqlite"
    ? freshSqlite()
    : engine === "postgres"
      ? freshPostgres(options)
      : freshMysql(engine, options));
  if (options.load !== undefined) {
    try {
      await database.run(options.load);
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  }
  return database;
}

/** `describe` for an engine: its tests run where the engine is, elsewhere one skipped test says why not. */
export function describeEngine(engine: TestEngine, name: string, body: () => void): void {
  describeNeeding([engine], `${name} [${engine}]`, body);
}

/** `describe` once for each engine. */
export function describeEngines(
  engines: readonly TestEngine[],
  name: string,
  body: (engine: TestEngine) => void,
): void {
  for (const engine of engines) describeEngine(engine, name, () => body(engine));
}

/** `describe` once for each pair of source and target. */
export function describePairs(
  pairs: readonly (readonly [TestEngine, TestEngine])[],
  name: string,
  body: (source: TestEngine, target: TestEngine) => void,
): void {
  for (const [source, target] of pairs)
    describeNeeding([source, target], `${name} [${source}:${target}]`, () => body(source, target));
}

function describeNeeding(engines: readonly TestEngine[], name: string, body: () => void): void {
  const why = whyNone(engines);
  if (why === undefined) describe(name, body);
  else describe(name, () => void test("needs a server", ({ skip }) => skip(why)));
}

function freshName(): string {
  return `tm_test_${process.pid}_${randomBytes(4).toString("hex")}`;
}

async function freshPostgres(options: DatabaseOptions): Promise<TestDatabase> {
  const server = serverUrl("postgres");
  const name = freshName();
  const administer = async (sql: string): Promise<void> => {
    const client = await postgresClient(withDatabase(server, "postgres"));
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await administer(`create database ${name} template template0 ${options.create ?? ""}`);
  const url = withDatabase(server, name);
  const client = await postgresClient(url);
  const asText = { getTypeParser: () => String };
  return {
    engine: "postgres",
    url,
    run: async (sql) => void (await client.query(sql)),
    rows: async (sql) => (await client.query<(string | null)[]>({ text: sql, rowMode: "array", types: asText })).rows,
    [Symbol.asyncDispose]: async () => {
      await client.end().catch(() => {});
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
}

async function postgresClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A cut connection shows in the next query; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function freshMysql(engine: "mariadb" | "mysql", options: DatabaseOptions): Promise<TestDatabase> {
  const server = serverUrl(engine);
  const name = freshName();
  const connection = await mysqlConnection(server);
  await connection.query(`create database ${name} ${options.create ?? "character set utf8mb4"}`);
  await connection.query(`use ${name}`);
  return {
    engine,
    url: withDatabase(server, name),
    run: async (sql) => void (await connection.query(sql)),
    rows: async (sql) => {
      const [rows] = await connection.query({
        sql,
        rowsAsArray: true,
        typeCast: (field) => field.buffer()?.toString("utf8") ?? null,
      });
      return Array.isArray(rows) ? (rows as unknown as (string | null)[][]) : [];
    },
    [Symbol.asyncDispose]: async () => {
      connection.destroy();
      const last = await mysqlConnection(server);
      try {
        await last.query(`drop database if exists ${name}`);
      } finally {
        await last.end();
      }
    },
  };
}

async function mysqlConnection(url: string): Promise<mysql.Connection> {
  const { hostname, port, username, password } = new URL(url);
  const connection = await mysql.createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username || "root"),
    password: decodeURIComponent(password),
    charset: "utf8mb4",
    multipleStatements: true,
  });
  connection.on("error", () => {});
  return connection;
}

async function freshSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-sqlite-"));
  const file = join(folder, "test.db");
  const database = new DatabaseSync(file, { timeout: 5000 });
  return {
    engine: "sqlite",
    url: `sqlite:${file}`,
    run: async (sql) => database.exec(sql),
    rows: async (sql) => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return (statement.all() as unknown as SQLOutputValue[][]).map((row) => row.map(sqliteText));
    },
    [Symbol.asyncDispose]: async () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sqliteText(value: SQLOutputValue): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
