import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { FileError, InterruptedError, must } from "../domain/errors.ts";
import type { RepairPlan } from "../domain/repair.ts";
import { repairCheck, type RepairOutcome } from "../flows/repair/repair.ts";
import { planText, readPlan } from "../repair/saved-plan.ts";
import { reportQuestion } from "../repair/report-question.ts";
import { repairJson, repairText } from "../reporters/answers/repair.ts";
import type { RepairCommand } from "./commands/repair.ts";
import { compose } from "./compose.ts";
import { composeRepair } from "./compose-repair.ts";
import { type ExitCode, worstExit } from "./exit-code.ts";
import { openProject } from "./open-project.ts";
import type { Around } from "./program.ts";
import { openDisplay } from "./progress.ts";
import { commandSuffix } from "./publish.ts";
import { keepHeapSmall } from "./small-heap.ts";
import type { Screen } from "./screen.ts";
import { sendRepairNotes } from "./send-alerts.ts";
import { tellError } from "./tell-error.ts";

/** Does what `tidemark repair` was asked for. */
export async function runRepair(asked: RepairCommand, { screen, signal }: Around): Promise<ExitCode> {
  keepHeapSmall();
  const project = await openProject(asked.checks, [asked.check], screen);
  const check = must(project.checks[0], "a check that is named is loaded");
  const { quiet = false, verbose = false } = asked;
  const apply = asked.apply === true;
  const report = asked.report === undefined ? null : reportQuestion(readText(asked.report), asked.report, check.name);
  const approved = apply && asked.plan !== undefined ? readPlan(readText(asked.plan), asked.plan) : null;
  const fromPlan =
    approved?.range.by === "report"
      ? reportQuestion(readText(approved.range.text), approved.range.text, check.name)
      : null;
  const options = {
    columns: screen.columns,
    style: screen.styleOfResult,
    commandSuffix: commandSuffix(asked.checks),
    ending: null,
  };
  const outcome = await (async () => {
    using display = openDisplay(screen, { quiet, verbose, reported: asked.format === "terminal" });
    await using surroundings = await compose(project, { checks: [check], display, verbose, signal });
    const world = composeRepair(project, surroundings.world, (line) => display.note(line));
    const request = {
      range: asked.run === undefined ? (asked.range ?? null) : `run:${asked.run}`,
      report: report ?? fromPlan,
      approved,
      apply,
      resume: asked.resume === true,
      maxRows: asked.maxRows ?? null,
      rowsPerSecond: asked.rate ?? null,
      deleteExtra: asked.deleteExtra === true,
      confirm: async (plan: RepairPlan) =>
        asked.yes === true || (await confirmed(plan, screen, (text) => repairText(planOnly(text), options))),
    };
    display.begin(check.name);
    return await repairCheck(check, request, world);
  })();
  if (asked.plan !== undefined && !apply) writePlan(asked.plan, outcome.plan, screen);
  await screen.result(
    asked.format === "json" ? `${JSON.stringify(repairJson(outcome), null, 2)}\n` : repairText(outcome, options),
  );
  if (outcome.failure !== null) tellError(outcome.failure, screen, verbose);
  if (signal.aborted) return tellError(new InterruptedError(), screen, verbose);
  const untold = asked.alert ? await sendRepairNotes(outcome, { project, checks: asked.checks, signal }) : [];
  return worstExit([exitOf(outcome), ...untold.map((failure) => tellError(failure, screen, verbose))]);
}

/** A plan is 0 whatever it says. Applied: 1 where rows were refused or errors remain; 3 where it could not be finished. */
function exitOf({ applied, failure, result, stopped, remaining }: RepairOutcome): ExitCode {
  if (!applied) return 0;
  const codes: ExitCode[] = [0];
  if (failure !== null) codes.push(failure.exit);
  if (stopped !== null || (result?.quarantined ?? 0n) > 0n) codes.push(1);
  if (remaining.some((f) => f.severity === "error" && f.accepted !== true)) codes.push(1);
  return worstExit(codes);
}

function planOnly(plan: RepairPlan): Parameters<typeof repairText>[0] {
  return {
    plan,
    id: plan.id,
    applied: false,
    result: null,
    status: null,
    stopped: null,
    remaining: [],
    undoable: false,
    quarantine: null,
  };
}

/** Asks on a terminal; off a terminal `--apply` is enough. */
export async function confirmed<T>(plan: T, screen: Screen, show: (plan: T) => string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  screen.say(show(plan));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question("Apply this? [y/N] ")).trim());
  } finally {
    terminal.close();
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new FileError(`cannot read ${file}: ${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}`, { cause });
  }
}

function writePlan(file: string, plan: RepairPlan, screen: Screen): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, planText(plan));
  } catch (cause) {
    throw new FileError(`cannot write ${file}: ${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}`, {
      cause,
    });
  }
  screen.say(`the plan is in ${file}; once it is approved: tidemark repair ${plan.check} --plan ${file} --apply`);
}
