import { z } from "zod";
import { CURSOR_UNITS, TREATMENTS } from "../domain/check.ts";
import { ledgerSchema } from "./ledger-schema.ts";
import { count, duration, expectations, names, oneOf, table, timezone, tolerance, words } from "./leaves.ts";
import { type Form, presence } from "./presence.ts";
import { acceptSchema, expectSchema, severitySchema } from "./promise-schema.ts";
import { captureSchema, compareSchema, repairSchema } from "./work-schema.ts";

/** The settings of a check file, every one described; durations, sizes, names and ranges are read on the way. */
function checkShape(form: Form) {
  const present = presence(form);
  const { needed, filled } = present;
  const connection = words("the name of a connection in tidemark.yaml");
  const relation = () =>
    z.strictObject({
      connection: needed(connection).describe("A connection of tidemark.yaml."),
      table: needed(table()).describe("The table, with its schema where needed."),
      where: words("a condition in SQL")
        .optional()
        .describe("Only rows that meet this SQL condition, in the connection's dialect."),
      timezone: timezone().optional().describe("Zone of the table's zone-less times."),
    });
  const column = (what: string) => z.strictObject({ column: needed(words("the name of a column")).describe(what) });

  return z.strictObject({
    description: z.string().optional().describe("What this pipeline does, in your words."),
    strategy: oneOf(["cursor", "full", "cdc"])
      .optional()
      .describe("How the pipeline finds rows. Default: cursor where a cursor is given, else full."),
    source: needed(relation()).describe("The table that the pipeline reads from."),
    target: needed(relation()).describe("The table that the pipeline writes to."),
    origin: relation().optional().describe("The system behind the source; its data clock is compared too."),
    key: names("a list of columns, such as [id]", 1)
      .optional()
      .describe("Key columns, by their source names. Default: the source's primary key."),
    columns: filled(
      z.strictObject({
        only: names("a list of columns", 1)
          .optional()
          .describe("Compare these columns. Default: every source column that the target has too."),
        exclude: filled(names("a list of columns")).describe("Leave these columns out."),
        rename: filled(z.record(z.string(), words("the target's name of the column"))).describe(
          "Source name: target name.",
        ),
        tolerance: filled(z.record(z.string(), tolerance())).describe(
          "Numeric columns are equal where |a − b| is at most this.",
        ),
        treat: filled(
          z.record(
            z.string(),
            z.array(oneOf(TREATMENTS)).register(expectations, { expected: `a list of ${TREATMENTS.join(", ")}` }),
          ),
        ).describe("What is done to both sides before a column is compared."),
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
    version: column("A source column.")
      .optional()
      .describe("What decides which copy of a row is newer. Default: the cursor."),
    arrival: z
      .union([z.literal("commit-timestamp"), column("A source column.")])
      .register(expectations, { expected: "{ column: … } or commit-timestamp" })
      .optional()
      .describe(
        "When a row became visible in the source: a column, or commit-timestamp (PostgreSQL with track_commit_timestamp).",
      ),
    loaded: column("A target column.").optional().describe("When the pipeline last wrote the row in the target."),
    runs: ledgerSchema(present),
    expect: expectSchema(present),
    settle: filled(duration()).describe("Rows whose cursor is younger than this are not judged."),
    severity: severitySchema(present),
    accept: acceptSchema(present),
    compare: compareSchema(present),
    cdc: captureSchema(),
    repair: repairSchema(present),
    report: filled(
      z.strictObject({
        values: filled(oneOf(["show", "mask", "hash"])).describe("What reports show of row values other than keys."),
      }),
    ).describe("What reports may show."),
    sync: filled(
      z.strictObject({
        overlap: duration()
          .optional()
          .describe("How far the next window looks back. Default: expect.arrival_lag, else nothing."),
      }),
    ).describe("How `tidemark sync` moves on."),
  });
}

/** What a check file may say, for editors. */
export const checkFileSchema = checkShape("input");
/** A check with the layers below merged in. */
export const checkSchema = checkShape("complete");
/** What `defaults` of tidemark.yaml may say. */
export const defaultsSchema = checkShape("defaults");

/** A check as its file and the layers below it say. */
export type CheckInput = z.output<typeof checkSchema>;
