import pg from "pg";
import { mysqlConnection } from "./data.ts";

/** An aggregate over a whole table, in one connection: what no comparison by checksums can be faster than. */
export type Floor = { readonly name: string; readonly run: (url: string, table: string) => Promise<string> };

/** PostgreSQL's typed hash functions, each the next one's seed; a NULL has its own constant. */
export const typedFloor: Floor = {
  name: "typed chain",
  run: (url, table) =>
    onPostgres(
      url,
      `select count(*) || ' ' || sum(hashint8extended(id, hashint4extended(customer_id, hashtextextended(status, hash_numeric_extended(amount,
        hashtextextended(currency::text, hashtextextended(coalesce(note, ''), hashint4extended(paid::int + case when note is null then 2 else 0 end + case when updated_at is null then 4 else 0 end,
        timestamp_hash_extended(created_at, timestamp_hash_extended(coalesce(updated_at, 'epoch'), hashtextextended(reference, 0))))))))))) from ${table}`,
    ),
};

/** SHA-256 over a text of the row that no other row has, the first 64 bits summed: PostgreSQL's words for it. */
const shaOnPostgres: Floor = {
  name: "SHA-256",
  run: (url, table) =>
    onPostgres(
      url,
      `select count(*) || ' ' || (sum(('x' || encode(substring(sha256(convert_to(concat(id, ',', customer_id, ',', octet_length(status), ':', status, amount, ',', octet_length(currency), ':', currency,
        coalesce(octet_length(note) || ':' || note, 'N'), paid::int, ',', created_at, ',', coalesce(updated_at || ',', 'N'), octet_length(reference), ':', reference), 'UTF8')) for 8), 'hex'))::bit(64)::bigint::numeric)
        + 18446744073709551616 * 4294967296) % 18446744073709551616 from ${table}`,
    ),
};

/** The same in MariaDB's words, with the same result. */
const shaOnMariadb: Floor = {
  name: "SHA-256",
  run: async (url, table) => {
    const connection = await mysqlConnection(url);
    try {
      const time = (c: string): string => `trim(trailing '.' from trim(trailing '0' from ${c}))`;
      const [rows] = await connection.query({
        sql: `select concat(count(*), ' ', sum(cast(conv(left(sha2(concat(id, ',', customer_id, ',', length(status), ':', status, amount, ',', length(currency), ':', currency,
          if(note is null, 'N', concat(length(note), ':', note)), paid, ',', ${time("created_at")}, ',', if(updated_at is null, 'N', concat(${time("updated_at")}, ',')), length(reference), ':', reference), 256), 16), 16, 10) as unsigned)) % 18446744073709551616) from ${table}`,
        rowsAsArray: true,
      });
      return String((rows as unknown as unknown[][])[0]?.[0]);
    } finally {
      await connection.end();
    }
  },
};

/** SHA-256 on whichever server. */
export const shaFloor = (url: string): Floor => (url.startsWith("postgres") ? shaOnPostgres : shaOnMariadb);

async function onPostgres(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set timezone = 'UTC'; set jit = off");
    const { rows } = await client.query<string[]>({ text: sql, rowMode: "array" });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}
