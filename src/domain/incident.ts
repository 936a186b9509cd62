import type { FindingCode } from "./codes.ts";
import type { Finding, Severity } from "./finding.ts";
import { weightOf } from "./life.ts";
import type { CheckReport } from "./report.ts";

/** What an incident is about: a finding, or that a check could not finish. */
export type IncidentCode = FindingCode | "incomplete";

/** Something that somebody may have to hear of: a finding that stands, or a check that could not finish. */
export type Incident = {
  readonly check: string;
  /** A finding's own id, or `check/incomplete`. */
  readonly id: string;
  readonly code: IncidentCode;
  readonly severity: Severity;
  readonly rows: bigint | null;
  /** Null: the check could not finish. */
  readonly finding: Finding | null;
  readonly says: string;
  /** What to do next: a command, a statement or advice. */
  readonly fix: string | null;
};

/** What was asked wrongly stops a check too; whoever asked sits at the keyboard and has been told. */
const ASKED_WRONGLY: ReadonlySet<string> = new Set(["usage", "definition", "refused"]);

/** The incidents of a check that stand in its report. Accepted findings are none: one has agreed to live with them. */
export function incidentsOf(report: CheckReport): readonly Incident[] {
  const { check, error, findings } = report;
  const standing = findings.flatMap((finding): readonly Incident[] =>
    finding.state === "recovered" || finding.accepted === true
      ? []
      : [
          {
            check,
            id: finding.id,
            code: finding.code,
            severity: finding.severity,
            rows: weightOf(finding),
            finding,
            says: finding.says,
            fix: finding.fix,
          },
        ],
  );
  if (!isUnfinished(report)) return standing;
  return [
    {
      check,
      id: `${check}/incomplete`,
      code: "incomplete",
      severity: "error",
      rows: null,
      finding: null,
      says: error?.message ?? "the check could not finish",
      fix: error?.hint ?? null,
    },
    ...standing,
  ];
}

/** Whether a check could not finish, for a reason that is not how it was asked. */
function isUnfinished({ verdict, error }: CheckReport): boolean {
  return error === null ? verdict === "incomplete" : !ASKED_WRONGLY.has(error.code);
}

/** Whether a check looked at all that belongs to it, so that what it does not find any more is over. `asked`: all of it was. */
export function sawEverything({ verdict, error, compared }: CheckReport, asked: boolean): boolean {
  return asked && error === null && verdict !== "incomplete" && (compared?.stopped ?? null) === null;
}
