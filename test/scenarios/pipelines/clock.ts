import { halfHours, hourly, type Scenario } from "./scenario.ts";

const quiet = { runs: hourly(4), source: halfHours(4) } as const;

/** A scenario for every rule about clocks, and for what is near it (findings.md §1, Clock). */
export const CLOCK_SCENARIOS: readonly Scenario[] = [
  {
    title: "the source has been standing for longer than is allowed, the target is only warned of",
    on: ["sqlite", "postgres"],
    ...quiet,
    check: { expect: { freshness: { warn: "6h", error: "24h" } } },
    says: ["stale-source error", "stale-target error"],
  },
  {
    title: "a day and a half hour old is old, and not too old",
    on: ["postgres", "mariadb"],
    ...quiet,
    check: { expect: { freshness: { warn: "24h", error: "25h" } } },
    says: ["stale-source warn", "stale-target warn"],
  },
  {
    title: "as old as is allowed",
    on: ["mariadb", "sqlite"],
    ...quiet,
    check: { expect: { freshness: { warn: "24h30m" } } },
    says: [],
    silent: ["stale-source", "stale-target"],
  },
  {
    title: "rows of the future make nothing fresh",
    on: ["postgres", "sqlite"],
    ...quiet,
    source: [...halfHours(4), [9, "9 08:00"]],
    check: { expect: { freshness: { warn: "6h" } } },
    says: ["future-cursor error 1", "stale-source warn", "stale-target warn"],
  },
  {
    title: "an empty target is stale",
    on: ["mariadb", "mariadb"],
    source: [],
    runs: null,
    check: { expect: { freshness: { error: "100d" } } },
    says: ["stale-source error", "stale-target error"],
  },
  {
    title: "the source is behind its origin, though young enough by the clock on the wall",
    on: ["mariadb", "postgres"],
    ...quiet,
    now: "1 12:00",
    also: {
      source:
        "drop table if exists o; create table o as select * from t; insert into o (id, at) values (9, '2026-06-01 11:55:00')",
    },
    check: { origin: { connection: "src", table: "o", timezone: "UTC" }, expect: { freshness: { warn: "20m" } } },
    says: ["stale-source warn", "stale-target warn"],
  },
  {
    title: "the source is old, and no older than its origin",
    on: ["postgres", "postgres"],
    ...quiet,
    also: { source: "drop table if exists o; create table o as select * from t" },
    check: { origin: { connection: "src", table: "o", timezone: "UTC" }, expect: { freshness: { warn: "1h" } } },
    says: ["stale-target warn"],
    silent: ["stale-source"],
  },
  {
    title: "a row without a cursor that the target has all the same",
    on: ["mariadb", "postgres"],
    ...quiet,
    source: [...halfHours(4), [9, null]],
    says: ["null-cursor warn 1"],
    silent: ["missing-rows"],
  },
  {
    title: "a cursor a little ahead of now, as clocks differ",
    on: ["sqlite", "sqlite"],
    ...quiet,
    source: [...halfHours(4), [9, "2 12:05"]],
    says: [],
    silent: ["future-cursor"],
  },
  {
    title: "more rows share one cursor than the pipeline reads at a time",
    on: ["mariadb", "sqlite"],
    ...quiet,
    source: [...halfHours(4), [7, "1 10:30"], [8, "1 10:30"]],
    check: { cursor: { page: 2 } },
    says: ["cursor-ties warn 3"],
  },
  {
    title: "as many rows share one cursor as a page holds",
    on: ["postgres", "mariadb"],
    ...quiet,
    source: [...halfHours(4), [7, "1 10:30"], [8, "1 10:30"]],
    check: { cursor: { page: 3 } },
    says: [],
    silent: ["cursor-ties"],
  },
  {
    title: "a cursor of whole seconds in a type that holds more",
    on: ["postgres", "sqlite"],
    source: Array.from({ length: 120 }, (_, i) => [
      i + 1,
      `1 08:${String(10 + (i % 50))}:${String(i % 60).padStart(2, "0")}`,
    ]),
    runs: [["1", "1 08:00", "1 08:59:49"]],
    says: ["cursor-precision info"],
  },
  {
    title: "the target's newest row is newer than the source's",
    on: ["sqlite", "postgres"],
    ...quiet,
    target: [[9, "1 11:45"]],
    says: ["extra-rows warn 1 < undetermined 1 undetermined", "target-ahead warn"],
  },
];
