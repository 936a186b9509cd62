export { type AuditSettings, audit, type LoadOptions, loadProject } from "./cli/library.ts";
export type { Project } from "./config/project.ts";
export type { Check, Relation } from "./domain/check.ts";
export type { CauseCode, FindingCode, FindingGroup } from "./domain/codes.ts";
export type { ConnectionDefinition } from "./domain/definitions.ts";
export {
  ConnectError,
  DefinitionError,
  FileError,
  InterruptedError,
  InvariantError,
  LedgerError,
  type Mistake,
  RefusedError,
  SchemaError,
  StatementError,
  TidemarkError,
  UnsupportedError,
  UsageError,
} from "./domain/errors.ts";
export type {
  CauseFinding,
  Confidence,
  Evidence,
  Finding,
  FindingRange,
  FindingState,
  Json,
  SampleRow,
  Severity,
} from "./domain/finding.ts";
export type { CheckReport, Report, ReportSide, Verdict } from "./domain/report.ts";
