import { FINDING_GROUPS, type FindingGroup } from "../../domain/codes.ts";
import { readRange } from "../../domain/range.ts";
import { FAIL_ON, type FailOn } from "../exit-code.ts";
import { addFormat, type Output, outputsOf } from "../formats.ts";
import type { AddCommand, CommonOptions } from "../program.ts";
import { parseShard, type Shard } from "../shard.ts";
import { oneOf, someOf } from "../words.ts";
import { FAIL_ON_HELP, FORMAT_HELP } from "./merge.ts";

/** What `tidemark audit` was asked for, proven as far as that goes without a check file. */
export type AuditCommand = CommonOptions & {
  readonly names: readonly string[];
  readonly range?: string;
  readonly only?: readonly FindingGroup[];
  readonly outputs: readonly Output[];
  readonly failOn: FailOn;
  readonly shard?: Shard;
  readonly alert?: boolean;
  readonly exact?: true;
  readonly gentle?: true;
  readonly saveFacts?: string;
  readonly facts?: string;
};

const GROUPS = Object.keys(FINDING_GROUPS) as readonly FindingGroup[];

/** `tidemark audit [check…]`. */
export const addAudit: AddCommand = (program, around, finish) => {
  program
    .command("audit")
    .description("compare source and target, audit the ledger, explain, report, alert")
    .argument("[check...]", "names of checks (default: all)")
    .option("--range <range>", "only this stretch: FROM..TO on the cursor, key:FROM..TO, run:ID", (text) => {
      readRange(text);
      return text;
    })
    .option("--only <groups>", `only these findings: ${GROUPS.join(",")}`, someOf("--only", GROUPS))
    .option("--format <format>", FORMAT_HELP, addFormat)
    .option("--fail-on <severity>", FAIL_ON_HELP, oneOf("--fail-on", FAIL_ON), "error")
    .option(
      "--shard <part/parts>",
      "this runner's part of the checks, such as 2/8; join the reports with `merge`",
      parseShard,
    )
    .option("--alert", "tell the alerts of tidemark.yaml what is new (default: where there are any)")
    .option("--no-alert", "tell nobody; what is new is told by the next audit that may")
    .option("--exact", "compare values row by row, trusting no checksum")
    .option(
      "--gentle",
      "spare production servers: one check and connection at a time, short statements, pauses (about 3 × as long)",
    )
    .option("--save-facts <file>", "keep what was read, keys included")
    .option("--facts <file>", "judge what --save-facts kept, without a database")
    .addHelpText(
      "after",
      `
Examples:
  tidemark audit                              all checks of ./checks
  tidemark audit grades --range -3d..         one check, the last three days
  tidemark audit --only rows,schema --fail-on warn
  tidemark audit --format terminal --format json=report.json
  tidemark audit --shard 1/4 --format json=part-1.json
  tidemark audit --save-facts facts.jsonl; tidemark audit --facts facts.jsonl
`,
    )
    .action(
      async (
        names: readonly string[],
        _: unknown,
        command: { optsWithGlobals(): AuditCommand & { format?: readonly Output[] } },
      ) => {
        const options = command.optsWithGlobals();
        const asked: AuditCommand = { ...options, names, outputs: outputsOf(options.format) };
        if (asked.facts === undefined) {
          const { runAudit } = await import("../run-audit.ts");
          finish(await runAudit(asked, around));
        } else {
          const { judgeFacts } = await import("../judge-facts.ts");
          finish(await judgeFacts(asked, around));
        }
      },
    );
};
