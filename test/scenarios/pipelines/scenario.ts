import type { CauseCode, FindingCode } from "../../../src/domain/codes.ts";
import type { Pipeline, StoryRow, StoryRun } from "../../support/pipeline.ts";

/** A pipeline, and all that an audit of it must say: one line a finding, as `findingLine` writes it, and nothing else. */
export type Scenario = Pipeline & {
  /** What happened. */
  readonly title: string;
  /** Every finding of the report. */
  readonly says: readonly string[];
  /** What is near here and must not be said. */
  readonly silent?: readonly (FindingCode | CauseCode)[];
};

const hour = (n: number, minute = "00"): string => `1 ${String(n).padStart(2, "0")}:${minute}`;

/** Rows 1 … n of half past eight, half past nine … */
export const halfHours = (n: number): readonly StoryRow[] =>
  Array.from({ length: n }, (_, i) => [i + 1, hour(8 + i, "30")]);

/** Rows 51 … of nine, ten … as many as come before the last half hour. */
const fullHours = (n: number): readonly StoryRow[] => Array.from({ length: n - 1 }, (_, i) => [51 + i, hour(9 + i)]);

/** Runs 1 … n over the hours from eight on, each started when its hour was over; the last ends with the last row, at half past. */
export const hourly = (n: number, more: (run: number) => StoryRun[3] = () => ({})): readonly StoryRun[] =>
  Array.from({ length: n }, (_, i) => [
    `${i + 1}`,
    hour(8 + i),
    i + 1 === n ? hour(8 + i, "30") : hour(9 + i),
    more(i + 1) ?? {},
  ]);

/**
 * Rows of `halfHours`, each visible at once but for those that say otherwise (`late`), and one at each full hour: so that the data clock
 * stands at the right end of every window when it is read.
 */
export const arriving = (n: number, late: Readonly<Record<number, string>> = {}): readonly StoryRow[] => [
  ...halfHours(n).map(([key, at]): StoryRow => [key, at, late[Number(key)] ?? String(at)]),
  ...fullHours(n).map(([key, at]): StoryRow => [key, at, late[Number(key)] ?? String(at)]),
];
