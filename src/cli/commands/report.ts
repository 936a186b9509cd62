import type { AddCommand } from "../program.ts";
import { oneOf } from "../words.ts";
import { ANSWER_FORMATS, type AnswerOptions } from "./trace.ts";

/** What `tidemark report` was asked for. */
export type ReportCommand = AnswerOptions & { readonly all?: true };

/** `tidemark report [run]`: past runs, or one of them again. */
export const addReport: AddCommand = (program, around, finish) => {
  program
    .command("report")
    .description("past runs; one of them again; where its HTML is")
    .argument("[run]", "a run as the list calls it, the beginning of its time, or `latest`")
    .option("--all", "every run that is known, not only the newest")
    .option("--format <format>", "terminal or json", oneOf("--format", ANSWER_FORMATS), "terminal")
    .addHelpText(
      "after",
      `
Examples:
  tidemark report                        the newest runs
  tidemark report latest                 the last one again
  tidemark report 2026-06-02T01          the one that began then
  tidemark report latest --format json   its JSON report
`,
    )
    .action(async (run: string | undefined, _: unknown, command: { optsWithGlobals(): ReportCommand }) => {
      const { runReport } = await import("../run-report.ts");
      finish(await runReport(run ?? null, command.optsWithGlobals(), around));
    });
};
