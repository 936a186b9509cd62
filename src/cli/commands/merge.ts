import { FAIL_ON, type FailOn } from "../exit-code.ts";
import { addFormat, type Output, outputsOf } from "../formats.ts";
import type { AddCommand, CommonOptions } from "../program.ts";
import { oneOf } from "../words.ts";

type MergeOptions = CommonOptions & { readonly format?: readonly Output[]; readonly failOn: FailOn };

/** `tidemark merge FILE…`: one report of the parts that several runners wrote. */
export const addMerge: AddCommand = (program, { screen }, finish) => {
  program
    .command("merge")
    .description("join the JSON reports of several runners")
    .argument("<file...>", "JSON reports, as `audit --format json=FILE` writes them")
    .option("--format <format>", FORMAT_HELP, addFormat)
    .option("--fail-on <severity>", FAIL_ON_HELP, oneOf("--fail-on", FAIL_ON), "error")
    .addHelpText(
      "after",
      `
A page (--format html=FILE) has the pictures of every part that was made with --shard, where what they are drawn from
still lies beside its report (part-1.pictures.json by part-1.json).

Examples:
  tidemark audit --shard 1/2 --format json=part-1.json
  tidemark audit --shard 2/2 --format json=part-2.json
  tidemark merge part-1.json part-2.json --format json=all.json --format html=all.html
`,
    )
    .action(async (files: readonly string[], _: unknown, command: { optsWithGlobals(): MergeOptions }) => {
      const options = command.optsWithGlobals();
      const outputs = outputsOf(options.format);
      const { mergeReports } = await import("../merge-reports.ts");
      const { publish } = await import("../publish.ts");
      const { report, details, without } = mergeReports(files);
      if (outputs.some(({ format }) => format === "html"))
        for (const { file, why } of without)
          screen.say(`the page has no pictures of the checks in ${file}: ${why}; \`audit --shard\` writes them there`);
      finish(
        await publish(
          report,
          { outputs, failOn: options.failOn, keepIn: null, details, checks: options.checks },
          screen,
        ),
      );
    });
};

/** What help says of options that several commands take. */
export const FORMAT_HELP =
  "terminal, json, markdown, html, junit, github or prometheus; FORMAT=FILE writes to a file; repeatable (default: terminal)";
export const FAIL_ON_HELP = "the severity that makes exit code 1: error, warn, never";
