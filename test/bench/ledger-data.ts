import pg from "pg";
import { mysqlConnection } from "./servers.ts";

/** How much of everything: rows spread evenly over the time that the runs cover. */
export type Size = { readonly rows: number; readonly runs: number };

/** The time that the ledger covers. */
const DAYS = 29;
const SECONDS = DAYS * 86_400;

const RUNS =
  "id int primary key, window_from T null, window_to T null, started_at T not null, finished_at T null, status varchar(10) not null, rows_read int";

/**
 * A source whose rows arrive up to a minute late (one in a thousand an hour late), a target that lacks 25 of them, and a ledger whose
 * windows end two minutes before the runs start and overlap by two minutes. Everything ends a day before now.
 */
export async function plantOnPostgres(url: string, { rows, runs }: Size): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const step = SECONDS / rows;
  const beat = SECONDS / runs;
  const start = `date_trunc('second', now() at time zone 'UTC') - interval '${DAYS + 1} days'`;
  const row = `select g::bigint, (g * 7919 % 100003)::int, (array['new','paid','shipped','returned','cancelled'])[1 + (g % 5)::int],
    (g * 7907 % 10000000) / 100.0, (array['EUR','USD','CZK'])[1 + (g % 3)::int],
    case when g % 11 = 0 then null else left(md5(g::text) || md5((g + 1)::text) || md5((g + 2)::text), (g * 31 % 81)::int) end,
    g % 2 = 0, s.start + g * interval '${step} s', s.start + g * interval '${step} s',
    s.start + g * interval '${step} s' + case when g % 1000 = 0 then interval '1 hour' else (g * 7919 % 60000) * interval '1 ms' end,
    md5('r' || g) || md5('s' || g) from generate_series(1, ${rows}::bigint) g, (select ${start} as start) s`;
  try {
    await client.query("set timezone = 'UTC'");
    for (const table of ["source", "target"]) {
      await client.query(`drop table if exists ${table}; create table ${table} (id bigint primary key, customer_id int not null, status varchar(16) not null,
        amount numeric(12,2) not null, currency char(3) not null, note text, paid boolean not null, created_at timestamp(6) not null,
        updated_at timestamp(6) not null, loaded_at timestamp(6) not null, reference varchar(64) not null)`);
      await client.query(
        table === "source" ? `insert into source ${row}` : "insert into target select * from source order by id",
      );
    }
    await client.query(`delete from target where id % ${Math.floor(rows / 25)} = 1000`);
    for (const table of ["source", "target"]) {
      await client.query(`create index ${table}_updated on ${table} (updated_at)`);
      await client.query(`vacuum analyze ${table}`);
    }
    const ended = `least + interval '${beat + 120} s'`;
    await client.query(`drop table if exists runs; create table runs (${RUNS.replaceAll("T ", "timestamp(6) ")})`);
    await client.query(`insert into runs select n, least - interval '2 minutes', least + interval '${beat} s', ${ended}, ${ended}, 'success', ${Math.round((rows / runs) * (1 + 120 / (SECONDS / runs))) + 1}
      from (select n, s.start + (n - 1) * interval '${beat} s' as least from generate_series(1, ${runs}) n, (select min(updated_at) as start from source) s) t`);
    await client.query("vacuum analyze runs");
  } finally {
    await client.end();
  }
}

/** The same in MariaDB. */
export async function plantOnMariadb(url: string, { rows, runs }: Size): Promise<void> {
  const connection = await mysqlConnection(url);
  const step = Math.round((SECONDS / rows) * 1e6);
  const beat = Math.round((SECONDS / runs) * 1e6);
  const columns = `id bigint primary key, customer_id int not null, status varchar(16) not null, amount decimal(12,2) not null, currency char(3) not null,
    note text, paid tinyint(1) not null, created_at datetime(6) not null, updated_at datetime(6) not null, loaded_at datetime(6) not null, reference varchar(64) not null`;
  const at = `@start + interval (seq * ${step}) microsecond`;
  try {
    await connection.query(`set @start = cast(utc_timestamp() as datetime(6)) - interval ${DAYS + 1} day`);
    for (const table of ["source", "target"]) {
      await connection.query(`drop table if exists ${table}; create table ${table} (${columns}) character set utf8mb4`);
      await connection.query(
        table === "source"
          ? `insert into source select seq, seq * 7919 % 100003, elt(1 + seq % 5, 'new', 'paid', 'shipped', 'returned', 'cancelled'), (seq * 7907 % 10000000) / 100,
              elt(1 + seq % 3, 'EUR', 'USD', 'CZK'), if(seq % 11 = 0, null, left(concat(md5(seq), md5(seq + 1), md5(seq + 2)), seq * 31 % 81)), seq % 2 = 0,
              ${at}, ${at}, ${at} + interval if(seq % 1000 = 0, 3600000000, (seq * 7919 % 60000) * 1000) microsecond, concat(md5(concat('r', seq)), md5(concat('s', seq)))
              from seq_1_to_${rows}`
          : "insert into target select * from source order by id",
      );
    }
    await connection.query(`delete from target where id % ${Math.floor(rows / 25)} = 1000`);
    for (const table of ["source", "target"])
      await connection.query(`create index ${table}_updated on ${table} (updated_at); analyze table ${table}`);
    const end = `@start + interval (seq * ${beat}) microsecond`;
    await connection.query(`drop table if exists runs; create table runs (${RUNS.replaceAll("T ", "datetime(6) ")})`);
    await connection.query(
      `insert into runs select seq, @start + interval ((seq - 1) * ${beat}) microsecond - interval 2 minute, ${end}, ${end} + interval 2 minute, ${end} + interval 2 minute, 'success', ${Math.round((rows / runs) * (1 + 120 / (SECONDS / runs))) + 1} from seq_1_to_${runs}`,
    );
    await connection.query("analyze table runs");
  } finally {
    await connection.end();
  }
}
