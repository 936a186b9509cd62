import { z } from "zod";
import { defaultsSchema } from "./check-schema.ts";
import { count, databaseUrl, duration, expectations, oneOf, webhookUrl, words } from "./leaves.ts";

/** tidemark.yaml. */
export const projectSchema = z.strictObject({
  connections: z
    .record(
      z.string(),
      z.strictObject({
        url: databaseUrl("the URL of a database, such as postgres://user@host/db").describe(
          "postgres://, postgresql://, mysql://, mariadb:// or sqlite:path. Take it from the environment: ${NAME}.",
        ),
        max_connections: count(1)
          .optional()
          .describe("Connections at most. Default: as many as compare.parallel asks for."),
        statement_timeout: duration()
          .optional()
          .describe("How long one statement may run. Default: as the server says."),
        replica_of: words("the name of a connection")
          .nullable()
          .optional()
          .describe("The connection whose replica this is."),
      }),
    )
    .register(expectations, { expected: "a mapping of names to { url: … }" })
    .describe("Databases by name."),
  state: databaseUrl("sqlite:PATH or a postgres:// URL")
    .optional()
    .describe("Where history is kept. TIDEMARK_STATE overrides it."),
  reports: z
    .union([
      words("a folder"),
      z.strictObject({
        folder: words("a folder").optional().describe("Where reports are written."),
        keep: duration().optional().describe("Older reports are removed. Default: never."),
      }),
    ])
    .register(expectations, { expected: "a folder, or { folder: …, keep: 30d }" })
    .optional()
    .describe("Where reports are written. TIDEMARK_REPORTS overrides the folder."),
  reports_url: webhookUrl().optional().describe("Where the reports folder is served, for links in alerts."),
  alerts: z
    .array(
      z.strictObject({
        slack: webhookUrl().optional().describe("A Slack webhook; or use webhook."),
        webhook: webhookUrl().optional().describe("A URL that takes the JSON report by POST; or use slack."),
        secret: z
          .string()
          .register(expectations, { expected: "a text", secret: true })
          .optional()
          .describe("Signs the body of a webhook (HMAC-SHA256)."),
        at: oneOf(["info", "warn", "error"]).optional().describe("The lowest severity that is told."),
        repeat_after: duration()
          .optional()
          .describe("Tell an incident that goes on again after this. Default: once only."),
      }),
    )
    .register(expectations, { expected: "a list of { slack: … } or { webhook: … }" })
    .optional()
    .describe("Whom to tell what is new, worse or recovered."),
  defaults: defaultsSchema.optional().describe("Settings that every check starts from."),
});

/** tidemark.yaml as its file says. */
export type ProjectInput = z.output<typeof projectSchema>;
