import type { AddCommand, CommonOptions } from "../program.ts";

/** What `tidemark demo` was asked for. `keep`: in files that stay, to go on with. */
export type DemoCommand = CommonOptions & { readonly folder: string; readonly keep: boolean };

/** `tidemark demo [DIR]`. */
export const addDemo: AddCommand = (program, around, finish) => {
  program
    .command("demo")
    .description("the two-clock story, end to end, on a database of its own")
    .argument("[dir]", "the folder for its checks and reports", "tidemark-demo")
    .option("--keep", "keep its tables, in SQLite files, to try more commands on", false)
    .addHelpText(
      "after",
      `
A database server is started for it where npm's PostgreSQL is installed, and is gone afterwards; elsewhere, and
with --keep, it takes SQLite files, which stay. A folder that \`demo\` did not make is left alone.

Examples:
  tidemark demo
  tidemark demo --keep
  tidemark audit --checks tidemark-demo/checks`,
    )
    .action(async (folder: string, _: unknown, command: { optsWithGlobals(): CommonOptions & { keep: boolean } }) => {
      const { runDemo } = await import("../demo/run-demo.ts");
      finish(await runDemo({ ...command.optsWithGlobals(), folder }, around));
    });
};
