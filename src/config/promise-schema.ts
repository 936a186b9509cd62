import { z } from "zod";
import { FINDING_CODES, type FindingCode } from "../domain/codes.ts";
import { count, duration, expectations, moment, oneOf, range, schedule, timezone } from "./leaves.ts";
import type { Presence } from "./presence.ts";

/** `expect`: what a pipeline promises. */
export function expectSchema({ filled }: Presence) {
  return filled(
    z.strictObject({
      zero_rows: filled(
        z.strictObject({
          streak: filled(count(1)).describe("Successful runs in a row without a row that make a streak."),
        }),
      ).describe("Runs without rows."),
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
  ).describe("What this pipeline promises.");
}

const severity = () => oneOf(["off", "info", "warn", "error"]).optional();

/** `severity`: the severities that a check changes. */
export function severitySchema({ filled }: Presence) {
  const codes = FINDING_CODES.map((code) => [code, severity().describe(`Severity of ${code}; off: never reported.`)]);
  return filled(z.strictObject(Object.fromEntries(codes) as Record<FindingCode, ReturnType<typeof severity>>)).describe(
    "Finding: the severity it has in this check.",
  );
}

/** `accept`: the findings one lives with. */
export function acceptSchema({ filled }: Presence) {
  return filled(
    z
      .array(
        z.strictObject({
          finding: oneOf(FINDING_CODES as unknown as [FindingCode, ...FindingCode[]]).describe(
            "The code of a finding.",
          ),
          range: range().optional().describe("Only there: 2025-01-01..2025-02-01, key:1000..2000 or run:812."),
          reason: z.string().optional().describe("Why one lives with it."),
          until: moment().optional().describe("Accepted before this moment (a date: its midnight, UTC)."),
        }),
      )
      .register(expectations, { expected: "a list of { finding, range, reason, until }" }),
  ).describe("Findings one has agreed to live with.");
}
