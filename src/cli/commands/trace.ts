import type { AddCommand, CommonOptions } from "../program.ts";
import { oneOf } from "../words.ts";

/** Forms that one answer may take. */
export const ANSWER_FORMATS = ["terminal", "json"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Options of a command that answers about one check. */
export type AnswerOptions = CommonOptions & { readonly format: AnswerFormat };

/** `tidemark trace <check> <key…>`: one row's story. */
export const addTrace: AddCommand = (program, around, finish) => {
  program
    .command("trace")
    .description("one row's story: both copies, every window that held it, which run lost it and why")
    .argument("<check>", "the check")
    .argument("<key...>", "the row's key, a value a key column")
    .option("--format <format>", "terminal or json", oneOf("--format", ANSWER_FORMATS), "terminal")
    .addHelpText(
      "after",
      "\nExamples:\n  tidemark trace grades 4711\n  tidemark trace stock Alpha 'vé3' --format json\n",
    )
    .action(
      async (check: string, key: readonly string[], _: unknown, command: { optsWithGlobals(): AnswerOptions }) => {
        const { answerTrace } = await import("../answer.ts");
        finish(await answerTrace(check, key, command.optsWithGlobals(), around));
      },
    );
};
