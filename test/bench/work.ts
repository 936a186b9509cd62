/** 30 days of the 10-column table: 199,384 rows, however many there are. */
const DAYS = { from: "2020-01-05T00:00:00Z", to: "2020-02-04T00:00:00Z" } as const;
/** The same as a condition in both servers' words. */
export const RANGE = `created_at >= '${DAYS.from.slice(0, 10)}' and created_at < '${DAYS.to.slice(0, 10)}'`;

/** What is done with a table, and what it is measured against. */
export type Work = {
  readonly name: string;
  readonly says: string;
  /** The copy that is the target. */
  readonly copy: string;
  readonly args: readonly string[];
  /** What it is measured against. */
  readonly floor: "whole" | "range" | "keys";
  /** Only for the first table. */
  readonly first?: boolean;
};
/** All of it. */
export const WORK: readonly Work[] = [
  { name: "equal", says: "equal", copy: "equal", args: [], floor: "whole" },
  { name: "one", says: "one differing row", copy: "one", args: [], floor: "whole" },
  { name: "many", says: "3 + 500 + 20 differences", copy: "many", args: [], floor: "whole" },
  { name: "percent", says: "1 % changed everywhere", copy: "percent", args: [], floor: "whole" },
  { name: "third", says: "30 % missing here and there", copy: "third", args: [], floor: "whole" },
  { name: "column", says: "every row changed in one column", copy: "column", args: [], floor: "whole" },
  { name: "empty", says: "empty target", copy: "empty", args: [], floor: "keys" },
  {
    name: "range",
    says: "30 days by cursor",
    copy: "equal",
    args: ["--range", `${DAYS.from}..${DAYS.to}`],
    floor: "range",
    first: true,
  },
];

/** At most so many times the floor, or the equal tables, for a million rows or ten of the first table. */
export const GOALS: Readonly<Record<string, { readonly floor?: number; readonly equal?: number }>> = {
  "pg-pg equal": { floor: 1.5 },
  "pg-pg many": { equal: 1.15 },
  "pg-pg one": { equal: 1.15 },
  "pg-pg column": { equal: 3 },
  "pg-pg empty": { floor: 1.5 },
  "pg-maria equal": { floor: 1.25 },
  "pg-maria many": { floor: 1.25 },
  "maria-maria equal": { floor: 1.3 },
};

/** What each copy of so many rows differs in. */
export const PLANTED: Readonly<Record<string, (n: number) => string>> = {
  equal: () => "nothing",
  range: () => "nothing",
  one: () => "changed-rows 1",
  many: () => "missing-rows 500, changed-rows 3, extra-rows 20",
  percent: (n) => `changed-rows ${Math.floor(n / 100)}`,
  third: (n) => `missing-rows ${Math.ceil(n * 0.3)}`,
  column: (n) => `changed-rows ${n}`,
  empty: (n) => `missing-rows ${n}`,
};
