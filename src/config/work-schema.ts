import { z } from "zod";
import { bytes, count, duration, expectations, flag, hours, timezone, words } from "./leaves.ts";
import type { Presence } from "./presence.ts";

/** `compare`: how tables are compared. */
export function compareSchema({ filled }: Presence) {
  return filled(
    z.strictObject({
      chunk_rows: filled(
        z
          .union([z.literal("auto"), count(1)])
          .register(expectations, { expected: "auto, or a whole number, 1 or more" }),
      ).describe("Rows of a first chunk."),
      parallel: filled(count(1)).describe("Connections a side at most."),
      gentle: filled(flag()).describe(
        "Spare the servers: one connection a side, checksums of about half a second, and as long a rest after each.",
      ),
      recheck: filled(
        z.strictObject({
          rounds: filled(count(0)).describe("How often what differs is asked again."),
          wait: duration()
            .optional()
            .describe("How long to wait before it. Default: 2s, or 200 ms where settle leaves young rows out anyway."),
        }),
      ).describe("On a moving table, ask again before a row is accused."),
      stop_after: filled(
        z.strictObject({
          differences: count(1).optional().describe("Stop after so many differences."),
          time: duration().optional().describe("Stop after this time."),
        }),
      ).describe("End a comparison early with what is known. Default: never."),
    }),
  ).describe("How the tables are compared.");
}

/** `cdc`: what strategy cdc watches. */
export function captureSchema() {
  return z
    .strictObject({
      slot: words("the name of a replication slot")
        .optional()
        .describe("The replication slot on the source (PostgreSQL)."),
      warn: bytes().optional().describe("Bytes behind that are a warning; 1GB is 1024³ bytes."),
      error: bytes().optional().describe("Bytes behind that are an error."),
      inactive: duration().optional().describe("How long a slot may stay unread before it is an error."),
      binlog_retention: duration().optional().describe("What the server must keep at least (MySQL, MariaDB)."),
      position: words("a SELECT").optional().describe("A query that reads the consumer's position (MySQL, MariaDB)."),
    })
    .optional()
    .describe("Change data capture: what strategy cdc watches.");
}

/** `repair`: the bounds of a repair. */
export function repairSchema({ filled }: Presence) {
  return filled(
    z.strictObject({
      batch_rows: filled(count(1)).describe(
        "Rows of a batch, which commits as one: fewer at first, more where they are quickly written.",
      ),
      rows_per_second: filled(count(1)).describe("Rows written a second at most."),
      max_rows: filled(count(0)).describe("A plan that writes more is refused."),
      between: hours()
        .optional()
        .describe('Hours in which a repair may write, such as "22:00-06:00". Default: always.'),
      timezone: filled(timezone()).describe("Zone of between."),
      max_poison: filled(count(0)).describe("Rows that may be quarantined before the repair stops."),
      delete_extra: filled(flag()).describe("Whether rows that the source lacks may be deleted."),
    }),
  ).describe("Bounds of a repair.");
}
