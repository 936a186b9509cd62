import { pipeline } from "node:stream/promises";
import type { Connection } from "mysql2";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { mysqlConnection } from "./servers.ts";

/** Bytes of one INSERT: as many as any server takes, and more are no faster. */
const STATEMENT = 1 << 20;

const COLUMNS = "id, customer_id, status, amount, currency, note, paid, created_at, updated_at, reference";

/** The source's rows into PostgreSQL's target, as somebody would bring them who knows how; in seconds. */
export async function copyByHand(source: string, target: string): Promise<number> {
  const into = new pg.Client({ connectionString: target });
  await into.connect();
  const began = performance.now();
  try {
    await into.query("create temporary table stage (like target)");
    if (source.startsWith("postgres")) {
      const from = new pg.Client({ connectionString: source });
      await from.connect();
      await pipeline(from.query(copyTo("copy bench_source to stdout")), into.query(copyFrom("copy stage from stdin")));
      await from.end();
    } else {
      await pipeline(copyText(source), into.query(copyFrom("copy stage from stdin")));
    }
    await into.query(
      "insert into target select * from stage on conflict (id) do update set customer_id = excluded.customer_id, status = excluded.status, amount = excluded.amount, currency = excluded.currency, note = excluded.note, paid = excluded.paid, created_at = excluded.created_at, updated_at = excluded.updated_at, reference = excluded.reference",
    );
    return (performance.now() - began) / 1000;
  } finally {
    await into.end();
  }
}

/** The source's rows into MariaDB's target by INSERTs of many rows, read while the last one is on its way; in seconds. */
export async function insertByHand(source: string, target: string): Promise<number> {
  const into = await mysqlConnection(target);
  const began = performance.now();
  try {
    await into.query("set autocommit = 0");
    const head = `insert into target (${COLUMNS}) values `;
    let statement = "";
    let sent: Promise<unknown> = Promise.resolve();
    const send = async (): Promise<void> => {
      await sent;
      sent = into.query(statement);
      // What fails is told by whoever waits for it.
      sent.catch(() => {});
      statement = "";
    };
    for await (const rows of source.startsWith("postgres") ? tuplesOfPostgres(source) : tuplesOfMariadb(source))
      for (const row of rows) {
        statement += statement === "" ? head + row : `,${row}`;
        if (statement.length >= STATEMENT) await send();
      }
    if (statement !== "") await send();
    await sent;
    await into.query("commit");
    return (performance.now() - began) / 1000;
  } finally {
    await into.end();
  }
}

/** Lines of COPY as tuples: numbers as they stand, anything else in quotes. */
async function* tuplesOfPostgres(url: string): AsyncGenerator<string[]> {
  const from = new pg.Client({ connectionString: url });
  await from.connect();
  try {
    let rest = "";
    const columns = COLUMNS.replace("paid", "paid::int");
    const copy = from.query(copyTo(`copy (select ${columns} from bench_source order by id) to stdout`));
    for await (const piece of copy.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      yield lines.map((line) => `(${line.split("\t").map(quoted).join(",")})`);
    }
  } finally {
    await from.end();
  }
}

async function* tuplesOfMariadb(url: string): AsyncGenerator<string[]> {
  for await (const rows of rowsOfMariadb(url))
    yield rows.map((row) => `(${row.map((v) => (v === null ? "NULL" : quoted(v))).join(",")})`);
}

/** The server's escapes are also MariaDB's, but for quotes. */
function quoted(field: string): string {
  if (field === "\\N") return "NULL";
  return `'${field.includes("'") ? field.replaceAll("'", "''") : field}'`;
}

async function* copyText(url: string): AsyncGenerator<string> {
  for await (const rows of rowsOfMariadb(url))
    yield rows.map((row) => `${row.map((v) => (v === null ? "\\N" : escaped(v))).join("\t")}\n`).join("");
}

const escaped = (v: string): string =>
  /[\\\t\n\r]/.test(v)
    ? v.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : v;

async function* rowsOfMariadb(url: string): AsyncGenerator<(string | null)[][]> {
  const from = await mysqlConnection(url);
  try {
    const stream = (from as unknown as { connection: Connection }).connection
      .query({
        sql: `select ${COLUMNS} from bench_source order by id`,
        rowsAsArray: true,
        typeCast: false,
      })
      .stream({ highWaterMark: 2000 }) as AsyncIterable<(Buffer | null)[]>;
    let rows: (string | null)[][] = [];
    for await (const row of stream) {
      rows.push(row.map((v) => (v === null ? null : v.toString("utf8"))));
      if (rows.length < 1000) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  } finally {
    await from.end();
  }
}
