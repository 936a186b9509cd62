import { alertSender } from "../alerts/alert-sender.ts";
import type { Project } from "../config/project.ts";
import { InterruptedError, TidemarkError } from "../domain/errors.ts";
import type { RepairReport } from "../domain/repair.ts";
import type { Report } from "../domain/report.ts";
import { tellAlerts } from "../flows/tell-alerts.ts";
import { openState } from "../state/index.ts";
import { systemClock } from "./compose.ts";
import { pathOfRun } from "./kept-runs.ts";
import { commandSuffix } from "./publish.ts";

/** How a project's alerts are told of a report. */
export type Alerting = {
  readonly project: Project;
  /** Whether all of the checks was asked for: no `--range`, no `--only`. */
  readonly whole: boolean;
  /** The checks folder as typed. */
  readonly checks: string;
  readonly signal: AbortSignal;
};

/**
 * Tells a project's alerts what is new to them in a report, once that is kept, so that its link leads somewhere. Gives what failed.
 * Throws an `InterruptedError`.
 */
export async function sendAlerts(report: Report, alerting: Alerting): Promise<readonly TidemarkError[]> {
  const { project, whole, checks, signal } = alerting;
  if (project.alerts.length === 0) return [];
  try {
    await using state = await openState({ url: project.state.url.reveal() });
    return await tellAlerts(
      report,
      {
        alerts: project.alerts,
        whole,
        link: linkTo(report, project.reports),
        commandSuffix: commandSuffix(checks),
      },
      { clock: systemClock, state, sender: alertSender(), signal },
    );
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
    return [error];
  }
}

/**
 * Tells a project's Slack alerts what a repair has done, once each; nothing where it did nothing. Webhooks take audits' reports only.
 * Gives what failed. Throws an `InterruptedError`.
 */
export async function sendRepairNotes(
  repair: RepairReport,
  { project, checks, signal }: Omit<Alerting, "whole">,
): Promise<readonly TidemarkError[]> {
  if (!hasDone(repair)) return [];
  const sender = alertSender();
  // An alert at two severities is one place all the same.
  const places = new Map(project.alerts.map((alert) => [`${alert.kind} ${alert.url.reveal()}`, alert]));
  const failures: TidemarkError[] = [];
  for (const alert of places.values()) {
    if (alert.kind !== "slack") continue;
    try {
      await sender.sendRepair(alert, repair, commandSuffix(checks), signal);
    } catch (error) {
      if (!(error instanceof TidemarkError) || error instanceof InterruptedError) throw error;
      failures.push(error);
    }
  }
  return failures;
}

/** Whether a repair wrote anything, or was kept from it. */
function hasDone({ applied, result, stopped }: RepairReport): boolean {
  if (!applied || result === null) return false;
  return stopped !== null || result.inserted + result.updated + result.deleted + result.quarantined > 0n;
}

/** The report where it is served: its own page; null: it is served nowhere. */
function linkTo(report: Report, { folder, url }: Project["reports"]): string | null {
  if (url === null) return null;
  const link = new URL(url);
  // What stands behind a question mark (a token of a store of files) stays where it is.
  link.pathname = `${link.pathname.replace(/\/$/, "")}/${pathOfRun(folder, report.started_at) ?? ""}`;
  return link.href;
}
