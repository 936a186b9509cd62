import { expect, test } from "vitest";
import { traceRow } from "../../src/flows/trace.ts";
import { describeEngine } from "../support/databases.ts";
import { findingLine } from "../support/finding-line.ts";
import { type Pipeline, plant } from "../support/pipeline.ts";
import { arriving, halfHours, hourly } from "./pipelines/scenario.ts";

describeEngine("postgres", "what a ledger does not say", () => {
  test("an earlier audit saw where the data clock stood: it is the witness when nothing else is", async () => {
    await using planted = await plant({
      on: ["postgres", "postgres"],
      source: halfHours(2),
      runs: hourly(3).slice(0, 2).with(1, ["2", "1 09:00", "1 09:30"]),
    });
    expect((await planted.audit({ now: "1 11:10" })).findings.map(findingLine)).toEqual([]);
    // The run at eleven closed over what came after the audit of ten past.
    await planted.target.run(
      "insert into runs (id, from_at, to_at, started, finished, status) values ('3', '2026-06-01 09:30', '2026-06-01 11:00', '2026-06-01 11:00:05', '2026-06-01 11:01', 'success')",
    );
    await planted.source.run("insert into t (id, at, v) values (3, '2026-06-01 10:30', 'late')");
    expect((await planted.audit()).findings.map(findingLine).toSorted()).toEqual([
      "closed-ahead-of-clock error 1 by 3 observations",
      "missing-rows error 1 < closed-ahead-of-clock 1 by 3 observed",
    ]);
  });

  test("lines that cannot be read are told, and leave the audit incomplete; the others are judged", async () => {
    await using planted = await plant({
      on: ["postgres", "postgres"],
      source: halfHours(4),
      lost: [2],
      runs: hourly(4, (run) => (run === 2 ? { status: "failed" } : {})),
      also: { target: "alter table runs alter to_at type text; update runs set to_at = 'soon' where id = '4'" },
    });
    const { verdict, error, findings } = await planted.audit();
    expect({ verdict, code: error?.code }).toEqual({ verdict: "incomplete", code: "ledger" });
    expect(error?.message).toContain("run 4");
    expect(findings.map(findingLine)).toContain("missing-rows error 1 < failed-run 1 by 2 observed");
  });
});

describeEngine("sqlite", "a scheduler that gives every try of a window the same id", () => {
  const tries: Pipeline = {
    on: ["sqlite", "sqlite"],
    source: arriving(4, { 1: "1 08:35", 2: "1 10:20" }),
    lost: [2],
    runs: [
      ...hourly(4),
      ["2", "1 09:00", "1 10:00", { started: "1 10:03", status: "failed" }],
      ["2", "1 09:00", "1 10:00", { started: "1 10:10" }],
    ],
  };
  test("each try is a run of its own, and the id is said", async () => {
    await using planted = await plant(tries);
    const { findings, runs } = await planted.audit();
    expect(runs).toMatchObject({ read: 6, successful: 5 });
    expect(findings.map(findingLine).toSorted()).toEqual([
      "missing-rows error 1 < late-commit 1 by 2 observed",
      "overlap-too-small warn 1 observed",
      "repeated-window info by 2+2",
    ]);
    expect(findings[0]?.causes).toMatchObject([{ runs: ["2"], runs_total: 1, evidence: { rows_by_run: { 2: 1 } } }]);
    expect(findings[0]?.causes[0]?.says).toContain("after run 2 had read");
    const { windows } = await planted.ask((check, world) => traceRow(check, ["2"], world));
    expect(windows.map(({ run, saw }) => [run.id, run.status, saw])).toEqual([
      ["2", "success", false],
      ["2", "failed", false],
      ["2", "success", false],
    ]);
  });
});
