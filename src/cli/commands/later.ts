import { UsageError } from "../../domain/errors.ts";
import type { AddCommand } from "../program.ts";

const LATER: readonly (readonly [name: string, what: string])[] = [
  ["repair", "put lost rows back, bounded and undoable"],
  ["undo", "put back what a repair did"],
  ["trace", "one row's story"],
  ["advise", "the overlap that loses nothing"],
  ["sync", "run the next window safely"],
  ["record", "write a ledger line from any pipeline"],
  ["init", "write checks for the tables both sides have"],
  ["doctor", "connections, privileges, indexes, clocks, settings"],
  ["report", "past runs"],
];

/** Commands that the interface names and this version lacks: each says so and does nothing, whatever its arguments. */
export const addLater: AddCommand = (program) => {
  for (const [name, what] of LATER)
    program
      .command(name)
      .description(`(later) ${what}`)
      .argument("[arguments...]", "comes with a later version")
      .allowUnknownOption()
      .action((given: readonly string[]) => {
        const asked = [name, ...given].join(" ");
        throw new UsageError(`${asked}: \`tidemark ${name}\` comes with a later version`, {
          hint: "this one has audit, merge, schema and demo",
        });
      });
};
