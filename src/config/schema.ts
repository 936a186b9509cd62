import { z } from "zod";
import { CURSOR_UNITS, LEDGER_FIELDS, TREATMENTS } from "../domain/check.ts";
import { FINDING_CODES } from "../domain/codes.ts";
import { bytes, count, databaseUrl, duration, expectations, flag, hours, ledgerValues, moment, names, oneOf, range, schedule, table, timezone, tolerance, webhookUrl, words } from "./leaves.ts";

/**
 * Which of three forms of a check is meant: what a file may say (`input`, for editors), what stands once the layers below are merged in
 * (`complete`: nothing with a default is missing), or what `defaults` of tidemark.yaml may say (`defaults`: nothing is required).
 */
type Form = "input" | "complete" | "defaults";

/** The settings of a check file, every one described; durations, sizes, names and ranges are read on the way. */
function checkShape(form: Form) {
  // The types are those of the complete form, the only one whose output is used.
  const needed = <S extends z.ZodType>(schema: S): S => (form === "defaults" ? (schema.optional() as unknown as S) : schema);
  const filled = <S extends z.ZodType>(schema: S): S => (form === "complete" ? schema : (schema.optional() as unknown as S));
  const connection = words("the name of a connection in tidemark.yaml");
  const relation = () =>
    z.strictObject({
      connection: needed(connection).describe("A connection of tidemark.yaml."),
      table: needed(table()).describe("The table, with its schema where needed."),
      where: words("a condition in SQL").optional().describe("Only rows that meet this SQL condition, in the connection's dialect."),
      timezone: timezone().optional().describe("Zone of the table's zone-less times."),
    });
  const column = (what: string) => z.strictObject({ column: needed(words("the name of a column")).describe(what) });

  return z.strictObject({
    description: z.string().optional().describe("What this pipeline does, in your words."),
    strategy: oneOf(["cursor", "full", "cdc"]).optional().describe("How the pipeline finds rows. Default: cursor where a cursor is given, else full."),
    source: needed(relation()).describe("The table that the pipeline reads from."),
    target: needed(relation()).describe("The table that the pipeline writes to."),
    origin: relation().optional().describe("The system behind the source; its data clock is compared too."),
    key: names("a list of columns, such as [id]", 1).optional().describe("Key columns, by their source names. Default: the source's primary key."),
    columns: filled(
      z.strictObject({
        only: names("a list of columns", 1).optional().describe("Compare these columns. Default: every source column that the target has too."),
        exclude: filled(names("a list of columns")).describe("Leave these columns out."),
        rename: filled(z.record(z.string(), words("the target's name of the column"))).describe("Source name: target name."),
        tolerance: filled(z.record(z.string(), tolerance())).describe("Numeric columns are equal where |a − b| is at most this."),
        treat: filled(z.record(z.string(), z.array(oneOf(TREATMENTS)).register(expectations, { expected: `a list of ${TREATMENTS.join(", ")}` }))).describe("What is done to both sides before a column is compared."),
      }),
    ).describe("Which columns are compared, and how. All by their source names."),
    cursor: z
      .strictObject({
        column: needed(words("the name of a column")).describe("The column that windows are cut by."),
        unit: oneOf(CURSOR_UNITS).optional().describe("What a numeric cursor counts. Default: by its type."),
        page: filled(count(1)).describe("Rows that the pipeline reads at a time."),
      })
      .optional()
      .describe("The update time or growing number that windows are cut by."),
    version: column("A source column.").optional().describe("What decides which copy of a row is newer. Default: the cursor."),
    arrival: z
      .union([z.literal("commit-timestamp"), column("A source column.")])
      .register(expectations, { expected: "{ column: … } or commit-timestamp" })
      .optional()
      .describe("When a row became visible in the source: a column, or commit-timestamp (PostgreSQL with track_commit_timestamp)."),
    loaded: column("A target column.").optional().describe("When the pipeline last wrote the row in the target."),
    runs: z
      .strictObject({
        connection: connection.optional().describe("Where the ledger is; not for a file."),
        table: table().optional().describe("The table of runs."),
        query: words("a SELECT").optional().describe("A query that gives the runs, instead of a table."),
        file: words("a path").optional().describe("A JSON Lines file of runs, relative to this file."),
        preset: words("the name of a preset").optional().describe("The run tables of another product, such as airflow3."),
        params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String).register(expectations, { expected: "a text or a number" })).optional().describe("What the preset asks for."),
        columns: z
          .strictObject(Object.fromEntries(LEDGER_FIELDS.map((field) => [field, words("the name of a column").optional().describe(`The ledger's column of a run's ${field}.`)])) as Record<(typeof LEDGER_FIELDS)[number], z.ZodOptional<z.ZodString>>)
          .optional()
          .describe("Field of a run: the ledger's column. Default: the field's own name."),
        backfill: filled(ledgerValues("a list of kinds")).describe("Which kind values mean a backfill."),
        where: words("a condition in SQL").optional().describe("Only lines of the ledger that meet this SQL condition."),
        success: filled(ledgerValues("a list of status values")).describe("Which status values mean success, in any letter case."),
        window: filled(oneOf(["(]", "[)", "[]", "()"])).describe("Which ends belong to a run's window."),
        timezone: filled(timezone()).describe("Zone of the ledger's zone-less times."),
        since: filled(duration()).describe("How far back to audit."),
      })
      .optional()
      .describe("Where the pipeline writes down its runs; leave out if nowhere."),
    expect: filled(
      z.strictObject({
        zero_rows: filled(z.strictObject({ streak: filled(count(1)).describe("Successful runs in a row without a row that make a streak.") })).describe("Runs without rows."),
        freshness: filled(
          z.strictObject({
            warn: duration().optional().describe("The data clock may be this old before it is a warning."),
            error: duration().optional().describe("The data clock may be this old before it is an error."),
          }),
        ).describe("How old the newest cursor value may be."),
        arrival_lag: duration().optional().describe("How late rows are known to arrive in the source."),
        every: duration().optional().describe("How often runs start; or use schedule."),
        schedule: schedule().optional().describe("When runs start, as a cron schedule; or use every."),
        timezone: timezone().optional().describe("Zone of the schedule. Default: UTC."),
        max_run: duration().optional().describe("How long a run may take. Default: 10 times the median."),
        future: filled(duration()).describe("A cursor this far beyond now is a fault."),
      }),
    ).describe("What this pipeline promises."),
    settle: filled(duration()).describe("Rows whose cursor is younger than this are not judged."),
    severity: filled(
      z.strictObject(Object.fromEntries(FINDING_CODES.map((code) => [code, oneOf(["off", "info", "warn", "error"]).optional().describe(`Severity of ${code}; off: never reported.`)])) as Record<(typeof FINDING_CODES)[number], z.ZodOptional<z.ZodEnum<{ off: "off"; info: "info"; warn: "warn"; error: "error" }>>>),
    ).describe("Finding: the severity it has in this check."),
    accept: filled(
      z
        .array(
          z.strictObject({
            finding: oneOf(FINDING_CODES as unknown as [(typeof FINDING_CODES)[number], ...(typeof FINDING_CODES)[number][]]).describe("The code of a finding."),
            range: range().optional().describe("Only there: 2025-01-01..2025-02-01, key:1000..2000 or run:812."),
            reason: z.string().optional().describe("Why one lives with it."),
            until: moment().optional().describe("Accepted before this moment (a date: its midnight, UTC)."),
          }),
        )
        .register(expectations, { expected: "a list of { finding, range, reason, until }" }),
    ).describe("Findings one has agreed to live with."),
    compare: filled(
      z.strictObject({
        chunk_rows: filled(z.union([z.literal("auto"), count(1)]).register(expectations, { expected: "auto, or a whole number, 1 or more" })).describe("Rows of a first chunk."),
        parallel: filled(count(1)).describe("Connections a side at most."),
        recheck: filled(
          z.strictObject({
            rounds: filled(count(0)).describe("How often what differs is asked again."),
            wait: filled(duration()).describe("How long to wait before it."),
          }),
        ).describe("On a moving table, ask again before a row is accused."),
        stop_after: filled(
          z.strictObject({
            differences: count(1).optional().describe("Stop after so many differences."),
            time: duration().optional().describe("Stop after this time."),
          }),
        ).describe("End a comparison early with what is known. Default: never."),
      }),
    ).describe("How the tables are compared."),
    cdc: z
      .strictObject({
        slot: words("the name of a replication slot").optional().describe("The replication slot on the source (PostgreSQL)."),
        warn: bytes().optional().describe("Bytes behind that are a warning; 1GB is 1024³ bytes."),
        error: bytes().optional().describe("Bytes behind that are an error."),
        inactive: duration().optional().describe("How long a slot may stay unread before it is an error."),
        binlog_retention: duration().optional().describe("What the server must keep at least (MySQL, MariaDB)."),
        position: words("a SELECT").optional().describe("A query that reads the consumer's position (MySQL, MariaDB)."),
      })
      .optional()
      .describe("Change data capture: what strategy cdc watches."),
    repair: filled(
      z.strictObject({
        batch_rows: filled(count(1)).describe("Rows of a batch, which commits as one."),
        rows_per_second: filled(count(1)).describe("Rows written a second at most."),
        max_rows: filled(count(0)).describe("A plan that writes more is refused."),
        between: hours().optional().describe('Hours in which a repair may write, such as "22:00-06:00". Default: always.'),
        timezone: filled(timezone()).describe("Zone of between."),
        max_poison: filled(count(0)).describe("Rows that may be quarantined before the repair stops."),
        delete_extra: filled(flag()).describe("Whether rows that the source lacks may be deleted."),
      }),
    ).describe("Bounds of a repair."),
    report: filled(z.strictObject({ values: filled(oneOf(["show", "mask", "hash"])).describe("What reports show of row values other than keys.") })).describe("What reports may show."),
    sync: filled(z.strictObject({ overlap: duration().optional().describe("How far the next window looks back. Default: expect.arrival_lag, else nothing.") })).describe("How `tidemark sync` moves on."),
  });
}

/** What a check file may say, for editors. */
export const checkFileSchema = checkShape("input");
/** A check with the layers below merged in. */
export const checkSchema = checkShape("complete");
const defaultsSchema = checkShape("defaults");

/** tidemark.yaml. */
export const projectSchema = z.strictObject({
  connections: z
    .record(
      z.string(),
      z.strictObject({
        url: databaseUrl("the URL of a database, such as postgres://user@host/db").describe("postgres://, postgresql://, mysql://, mariadb:// or sqlite:path. Take it from the environment: ${NAME}."),
        max_connections: count(1).optional().describe("Connections at most. Default: as many as compare.parallel asks for."),
        statement_timeout: duration().optional().describe("How long one statement may run. Default: as the server says."),
        replica_of: words("the name of a connection").nullable().optional().describe("The connection whose replica this is."),
      }),
    )
    .register(expectations, { expected: "a mapping of names to { url: … }" })
    .describe("Databases by name."),
  state: databaseUrl("sqlite:PATH or a postgres:// URL").optional().describe("Where history is kept. TIDEMARK_STATE overrides it."),
  reports: z
    .union([words("a folder"), z.strictObject({ folder: words("a folder").optional().describe("Where reports are written."), keep: duration().optional().describe("Older reports are removed. Default: never.") })])
    .register(expectations, { expected: "a folder, or { folder: …, keep: 30d }" })
    .optional()
    .describe("Where reports are written. TIDEMARK_REPORTS overrides the folder."),
  reports_url: webhookUrl().optional().describe("Where the reports folder is served, for links in alerts."),
  alerts: z
    .array(
      z.strictObject({
        slack: webhookUrl().optional().describe("A Slack webhook; or use webhook."),
        webhook: webhookUrl().optional().describe("A URL that takes the JSON report by POST; or use slack."),
        secret: z.string().register(expectations, { expected: "a text", secret: true }).optional().describe("Signs the body of a webhook (HMAC-SHA256)."),
        at: oneOf(["info", "warn", "error"]).optional().describe("The lowest severity that is told."),
        repeat_after: duration().optional().describe("Tell an incident that goes on again after this. Default: once only."),
      }),
    )
    .register(expectations, { expected: "a list of { slack: … } or { webhook: … }" })
    .optional()
    .describe("Whom to tell what is new, worse or recovered."),
  defaults: defaultsSchema.optional().describe("Settings that every check starts from."),
});

/** A check as its file and the layers below it say. */
export type CheckInput = z.output<typeof checkSchema>;
/** tidemark.yaml as its file says. */
export type ProjectInput = z.output<typeof projectSchema>;
