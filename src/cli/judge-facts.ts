import { nearest } from "../domain/nearest.ts";
import { UsageError } from "../domain/errors.ts";
import { type Appraised, appraise } from "../flows/appraise.ts";
import type { AuditOptions } from "../flows/ports.ts";
import type { AuditCommand } from "./commands/audit.ts";
import type { ExitCode } from "./exit-code.ts";
import { readFacts, type SavedCheck } from "./facts-file.ts";
import type { Around } from "./program.ts";
import { publish } from "./publish.ts";
import { reportOf } from "./report-of.ts";
import { shardOf } from "./shard.ts";

/** Judges again what an earlier audit read: no database, no state, no check file. */
export async function judgeFacts(asked: AuditCommand, { screen }: Around): Promise<ExitCode> {
  const file = asked.facts ?? "";
  for (const [option, given] of [
    ["--range", asked.range],
    ["--exact", asked.exact],
    ["--gentle", asked.gentle],
    ["--save-facts", asked.saveFacts],
    ["--alert", asked.alert === true ? true : undefined],
  ] as const)
    if (given !== undefined)
      throw new UsageError(
        `${option} asks for a database, and --facts judges what was read already; expected one of them`,
      );
  const { header, finished, checks } = readFacts(file);
  const named = checks.map((saved) => ({ name: saved.check, saved }));
  const chosen = choose(named, asked.names, file);
  const part = asked.shard === undefined ? chosen : shardOf(chosen, asked.shard);
  const options = { ...header.options, only: asked.only ?? header.options.only };
  const appraised = part.map(({ name, saved }) => ({ name, ...appraiseAgain(saved, options) }));
  const details = new Map(appraised.flatMap(({ name, detail }) => (detail === null ? [] : [[name, detail] as const])));
  const report = reportOf(
    appraised.map((each) => each.report),
    { started: header.started, finished },
  );
  return await publish(
    report,
    {
      outputs: asked.outputs,
      failOn: asked.failOn,
      keepIn: null,
      only: options.only,
      details,
      part: asked.shard !== undefined,
      checks: asked.checks,
    },
    screen,
  );
}

/** What had stopped a check then stops it now; its time is the time it took. */
function appraiseAgain({ facts, differences, known, report }: SavedCheck, options: AuditOptions): Appraised {
  if (facts === null) return { report, detail: null };
  const { error, seconds } = report;
  const again = appraise(facts, differences, options, known, { finished: error === null, pictures: true });
  return {
    report: { ...again.report, ...(error === null ? {} : { verdict: "incomplete", error }), seconds },
    detail: again.detail,
  };
}

type Named = { readonly name: string; readonly saved: SavedCheck };

function choose(all: readonly Named[], names: readonly string[], file: string): readonly Named[] {
  if (names.length === 0) return all;
  const known = all.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const [best] = nearest(name, known);
    throw new UsageError(`${file} holds no check ${name}${best === undefined ? "" : `; did you mean ${best}?`}`, {
      hint: `it holds ${known.join(", ") || "none"}`,
    });
  }
  return all.filter(({ name }) => names.includes(name));
}
