import { halfHours, type Scenario } from "./scenario.ts";

const SLOT = `tm_story_${process.pid}`;
const WRITES = "insert into w select repeat('x', 100) from generate_series(1, 5000)";

/** A slot that nobody reads, and half a megabyte of log that it keeps. */
const slot: Pick<Scenario, "on" | "source" | "runs" | "also" | "tidyUp"> = {
  on: ["postgres", "mariadb"],
  source: halfHours(2),
  runs: null,
  also: {
    source: [
      "drop table if exists w; create table w (x text)",
      `select pg_create_logical_replication_slot('${SLOT}', 'test_decoding')`,
      WRITES,
    ],
  },
  tidyUp: { source: `select pg_drop_replication_slot('${SLOT}')` },
};

const binlog: Pick<Scenario, "on" | "source" | "runs"> = {
  on: ["mariadb", "postgres"],
  source: halfHours(2),
  runs: null,
};

/** A scenario for every rule about change data capture, and for what is near it (findings.md §1, Change data capture). */
export const CDC_SCENARIOS: readonly Scenario[] = [
  {
    title: "a slot whose reader is half a megabyte behind",
    ...slot,
    check: { strategy: "cdc", cdc: { slot: SLOT, warn: "100kB", error: "1GB", inactive: "15m" } },
    says: ["slot-inactive warn", "slot-lag warn"],
    silent: ["slot-lost", "log-expired"],
  },
  {
    title: "a slot whose reader is too far behind",
    ...slot,
    check: { strategy: "cdc", cdc: { slot: SLOT, warn: "1kB", error: "100kB", inactive: "15m" } },
    says: ["slot-inactive warn", "slot-lag error"],
  },
  {
    title: "a slot whose reader is behind by no more than is allowed",
    ...slot,
    check: { strategy: "cdc", cdc: { slot: SLOT, warn: "100GB", error: "200GB", inactive: "15m" } },
    says: ["slot-inactive warn"],
    silent: ["slot-lag"],
  },
  {
    title: "a slot that is not there any more",
    ...slot,
    also: {},
    tidyUp: {},
    check: { strategy: "cdc", cdc: { slot: `${SLOT}_gone`, warn: "1GB" } },
    says: ["slot-lost error"],
    silent: ["slot-lag", "slot-inactive"],
  },
  {
    title: "a consumer whose binary log the server no longer has",
    ...binlog,
    check: { strategy: "cdc", cdc: { position: "select 'binlog.000000:4'" } },
    says: ["log-expired error"],
    silent: ["slot-lost"],
  },
  {
    title: "a consumer of whose place nothing is known",
    ...binlog,
    check: { strategy: "cdc", cdc: { position: "select 'nothing of the kind'" } },
    says: [],
    silent: ["log-expired"],
  },
];
