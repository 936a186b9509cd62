import { expect, test } from "vitest";
import type { Advice } from "../../src/domain/advice.ts";
import { SECOND } from "../../src/domain/position.ts";
import type { Trace } from "../../src/domain/trace.ts";
import { adviseCheck } from "../../src/flows/advise.ts";
import { traceRow } from "../../src/flows/trace.ts";
import { whyNone } from "../support/databases.ts";
import { findingLine } from "../support/finding-line.ts";
import { plant } from "../support/pipeline.ts";
import { arriving, halfHours, hourly, type Scenario } from "./pipelines/scenario.ts";

/** What `audit`, `trace` and `advise` say of one and the same ledger. */
type Shape = Scenario & {
  /** By the key as typed: each window that held the row and whether it saw it, then the verdict. */
  readonly traces: { readonly [key: string]: string };
  /** Needed overlap in units of the axis (seconds), and rows lost by policy; null: not asked. */
  readonly advice: string | null;
};

const SHAPES: readonly Shape[] = [
  {
    title: "a key of two columns, one of them text",
    on: ["postgres", "mariadb"],
    source: [
      [[7, "a"], "1 08:30"],
      [[7, "é'3"], "1 09:30"],
      [[8, "a"], "1 10:30"],
    ],
    lost: [[7, "é'3"]],
    runs: hourly(3, (run) => (run === 2 ? { status: "failed" } : {})),
    check: { key: ["id", "part"] },
    says: [
      "failed-not-retried error 1 by 2",
      "missing-rows error 1 < failed-run 1 by 2 observed",
      "no-index/source-key warn",
      "no-index/target-key warn",
    ],
    traces: {
      "7 é'3": "2 no: missing-rows failed-run observed",
      "7 a": "1 ?: whole",
      "8 b": "nowhere: no row has this key, in the source or in the target",
    },
    advice: "0 needed, bounded: wall-clock 0+ data-clock ? overlap 0+",
  },
  {
    title: "a row that only the target has",
    on: ["mariadb", "sqlite"],
    source: halfHours(4).filter(([key]) => key !== 2),
    target: [[2, "1 09:30"]],
    runs: hourly(4),
    says: ["extra-rows warn 1 < hard-delete 1 inferred"],
    traces: { 2: "2 ?: extra-rows hard-delete inferred" },
    advice: null,
  },
  {
    title: "a cursor that counts, and a ledger of numbers",
    on: ["sqlite", "postgres"],
    cursor: "sequence",
    source: [
      [1, 10, "1 08:00"],
      [2, 25, "1 11:00"],
      [3, 30, "1 09:00"],
      [4, 45, "1 10:00"],
      [5, 50, "1 11:30"],
    ],
    lost: [2],
    runs: [
      ["1", 0, 20, { started: "1 08:30" }],
      ["2", 20, 40, { started: "1 09:30" }],
      ["3", 40, 50, { started: "1 12:00" }],
    ],
    says: [
      "closed-ahead-of-clock/recent warn 0 by 1,2 arrivals",
      "missing-rows error 1 < late-commit 1 by 2 observed",
      "overlap-too-small warn 1 observed",
    ],
    traces: { 2: "2 no: missing-rows late-commit observed", 4: "3 yes: whole" },
    advice: "16 needed, observed: wall-clock ? data-clock 1 overlap 0",
  },
  {
    title: "moments without a zone: Prague in the source, New York in the ledger",
    on: ["mariadb", "postgres", "mariadb"],
    source: halfHours(4),
    lost: [3],
    // Prague's 10:30 is New York's 4:30.
    runs: [
      ["1", "1 02:00", "1 03:00"],
      ["2", "1 03:00", "1 04:00"],
      ["3", "1 04:00", "1 05:00", { status: "failed" }],
      ["4", "1 05:00", "1 05:30"],
    ],
    check: {
      source: { timezone: "Europe/Prague" },
      target: { timezone: "Europe/Prague" },
      runs: { timezone: "America/New_York" },
    },
    says: ["failed-not-retried error 1 by 3", "missing-rows error 1 < failed-run 1 by 3 observed"],
    traces: { 3: "3 no: missing-rows failed-run observed", 4: "4 ?: whole" },
    advice: null,
  },
  {
    title: "moments with their zone on one side, without on the other",
    on: ["postgres", "sqlite"],
    source: halfHours(4),
    lost: [2],
    runs: hourly(4),
    also: { source: "set timezone = 'UTC'; alter table t alter at type timestamptz; reset timezone" },
    says: [
      "missing-rows error 1 < undetermined 1 by 2 undetermined",
      "narrower-type/at info",
      "overlap-too-small warn 1 inferred",
    ],
    traces: { 2: "2 ?: missing-rows undetermined undetermined" },
    advice: "1801 needed, bounded: wall-clock 1+ data-clock ? overlap 0+",
  },
  {
    title: "a cursor in seconds since the epoch, and a ledger that keeps them too",
    on: ["mariadb", "sqlite"],
    cursor: "epoch-s",
    source: arriving(4, { 1: "1 08:35", 2: "1 10:05" }),
    lost: [2],
    runs: hourly(4),
    says: ["missing-rows error 1 < late-commit 1 by 2 observed", "overlap-too-small warn 1 observed"],
    traces: { 2: "2 no: missing-rows late-commit inferred", 51: "1 yes: whole" },
    advice: "1801 needed, observed: wall-clock 1 data-clock 1 overlap 0",
  },
  {
    title: "one window tried three times: the last try could read the row and did not",
    on: ["sqlite", "mariadb"],
    source: arriving(4, { 2: "1 10:05" }),
    lost: [2],
    runs: [
      ...hourly(4, (run) => (run === 2 ? { status: "failed" } : {})),
      ["2b", "1 09:00", "1 10:00", { started: "1 10:04", status: "failed" }],
      ["2c", "1 09:00", "1 10:00", { started: "1 10:10", rows: 2 }],
    ],
    says: ["missing-rows error 1 < dropped-in-pipeline 1 by 2c observed"],
    traces: { 2: "2 no, 2b no, 2c yes: missing-rows dropped-in-pipeline observed" },
    advice: "0 needed, observed: wall-clock 0 data-clock 0 overlap 0",
  },
  {
    title: "a run that still goes on holds the row",
    on: ["postgres", "postgres"],
    source: halfHours(5),
    lost: [5],
    runs: [...hourly(4), ["5", "1 11:30", "1 13:00", { started: "2 11:59:30", finished: null, status: "running" }]],
    says: ["pending-rows info 1 < not-due 1 observed"],
    traces: { 5: "5 no: pending-rows not-due observed" },
    advice: null,
  },
  {
    title: "a backfill read the window again, too early",
    on: ["mariadb", "mariadb"],
    source: arriving(4, { 1: "1 08:35", 2: "1 10:20" }),
    lost: [2],
    runs: [...hourly(4), ["b", "1 09:00", "1 10:00", { started: "1 10:10", kind: "backfill" }]],
    says: [
      "missing-rows error 1 < late-commit 1 by 2,b observed",
      "overlap-too-small warn 1 observed",
      "repeated-window info by 2+b",
    ],
    traces: { 2: "2 no, b no: missing-rows late-commit inferred" },
    advice: "1801 needed, observed: wall-clock 1 data-clock 1 overlap 0",
  },
  {
    title:
      "imported rows: one alone cannot be told from a late one for sure, because the lags of the others are not known to be theirs",
    on: ["postgres", "postgres"],
    source: arriving(4, { 1: "1 08:35", 2: "1 10:50", 3: "1 11:21" }),
    lost: [2, 3],
    runs: hourly(4),
    says: ["missing-rows error 2 < old-dated 2 by 2,3 observed", "overlap-too-small warn 2 observed"],
    traces: { 3: "3 no: missing-rows late-commit inferred" },
    advice: "1801 needed, observed: wall-clock 2 data-clock 2 overlap 0",
  },
  {
    title: "the ledger lies in a third database",
    on: ["postgres", "mariadb", "sqlite"],
    source: halfHours(4),
    lost: [2],
    runs: hourly(4, (run) => (run === 2 ? { status: "failed" } : {})),
    says: ["failed-not-retried error 1 by 2", "missing-rows error 1 < failed-run 1 by 2 observed"],
    traces: { 2: "2 no: missing-rows failed-run observed", 3: "3 ?: whole" },
    advice: null,
  },
];

test.for(SHAPES)("$title [$on]", async ({ says, traces, advice, ...pipeline }, { skip }) => {
  const why = whyNone(pipeline.on);
  if (why !== undefined) skip(why);
  await using planted = await plant(pipeline);
  const { findings, error } = await planted.audit();
  const told: Record<string, string> = {};
  for (const key of Object.keys(traces))
    told[key] = traceLine(await planted.ask((check, world) => traceRow(check, key.split(" "), world)));
  const advised = advice === null ? null : adviceLine((await planted.ask(adviseCheck)).advice);
  expect({ error, says: findings.map(findingLine).toSorted(), traces: told, advice: advised }).toEqual({
    error: null,
    says: says.toSorted(),
    traces,
    advice,
  });
});

function traceLine({ windows, verdict, source, target }: Trace): string {
  const saw = (each: boolean | null): string => (each === null ? "?" : each ? "yes" : "no");
  const where =
    source.present || target.present
      ? windows.map((window) => `${window.run.id} ${saw(window.saw)}`).join(", ")
      : "nowhere";
  const { finding, cause, confidence, says } = verdict;
  return `${where}: ${finding === null ? (where === "nowhere" ? says : "whole") : `${finding} ${cause} ${confidence}`}`;
}

function adviceLine({ axis, needed, arrivals, policies }: Advice): string {
  const lost = policies.map(
    ({ policy, rowsLost, exact }) => `${policy} ${rowsLost ?? "?"}${rowsLost === null || exact ? "" : "+"}`,
  );
  return `${axis === "time" ? needed / SECOND : needed} needed, ${arrivals}: ${lost.join(" ")}`;
}
