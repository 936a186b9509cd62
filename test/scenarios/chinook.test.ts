import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Treatment } from "../../src/domain/check.ts";
import type { CheckReport } from "../../src/domain/report.ts";
import { auditCheck } from "../../src/flows/audit.ts";
import { freshDatabase, type TestDatabase, whyNot } from "../support/databases.ts";
import { checkFor } from "./two-tables.ts";
import { openWorld, type TestWorld } from "./world.ts";

const DATA = fileURLToPath(new URL("../../../shared/data/chinook", import.meta.url));
const why = existsSync(DATA) ? (whyNot("postgres") ?? whyNot("mariadb")) : `no Chinook at ${DATA}`;

/** The tables of the Chinook database with the columns of PostgreSQL; MariaDB writes the same names in another style. */
const TABLES: Readonly<Record<string, string>> = {
  album: "album_id title artist_id",
  artist: "artist_id name",
  customer:
    "customer_id first_name last_name company address city state country postal_code phone fax email support_rep_id",
  employee:
    "employee_id last_name first_name title reports_to birth_date hire_date address city state country postal_code phone fax email",
  genre: "genre_id name",
  invoice:
    "invoice_id customer_id invoice_date billing_address billing_city billing_state billing_country billing_postal_code total",
  invoice_line: "invoice_line_id invoice_id track_id unit_price quantity",
  media_type: "media_type_id name",
  playlist: "playlist_id name",
  playlist_track: "playlist_id track_id",
  track: "track_id name album_id media_type_id genre_id composer milliseconds bytes unit_price",
};

const columnsOf = (table: string): string[] => (TABLES[table] ?? "").split(" ");
const pascal = (name: string): string => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The columns of which some value meets a condition, and the rows in which any does. */
async function matching(
  db: TestDatabase,
  table: string,
  name: (name: string) => string,
  condition: (column: string) => string,
): Promise<{ readonly columns: readonly string[]; readonly rows: number }> {
  const count = async (where: string): Promise<number> =>
    Number((await db.rows(`select count(*) from ${name(table)} where ${where}`))[0]?.[0]);
  const columns: string[] = [];
  for (const column of columnsOf(table)) if ((await count(condition(name(column)))) > 0) columns.push(column);
  return { columns, rows: columns.length === 0 ? 0 : await count(columns.map((c) => condition(name(c))).join(" or ")) };
}

describe.skipIf(why !== undefined)("Chinook in PostgreSQL against Chinook in MariaDB", () => {
  let src: TestDatabase;
  let dst: TestDatabase;
  let world: TestWorld;

  beforeAll(async () => {
    [src, dst] = [await freshDatabase("postgres"), await freshDatabase("mariadb")];
    await src.run(
      readFileSync(`${DATA}/Chinook_PostgreSql.sql`, "utf8").replaceAll(/^(DROP|CREATE) DATABASE.*$|^\\c.*$/gm, ""),
    );
    await dst.run(
      readFileSync(`${DATA}/Chinook_MySql.sql`, "utf8").replaceAll(/^(DROP DATABASE|CREATE DATABASE|USE ).*$/gm, ""),
    );
    world = await openWorld({ src, dst });
  });

  afterAll(async () => {
    for (const each of [world, dst, src]) await each?.[Symbol.asyncDispose]();
  });

  const audit = async (table: string, treat: Record<string, Treatment[]> = {}): Promise<CheckReport> => {
    const rename = Object.fromEntries(columnsOf(table).map((c) => [c, pascal(c)]));
    const check = checkFor({
      name: table,
      source: { table: { schema: "public", name: table } },
      target: { table: { schema: null, name: pascal(table) } },
      columns: { rename, treat },
    });
    return (await auditCheck(check, { range: null, only: null, exact: false }, world.world)).report;
  };

  /** Rows findings of a report, in short. What MariaDB's script declares narrower is true and said: its NVARCHAR holds no emoji. */
  const rowsFindings = ({ findings }: CheckReport) =>
    findings
      .filter((f) => f.code !== "narrower-type" && f.state !== "recovered")
      .map(({ code, rows, columns }) => ({ code, rows, columns }));

  test.each(Object.keys(TABLES))(
    "%s holds the same rows, every column of them compared, but for what is known of its scripts",
    async (table) => {
      const report = await audit(table);
      const { error, source, target, compared } = report;
      expect(error).toBeNull();
      const [[rows]] = (await src.rows(`select count(*) from ${table}`)) as [[string]];
      expect([String(source.rows), String(target.rows)]).toEqual([rows, rows]);
      expect(compared?.columns).toEqual(columnsOf(table));
      expect(compared?.not_compared).toEqual([]);
      // Both scripts hold the same text, and two kinds of literals that the servers read differently: N'Edinburgh ' is a CHAR to PostgreSQL and
      // loses its blanks on its way into a VARCHAR; a backslash escapes to MariaDB, and is a character to PostgreSQL.
      const blank = await matching(dst, table, pascal, (c) => `${c} regexp ' $'`);
      const backslash = await matching(
        src,
        table,
        (name) => name,
        (c) => `${c}::text like '%\\\\%'`,
      );
      const changed = {
        code: "changed-rows",
        rows: blank.rows + backslash.rows,
        columns: columnsOf(table).filter((c) => blank.columns.includes(c) || backslash.columns.includes(c)),
      };
      expect(rowsFindings(report)).toEqual(changed.rows === 0 ? [] : [changed]);
      const treat = Object.fromEntries(blank.columns.map((c) => [c, ["trim" as const]]));
      const rest = { ...changed, rows: backslash.rows, columns: backslash.columns };
      expect(rowsFindings(await audit(table, treat))).toEqual(rest.rows === 0 ? [] : [rest]);
    },
  );

  test("one byte changed, one row deleted and one added are each found, with the column", async () => {
    await src.run("update track set name = replace(name, '\\', '')");
    await dst.run("update Track set Composer = concat(Composer, '.') where TrackId = 1");
    await dst.run("set foreign_key_checks = 0; delete from Invoice where InvoiceId = 98");
    await dst.run("insert into Genre values (99, 'Tidal')");
    const trim: Treatment[] = ["trim"];
    const found = async (table: string) =>
      (await audit(table, { invoice: { billing_city: trim }, track: { name: trim, composer: trim } }[table])).findings
        .filter((f) => f.code !== "narrower-type" && f.state !== "recovered")
        .map(({ code, rows, sample }) => ({ code, rows, sample }));
    expect(await found("track")).toMatchObject([
      {
        code: "changed-rows",
        rows: 1,
        sample: [{ key: { track_id: expect.anything() as unknown }, columns: ["composer"] }],
      },
    ]);
    expect(await found("invoice")).toMatchObject([
      { code: "missing-rows", rows: 1, sample: [{ key: { invoice_id: expect.anything() as unknown } }] },
    ]);
    expect(await found("genre")).toMatchObject([
      { code: "extra-rows", rows: 1, sample: [{ key: { genre_id: expect.anything() as unknown } }] },
    ]);
    expect(await found("album")).toEqual([]);
  });
});

if (why !== undefined) test("Chinook is compared", ({ skip }) => skip(why));
