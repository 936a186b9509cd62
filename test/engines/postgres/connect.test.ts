import { createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import { ConnectError, InterruptedError } from "../../../src/domain/errors.ts";
import { sql } from "../../../src/sql/statement.ts";
import { describeEngine, freshDatabase, serverUrl } from "../../support/databases.ts";
import { open } from "../../support/open.ts";
import { ask } from "../contract.ts";

async function refusal(url: string): Promise<ConnectError> {
  const error = await open(url).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConnectError);
  const { message, hint } = error as ConnectError;
  expect(`${message} ${hint}`).not.toMatch(/hunter2|:\/\//);
  expect(hint).not.toBeNull();
  return error as ConnectError;
}

/** Listens like a PostgreSQL that answers every start with one error: the states a trusting test server cannot be brought into. */
async function refusing(code: string, message: string): Promise<{ readonly port: number; readonly server: Server }> {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const answer = Buffer.alloc(5 + fields.length);
  answer.write("E", 0);
  answer.writeInt32BE(4 + fields.length, 1);
  answer.write(fields, 5);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, server };
}

test.each([
  ["28P01", 'password authentication failed for user "somebody"', "the password of user somebody is wrong"],
  ["28000", 'no pg_hba.conf entry for host "1.2.3.4", no encryption', "user somebody is not allowed in"],
  ["3D000", 'database "shop" does not exist', "there is no such database"],
  ["53300", "sorry, too many clients already", "the server has no connection left"],
  ["57P03", "the database system is starting up", "the server is starting up or shutting down"],
  ["XX000", "postgres://somebody:hunter2@quoted", "the attempt failed (XX000)"],
])("a server that refuses with %s is understood", async (code, said, words) => {
  const { port, server } = await refusing(code, said);
  try {
    const error = await refusal(`postgres://somebody:hunter2@127.0.0.1:${port}/shop`);
    expect(error.message).toBe(
      `connection tested: cannot connect to PostgreSQL at 127.0.0.1:${port}, database shop: ${words}`,
    );
  } finally {
    server.close();
  }
});

test("a host without a name and a port without a server are told apart", async () => {
  expect((await refusal("postgres://somebody:hunter2@nowhere.invalid/shop")).message).toContain("no such host");
  expect((await refusal("postgres://somebody:hunter2@127.0.0.1:1/shop")).message).toContain("connection refused");
  expect((await refusal("postgres:///shop?host=/nowhere&user=somebody&password=hunter2")).message).toContain(
    "/nowhere",
  );
});

test("a URL that cannot be read, an unknown sslmode and a missing certificate are the connection's own mistakes", async () => {
  const unreadable = await open("postgres://u:hunter2@[::1/x").catch((e: unknown) => e);
  expect(unreadable).toBeInstanceOf(ConnectError);
  expect((unreadable as Error).message).toBe("connection tested: its URL cannot be read");
  expect((await refusal("postgres://u:hunter2@h/x?sslmode=maybe")).message).toContain("unknown sslmode");
  const error = await open("postgres://u:hunter2@h/x?sslrootcert=/nowhere.pem").catch((e: unknown) => e);
  expect((error as Error).message).toContain("/nowhere.pem");
});

test("a connection attempt is not begun after an abort", async () => {
  const abort = new AbortController();
  abort.abort();
  await expect(open("postgres://127.0.0.1:1/x", { signal: abort.signal })).rejects.toBeInstanceOf(InterruptedError);
});

describeEngine("postgres", "connections to PostgreSQL", () => {
  test("a missing database and a missing user are named", async () => {
    const url = new URL(serverUrl("postgres"));
    url.pathname = "/tm_no_such_database";
    expect((await refusal(url.href)).message).toMatch(/database tm_no_such_database: there is no such database/);
    url.username = "tm_no_such_user";
    expect((await refusal(url.href)).message).toContain("user tm_no_such_user is not allowed in");
  });

  test("a server without TLS is spoken to in plain where TLS is only preferred", async ({ skip }) => {
    await using server = await freshDatabase("postgres");
    const encrypted = (await server.rows("show ssl"))[0]?.[0] === "on";
    await using preferred = await open(`${server.url}?sslmode=prefer`);
    const [used] = await ask(preferred, sql`SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()`);
    expect(used).toEqual([String(encrypted)]);
    if (encrypted) skip("this server has TLS");
    expect((await refusal(`${server.url}?sslmode=require`)).message).toContain("the server has no TLS");
  });

  test("the session prints in the same way on every server", async () => {
    await using server = await freshDatabase("postgres");
    await server.run(
      "do $$ begin execute format('alter database %I set timezone = ''Asia/Tokyo''; alter database %I set datestyle = ''German''; alter database %I set intervalstyle = ''iso_8601''; alter database %I set bytea_output = ''escape''; alter database %I set extra_float_digits = ''-5''', current_database(), current_database(), current_database(), current_database(), current_database()); end $$",
    );
    await using database = await open(server.url);
    const [row] = await ask(
      database,
      sql`SELECT timestamptz '2026-06-01 10:00+02', date '2026-06-01', interval '1 day 2 hours', '\\x00ff'::bytea, 0.1::float8, current_setting('application_name'), current_setting('default_transaction_read_only'), current_setting('statement_timeout')`,
    );
    expect(row).toEqual([
      "2026-06-01 08:00:00+00",
      "2026-06-01",
      "1 day 02:00:00",
      "\\x00ff",
      "0.1",
      "tidemark-test",
      "on",
      "1min",
    ]);
  });

  test("a database that stores no UTF-8 gives the same texts and hashes", async () => {
    await using server = await freshDatabase("postgres", { create: "encoding 'LATIN1' locale 'C'" });
    await using database = await open(server.url);
    await server.run("create table latin (t text); insert into latin values (U&'caf\\00e9')");
    const { dialect } = database;
    const text = dialect.rowText([{ text: sql`t`, plain: false, nullable: true }]);
    const [row] = await ask(
      database,
      sql`SELECT ${text}, ${dialect.hashHex("sha256", text)}, ${dialect.hashHex("md5", text)} FROM latin`,
    );
    expect(row).toEqual([
      "5:café",
      "7b5e3f329a2454a30a305bbc5b4a48df2c6453111bfd02e8d146f326e0195ffe",
      "177242e8e4317108795231f31227519a",
    ]);
    expect(dialect.typedProbe).toBeNull();
  });
});
