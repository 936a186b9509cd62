import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connect, mysqlConnection } from "./servers.ts";

export type ColumnKind = "bigint" | "int" | "text" | "char" | "numeric" | "boolean" | "timestamp" | "uuid";

/** A column and, as PostgreSQL's words for it, its value in row `g`: the same on every machine. */
export type BenchColumn = {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Characters at most; null: any. */
  readonly size?: number;
  readonly nullable?: boolean;
  readonly value: string;
};

/** A table that is compared with copies of itself. */
export type BenchTable = {
  readonly name: string;
  readonly says: string;
  readonly columns: readonly BenchColumn[];
  readonly key: readonly string[];
  /** The text column that differs where a copy differs. */
  readonly changes: string;
  /** The share of the bench's rows that it has: wide rows are fewer. */
  readonly share: number;
};

const COLUMNS: readonly BenchColumn[] = [
  { name: "customer_id", kind: "int", value: "(g * 7919 % 100003)::int" },
  {
    name: "status",
    kind: "text",
    size: 16,
    value: "(array['new','paid','shipped','returned','cancelled'])[1 + (g % 5)::int]",
  },
  { name: "amount", kind: "numeric", value: "(g * 7907 % 10000000) / 100.0" },
  { name: "currency", kind: "char", size: 3, value: "(array['EUR','USD','CZK'])[1 + (g % 3)::int]" },
  {
    name: "note",
    kind: "text",
    size: 200,
    nullable: true,
    value:
      "case when g % 11 = 0 then null when g % 7 = 0 then 'příliš žluťoučký kůň 🐎 ' || g else left(md5(g::text) || md5((g + 1)::text) || md5((g + 2)::text), (g * 31 % 81)::int) end",
  },
  { name: "paid", kind: "boolean", value: "g % 2 = 0" },
  { name: "created_at", kind: "timestamp", value: "timestamp '2020-01-01' + g * interval '13.000123 s'" },
  {
    name: "updated_at",
    kind: "timestamp",
    nullable: true,
    value: "case when g % 13 = 0 then null else timestamp '2020-01-02' + g * interval '13.123 s' end",
  },
  { name: "reference", kind: "text", size: 64, value: "md5('r' || g) || md5('s' || g)" },
];
const id = (value: string): BenchColumn => ({ name: "id", kind: "bigint", value });
const table = (name: string, says: string, more: Partial<BenchTable> = {}): BenchTable => ({
  name,
  says,
  columns: [id("g"), ...COLUMNS],
  key: ["id"],
  changes: "reference",
  share: 1,
  ...more,
});

/** The first is the table of ten columns that the figures are about; the others are what else tables look like. */
export const TABLES: readonly BenchTable[] = [
  table("orders", "10 columns, 147 bytes a row, keys in the heap's order"),
  table("wide", "two texts of 1,000 to 2,000 characters", {
    columns: [
      id("g"),
      { name: "body", kind: "text", size: 3000, value: "repeat(md5(g::text), 32 + (g % 32)::int)" },
      { name: "reference", kind: "text", size: 3000, value: "repeat(md5('r' || g), 32 + (g % 31)::int)" },
    ],
    share: 1 / 10,
  }),
  table("columns", "73 columns", {
    columns: [
      id("g"),
      ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) =>
        COLUMNS.map((column) => ({ ...column, name: n === 0 ? column.name : `${column.name}_${n}` })),
      ),
    ],
    share: 1 / 5,
  }),
  table("sparse", "ids in clusters of 1,000 with gaps of a thousand million", {
    columns: [id("g + (g / 1000) * 1000000000"), ...COLUMNS],
  }),
  table("composite", "a key of two columns, the first the same in a thousandth of the rows", {
    columns: [{ name: "tenant", kind: "int", value: "(g % 1000)::int" }, id("g"), ...COLUMNS],
    key: ["tenant", "id"],
  }),
  table("uuid", "random uuid keys", {
    columns: [{ name: "id", kind: "uuid", value: "md5(g::text)::uuid" }, ...COLUMNS],
  }),
];

/** How copies differ from the source of `n` rows: rows that are there, rows beyond, and rows with another text. */
export const COPIES: Readonly<
  Record<string, (n: number) => { readonly there?: string; readonly extra?: number; readonly changed?: string }>
> = {
  source: () => ({}),
  equal: () => ({}),
  one: (n) => ({ changed: `g = ${Math.floor(n * 0.6)}` }),
  many: (n) => ({
    changed: `g in (${Math.floor(n / 10)}, ${Math.floor(n / 2)}, ${n - 7})`,
    there: `g not between ${Math.floor(n / 3)} and ${Math.floor(n / 3) + 499}`,
    extra: 20,
  }),
  percent: () => ({ changed: "g % 100 = 0" }),
  third: () => ({ there: "g % 10 >= 3" }),
  column: () => ({ changed: "true" }),
  empty: () => ({ there: "false" }),
};

/** Makes the copies of a table in PostgreSQL where they are not there yet. */
export async function loadPostgres(
  url: string,
  { name, columns, key, changes }: BenchTable,
  n: number,
  copies: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  await using server = await connect(url);
  for (const copy of copies) {
    const at = `${name}_${copy}`;
    if ((await madeFor(server.ask, at)) === String(n)) continue;
    say(`PostgreSQL: ${at}`);
    const { there = "true", extra = 0, changed = "false" } = COPIES[copy]?.(n) ?? {};
    const values = columns.map(({ name: column, value }) =>
      column === changes ? `case when ${changed} then 'x' || substr(${value}, 2) else ${value} end` : value,
    );
    await server.ask(`drop table if exists ${at}`);
    await server.ask(
      `create table ${at} (${columns.map((c) => `${c.name} ${typeOf(c)}`).join(", ")}, primary key (${key.join(", ")}))`,
    );
    await server.ask(
      `insert into ${at} select ${values.join(", ")} from generate_series(1, ${n + extra}::bigint) g where ${there}`,
    );
    if (name === "orders") await server.ask(`create index on ${at} (created_at)`);
    await server.ask(`comment on table ${at} is '${n}'`);
    await server.ask(`vacuum analyze ${at}`);
  }
}

/** Makes the copies in MariaDB, out of PostgreSQL's, where they are not there yet. */
export async function loadMariadb(
  url: string,
  from: string,
  { name, columns, key }: BenchTable,
  n: number,
  copies: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  await using server = await connect(url);
  for (const copy of copies) {
    const at = `${name}_${copy}`;
    const made = await server
      .ask(
        `select table_comment from information_schema.tables where table_schema = database() and table_name = '${at}'`,
      )
      .catch(() => "none");
    if (made === String(n)) continue;
    say(`MariaDB: ${at}`);
    const index = name === "orders" ? ", index (created_at)" : "";
    await server.ask(`drop table if exists ${at}`);
    await server.ask(
      `create table ${at} (${columns.map((c) => `${c.name} ${mariadbTypeOf(c)}`).join(", ")}, primary key (${key.join(", ")})${index}) character set utf8mb4`,
    );
    await copyOver(from, url, at, columns);
    await server.ask(`alter table ${at} comment '${n}'`);
    await server.ask(`analyze table ${at}`);
  }
}

async function madeFor(ask: (sql: string) => Promise<string>, at: string): Promise<string> {
  return await ask(`select coalesce(obj_description(to_regclass('${at}')), 'none')`);
}

function typeOf({ kind, size, nullable }: BenchColumn): string {
  const types: Readonly<Record<ColumnKind, string>> = {
    bigint: "bigint",
    int: "int",
    text: size === undefined ? "text" : `varchar(${size})`,
    char: `char(${size ?? 1})`,
    numeric: "numeric(12,2)",
    boolean: "boolean",
    timestamp: "timestamp(6)",
    uuid: "uuid",
  };
  return types[kind] + (nullable === true ? "" : " not null");
}

function mariadbTypeOf(column: BenchColumn): string {
  return typeOf(column)
    .replace("numeric", "decimal")
    .replace("timestamp(6)", "datetime(6)")
    .replace("boolean", "tinyint(1)")
    .replace("uuid", "char(36) character set ascii");
}

/** PostgreSQL's COPY and MariaDB's LOAD DATA write the same text. */
async function copyOver(from: string, to: string, at: string, columns: readonly BenchColumn[]): Promise<void> {
  const client = new pg.Client({ connectionString: from });
  await client.connect();
  const connection = await mysqlConnection(to);
  try {
    const names = columns.map((c) => (c.kind === "boolean" ? `${c.name}::int` : c.name)).join(", ");
    const copy = client.query(copyTo(`copy (select ${names} from ${at}) to stdout`));
    const pieces = new Readable({ read() {} });
    const fed = pipeline(copy, async function (source) {
      for await (const piece of source as AsyncIterable<Buffer>) {
        if (!pieces.push(piece)) await new Promise((resolve) => setImmediate(resolve));
      }
      pieces.push(null);
    });
    await connection.query({
      sql: `load data local infile 'copy' into table ${at} character set utf8mb4`,
      infileStreamFactory: () => pieces,
    } as Parameters<typeof connection.query>[0]);
    await fed;
  } finally {
    await client.end();
    await connection.end();
  }
}
