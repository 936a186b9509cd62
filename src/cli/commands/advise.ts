import type { AddCommand } from "../program.ts";
import { oneOf } from "../words.ts";
import { ANSWER_FORMATS, type AnswerOptions } from "./trace.ts";

/** `tidemark advise <check>`: the overlap that would have lost nothing. */
export const addAdvise: AddCommand = (program, around, finish) => {
  program
    .command("advise")
    .description("replay the ledger under three policies; the overlap that loses nothing")
    .argument("<check>", "the check")
    .option("--format <format>", "terminal or json", oneOf("--format", ANSWER_FORMATS), "terminal")
    .addHelpText("after", "\nExamples:\n  tidemark advise grades\n  tidemark advise grades --format json\n")
    .action(async (check: string, _: unknown, command: { optsWithGlobals(): AnswerOptions }) => {
      const { answerAdvise } = await import("../answer.ts");
      finish(await answerAdvise(check, command.optsWithGlobals(), around));
    });
};
