import { UsageError } from "../../domain/errors.ts";
import type { AddCommand, CommonOptions } from "../program.ts";

const LATER: readonly (readonly [name: string, what: string])[] = [
  ["sync", "run the next window safely"],
  ["record", "write a ledger line from any pipeline"],
  ["init", "write checks for the tables both sides have"],
  ["doctor", "connections, privileges, indexes, clocks, settings"],
];

/** Those whose first argument is a check: its mistakes, or that there is none, are worth more than to hear what is missing. */
const OF_A_CHECK: ReadonlySet<string> = new Set(["sync"]);

/** Commands that the interface names and this version lacks: each says so and does nothing. */
export const addLater: AddCommand = (program, { screen }) => {
  for (const [name, what] of LATER)
    program
      .command(name)
      .description(`(later) ${what}`)
      .argument("[arguments...]", "comes with a later version")
      .allowUnknownOption()
      .action(async (given: readonly string[], _: unknown, command: { optsWithGlobals(): CommonOptions }) => {
        const check = given.find((word) => !word.startsWith("-"));
        if (OF_A_CHECK.has(name) && check !== undefined) {
          const { openProject } = await import("../open-project.ts");
          await openProject(command.optsWithGlobals().checks, [check], screen);
        }
        throw new UsageError(`\`tidemark ${name}\` comes with a later version`, {
          hint: "this one has audit, repair, undo, trace, advise, report, merge, schema and demo",
        });
      });
};
