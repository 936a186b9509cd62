import type { AddCommand, CommonOptions } from "../program.ts";
import { oneOf } from "../words.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "./trace.ts";

/** What `tidemark undo` was asked for. */
export type UndoCommand = CommonOptions & {
  readonly id: string;
  readonly apply?: true;
  readonly yes?: true;
  readonly format: AnswerFormat;
};

/** `tidemark undo <repair-id>`. */
export const addUndo: AddCommand = (program, around, finish) => {
  program
    .command("undo")
    .description("put back what a repair did; rows that have changed since are left alone (a plan; --apply does it)")
    .argument("<repair-id>", "the repair, as it called itself when it ended")
    .option("--apply", "write to the target")
    .option("--yes", "ask no question on a terminal")
    .option("--format <format>", "terminal or json", oneOf("--format", ANSWER_FORMATS), "terminal")
    .addHelpText(
      "after",
      "\nExamples:\n  tidemark undo 3f9a2c1b7d10-20260602T010000\n  tidemark undo 3f9a2c1b7d10-20260602T010000 --apply\n",
    )
    .action(async (id: string, _: unknown, command: { optsWithGlobals(): Omit<UndoCommand, "id"> }) => {
      const { runUndo } = await import("../run-undo.ts");
      finish(await runUndo({ ...command.optsWithGlobals(), id }, around));
    });
};
