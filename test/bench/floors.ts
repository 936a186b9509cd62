import { pipeline } from "node:stream/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connect, mysqlConnection } from "./servers.ts";
import type { BenchColumn, BenchTable } from "./tables.ts";

/** An aggregate over a table, in one connection: what no comparison by checksums can be faster than. */
export type Floor = {
  readonly name: string;
  /** Gives what both sides must agree on. `where`: a condition in both servers' words. */
  readonly run: (url: string, table: BenchTable, copy: string, where?: string) => Promise<string>;
};

/** PostgreSQL's typed hash functions, each the next one's seed; which columns are NULL is a number of its own. */
export const typedFloor: Floor = {
  name: "typed chain",
  run: async (url, table, copy, where = "true") => {
    const nulls = table.columns.flatMap(({ name, nullable }, i) =>
      nullable === true ? [`case when ${name} is null then ${2 ** (i % 31)} else 0 end`] : [],
    );
    const start = nulls.length === 0 ? "0" : `hashint4extended(${nulls.slice(0, 31).join(" + ")}, 0)`;
    const chain = table.columns.reduce((seed, column) => typed(column, seed), start);
    await using server = await connect(url);
    return await server.ask(`select count(*) || ' ' || sum(${chain}) from ${table.name}_${copy} where ${where}`);
  },
};

function typed({ name, kind, nullable }: BenchColumn, seed: string): string {
  const or = (value: string): string => (nullable === true ? `coalesce(${name}, ${value})` : name);
  switch (kind) {
    case "bigint":
      return `hashint8extended(${or("0")}, ${seed})`;
    case "int":
      return `hashint4extended(${or("0")}, ${seed})`;
    case "boolean":
      return `hashint4extended(${or("false")}::int, ${seed})`;
    case "numeric":
      return `hash_numeric_extended(${or("0")}, ${seed})`;
    case "timestamp":
      return `timestamp_hash_extended(${or("'epoch'")}, ${seed})`;
    case "uuid":
      return `uuid_hash_extended(${or("'00000000-0000-0000-0000-000000000000'")}, ${seed})`;
    default:
      return `hashtextextended(${or("''")}::text, ${seed})`;
  }
}

/** SHA-256 over a text of the row that no other row has, the first 64 bits summed: the cheapest that both servers can say. */
export const shaFloor: Floor = {
  name: "SHA-256",
  run: async (url, table, copy, where = "true") => {
    await using server = await connect(url);
    if (url.startsWith("postgres")) {
      const text = table.columns.map((c) => pieceOfPostgres(c)).join(", ");
      return await server.ask(
        `select count(*) || ' ' || coalesce((sum(('x' || encode(substring(sha256(convert_to(concat(${text}), 'UTF8')) for 8), 'hex'))::bit(64)::bigint::numeric)
          + 18446744073709551616 * 4294967296) % 18446744073709551616, 0) from ${table.name}_${copy} where ${where}`,
      );
    }
    const text = table.columns.map((c) => pieceOfMariadb(c)).join(", ");
    return await server.ask(
      `select concat(count(*), ' ', coalesce(sum(cast(conv(left(sha2(concat(${text}), 256), 16), 16, 10) as unsigned)) % 18446744073709551616, 0)) from ${table.name}_${copy} where ${where}`,
    );
  },
};

function pieceOfPostgres({ name, kind, nullable }: BenchColumn): string {
  const text =
    kind === "text" || kind === "char"
      ? `octet_length(${name}) || ':' || ${name}`
      : kind === "boolean"
        ? `${name}::int || ','`
        : `${name} || ','`;
  return nullable === true ? `coalesce(${text}, 'N')` : text;
}

function pieceOfMariadb({ name, kind, nullable }: BenchColumn): string {
  const value = kind === "timestamp" ? `trim(trailing '.' from trim(trailing '0' from ${name}))` : name;
  const text = kind === "text" || kind === "char" ? `length(${name}), ':', ${name}` : `${value}, ','`;
  return nullable === true ? `if(${name} is null, 'N', concat(${text}))` : text;
}

/** The keys of one table, read by a client: what comparing with an empty table cannot be faster than. */
export async function readKeys(url: string, { name, key }: BenchTable, copy: string): Promise<void> {
  if (url.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await pipeline(client.query(copyTo(`copy (select ${key.join(", ")} from ${name}_${copy}) to stdout`)), drain);
    await client.end();
    return;
  }
  const connection = await mysqlConnection(url);
  await connection.query({ sql: `select ${key.join(", ")} from ${name}_${copy}`, rowsAsArray: true });
  await connection.end();
}

async function drain(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) void piece;
}
