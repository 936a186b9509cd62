import type { Check } from "../domain/check.ts";
import type { Difference } from "../domain/difference.ts";
import type { Facts } from "../domain/facts.ts";
import type { CheckReport } from "../domain/report.ts";
import type { AuditOptions, World } from "./ports.ts";

/** One audited check: its report, and what was read for it (null where the check could not finish), for `--save-facts`. */
export type Audited = { readonly report: CheckReport; readonly facts: Facts | null; readonly differences: Iterable<Difference> };

/**
 * Audits one check: reads facts, compares, judges, remembers. A failure of the world becomes a report with verdict `incomplete`
 * and never an exception; bugs (`InvariantError`) and interruptions are thrown.
 */
export declare function auditCheck(check: Check, options: AuditOptions, world: World): Promise<Audited>;
