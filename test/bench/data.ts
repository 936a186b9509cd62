import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import mysql from "mysql2/promise";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/** The table of performance.md: ten columns of mixed kinds, 147 bytes a row as text, keys in the heap's order. */
const COLUMNS = `id bigint primary key, customer_id int not null, status varchar(16) not null, amount numeric(12,2) not null,
  currency char(3) not null, note text, paid boolean not null, created_at timestamp(6) not null, updated_at timestamp(6), reference varchar(64) not null`;

const MARIADB_COLUMNS = COLUMNS.replace("amount numeric", "amount decimal")
  .replaceAll("timestamp(6)", "datetime(6)")
  .replace("boolean", "tinyint(1)");

/** One row per number, the same on every machine. */
const rows = (n: number): string => `select g::bigint, (g * 7919 % 100003)::int,
  (array['new','paid','shipped','returned','cancelled'])[1 + (g % 5)::int], (g * 7907 % 10000000) / 100.0,
  (array['EUR','USD','CZK'])[1 + (g % 3)::int],
  case when g % 11 = 0 then null when g % 7 = 0 then 'příliš žluťoučký kůň 🐎 ' || g else left(md5(g::text) || md5((g + 1)::text) || md5((g + 2)::text), (g * 31 % 81)::int) end,
  g % 2 = 0, timestamp '2020-01-01' + g * interval '13.000123 s', case when g % 13 = 0 then null else timestamp '2020-01-02' + g * interval '13.123 s' end,
  md5('r' || g) || md5('s' || g) from generate_series(1, ${n}::bigint) g`;

/** What makes the copies that differ: 3 changed, 500 missing one after the other, 20 extra; and one changed row. */
const CHANGES: Readonly<Record<string, (n: number) => string>> = {
  many: (n) => `update T set amount = amount + 0.01 where id in (${Math.floor(n / 10)}, ${Math.floor(n / 2)}, ${n - 7});
    delete from T where id between ${Math.floor(n / 3)} and ${Math.floor(n / 3) + 499};
    insert into T select id + ${n}, customer_id, status, amount, currency, note, paid, created_at, updated_at, reference from T where id <= 20`,
  one: (n) => `update T set reference = concat('x', substr(reference, 2)) where id = ${Math.floor(n * 0.6)}`,
};

/** The copies of the table that a server holds: the source, an equal target, and targets that differ. */
export const COPIES = ["source", "equal", "many", "one"] as const;

/** Makes copies in PostgreSQL; `source` must be the first of them. */
export async function loadPostgres(
  url: string,
  n: number,
  say: (line: string) => void,
  copies: readonly string[] = COPIES,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set timezone = 'UTC'");
    for (const copy of copies) {
      say(`PostgreSQL: ${copy}`);
      await client.query(`drop table if exists ${copy}; create table ${copy} (${COLUMNS})`);
      await client.query(
        copy === "source" ? `insert into source ${rows(n)}` : `insert into ${copy} select * from source order by id`,
      );
      const change = CHANGES[copy];
      if (change) await client.query(change(n).replaceAll("T ", `${copy} `));
      await client.query(`vacuum analyze ${copy}`);
    }
  } finally {
    await client.end();
  }
}

/** Makes copies in MariaDB, out of PostgreSQL's source; `source` must be the first of them. */
export async function loadMariadb(
  url: string,
  from: string,
  say: (line: string) => void,
  { rows: n, copies = COPIES }: { readonly rows: number; readonly copies?: readonly string[] },
): Promise<void> {
  const connection = await mysqlConnection(url);
  const client = new pg.Client({ connectionString: from });
  await client.connect();
  try {
    for (const copy of copies) {
      say(`MariaDB: ${copy}`);
      await connection.query(
        `drop table if exists ${copy}; create table ${copy} (${MARIADB_COLUMNS}) character set utf8mb4`,
      );
      if (copy === "source") await copyOver(client, connection);
      else await connection.query(`insert into ${copy} select * from source order by id`);
      const change = CHANGES[copy];
      if (change) await connection.query(change(n).replaceAll("T ", `${copy} `));
      await connection.query(`analyze table ${copy}`);
    }
  } finally {
    await client.end();
    await connection.end();
  }
}

/** PostgreSQL's COPY and MariaDB's LOAD DATA write the same text. */
async function copyOver(client: pg.Client, connection: mysql.Connection): Promise<void> {
  const copy = client.query(
    copyTo(
      "copy (select id, customer_id, status, amount, currency, note, paid::int, created_at, updated_at, reference from source order by id) to stdout",
    ),
  );
  const pieces = new Readable({ read() {} });
  const fed = pipeline(copy, async function (source) {
    for await (const piece of source as AsyncIterable<Buffer>) {
      if (!pieces.push(piece)) await new Promise((resolve) => setImmediate(resolve));
    }
    pieces.push(null);
  });
  await connection.query({
    sql: "load data local infile 'copy' into table source character set utf8mb4",
    infileStreamFactory: () => pieces,
  } as mysql.QueryOptions);
  await fed;
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
