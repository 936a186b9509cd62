import { UsageError } from "../../domain/errors.ts";
import { readRange } from "../../domain/range.ts";
import type { AddCommand, CommonOptions } from "../program.ts";
import { oneOf } from "../words.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "./trace.ts";

/** What `tidemark repair` was asked for, proven as far as that goes without a check file. */
export type RepairCommand = CommonOptions & {
  readonly check: string;
  readonly range?: string;
  readonly run?: string;
  readonly report?: string;
  readonly plan?: string;
  readonly apply?: true;
  readonly resume?: true;
  readonly maxRows?: number;
  readonly rate?: number;
  readonly deleteExtra?: true;
  readonly yes?: true;
  readonly alert: boolean;
  readonly format: AnswerFormat;
};

/** `tidemark repair <check>`. */
export const addRepair: AddCommand = (program, around, finish) => {
  program
    .command("repair")
    .description("plan a backfill (writes nothing); with --apply do it: bounded, resumable, undoable, verified")
    .argument("<check>", "the check")
    .option("--range <range>", "these rows: FROM..TO on the cursor, key:FROM..TO, run:ID", (text) => {
      readRange(text);
      return text;
    })
    .option("--run <id>", "the rows of this run's window")
    .option("--report <file>", "the rows of a JSON report's findings")
    .option("--plan <file>", "write the plan; with --apply, apply this approved plan")
    .option("--apply", "write to the target")
    .option("--resume", "go on with the repair that was interrupted")
    .option("--max-rows <n>", "how many rows may be written at most", wholeNumber("--max-rows"))
    .option("--rate <n/s>", "rows a second at most", rateOf)
    .option("--delete-extra", "delete rows that only the target has (1 % of its rows at most)")
    .option("--yes", "ask no question on a terminal")
    .option("--no-alert", "send no note to the Slack alerts of tidemark.yaml")
    .option("--format <format>", "terminal or json", oneOf("--format", ANSWER_FORMATS), "terminal")
    .addHelpText(
      "after",
      `
Without --apply nothing is written. Without --range, --run, --report or an approved plan it is about the whole check.

Examples:
  tidemark repair grades --range 2026-06-01..2026-06-03           what would be done
  tidemark repair grades --range 2026-06-01..2026-06-03 --apply   do it
  tidemark repair grades --run 812 --plan plan.json               a plan for somebody's approval
  tidemark repair grades --plan plan.json --apply                 the approved plan
  tidemark repair grades --apply --resume                         go on after Ctrl-C
`,
    )
    .action(async (check: string, _: unknown, command: { optsWithGlobals(): Omit<RepairCommand, "check"> }) => {
      const asked: RepairCommand = { ...command.optsWithGlobals(), check };
      refuseTogether(asked);
      const { runRepair } = await import("../run-repair.ts");
      finish(await runRepair(asked, around));
    });
};

/** Options that say which rows exclude each other; an approved plan brings its own bounds. */
function refuseTogether(asked: RepairCommand): void {
  const approved = asked.apply === true && asked.plan !== undefined;
  const rows = [
    ["--range", asked.range],
    ["--run", asked.run],
    ["--report", asked.report],
    ...(approved ? ([["--plan with --apply", asked.plan]] as const) : []),
  ].flatMap(([option, given]) => (given === undefined ? [] : [option]));
  if (rows.length > 1) throw new UsageError(`${rows.join(" and ")} each say which rows; expected one of them`);
  if (approved && (asked.maxRows !== undefined || asked.deleteExtra !== undefined))
    throw new UsageError(
      "an approved plan brings its own bounds; --max-rows and --delete-extra would change what was approved",
    );
  if (asked.resume === true && asked.plan !== undefined)
    throw new UsageError("--resume goes on with what was begun, --plan is about what is to be; expected one of them");
}

/** A whole number of one or more. */
function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,12}$/.test(text)) throw new UsageError(`${option} ${text}: a whole number was expected`);
    return Number(text);
  };
}

function rateOf(text: string): number {
  const rate = /^(\d{1,9})(\/s)?$/.exec(text.trim())?.[1];
  if (rate === undefined || Number(rate) === 0)
    throw new UsageError(`--rate ${text}: rows a second were expected, such as 5000/s`);
  return Number(rate);
}
