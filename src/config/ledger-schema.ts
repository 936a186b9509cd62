import { z } from "zod";
import { LEDGER_FIELDS } from "../domain/check.ts";
import { duration, expectations, ledgerValues, oneOf, table, timezone, words } from "./leaves.ts";
import type { Presence } from "./presence.ts";

/** `runs`: where the pipeline writes down its runs. */
export function ledgerSchema({ filled }: Presence) {
  return z
    .strictObject({
      connection: words("the name of a connection in tidemark.yaml")
        .optional()
        .describe("Where the ledger is; not for a file."),
      table: table().optional().describe("The table of runs."),
      query: words("a SELECT").optional().describe("A query that gives the runs, instead of a table."),
      file: words("a path").optional().describe("A JSON Lines file of runs, relative to this file."),
      preset: words("the name of a preset").optional().describe("The run tables of another product, such as airflow3."),
      params: z
        .record(
          z.string(),
          z
            .union([z.string(), z.number(), z.boolean()])
            .transform(String)
            .register(expectations, { expected: "a text or a number" }),
        )
        .optional()
        .describe("What the preset asks for."),
      columns: z
        .strictObject(
          Object.fromEntries(
            LEDGER_FIELDS.map((field) => [
              field,
              words("the name of a column").optional().describe(`The ledger's column of a run's ${field}.`),
            ]),
          ) as Record<(typeof LEDGER_FIELDS)[number], z.ZodOptional<z.ZodString>>,
        )
        .optional()
        .describe("Field of a run: the ledger's column. Default: the field's own name."),
      backfill: filled(ledgerValues("a list of kinds")).describe("Which kind values mean a backfill."),
      where: words("a condition in SQL").optional().describe("Only lines of the ledger that meet this SQL condition."),
      success: filled(ledgerValues("a list of status values")).describe(
        "Which status values mean success, in any letter case.",
      ),
      window: oneOf(["(]", "[)", "[]", "()"])
        .optional()
        .describe("Which ends belong to a run's window. Default: as the preset says, else (]."),
      timezone: filled(timezone()).describe("Zone of the ledger's zone-less times."),
      since: filled(duration()).describe("How far back to audit."),
    })
    .optional()
    .describe("Where the pipeline writes down its runs; leave out if nowhere.");
}
