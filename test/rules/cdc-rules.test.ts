import { describe, expect, test } from "vitest";
import type { CaptureSettings } from "../../src/domain/check.ts";
import type { Bytes, Duration } from "../../src/domain/duration.ts";
import type { CdcFacts } from "../../src/domain/facts.ts";
import { size } from "../../src/rules/size.ts";
import { findings, severities } from "../support/findings.ts";
import { HOUR, MINUTE, t, type Timeline } from "../support/timeline.ts";

type Slot = NonNullable<CdcFacts["slot"]>;
const SLOT: Slot = {
  name: "orders",
  active: true,
  walStatus: "reserved",
  invalidationReason: null,
  restartLag: 10n,
  confirmedLag: 5n,
  inactiveFor: null,
  safeBytes: null,
};
const SETTINGS: CaptureSettings = {
  slot: "orders",
  warn: 1000n as Bytes,
  error: 10_000n as Bytes,
  inactive: (15n * MINUTE) as Duration,
  binlogRetention: (24n * HOUR) as Duration,
  position: null,
};
const LOG: NonNullable<CdcFacts["log"]> = {
  retention: null,
  oldestFile: "bin.7",
  consumerFile: "bin.3",
  holdsPosition: true,
};

const capture = (cdc: Partial<CdcFacts>): Timeline => ({
  rows: [{ id: 1, x: t("1 10:00") }],
  runs: null,
  check: { strategy: "cdc", cdc: SETTINGS },
  facts: (facts) => ({ ...facts, cdc: { slot: null, slotMissing: null, bytesPerSecond: null, log: null, ...cdc } }),
});
const slot = (changes: Partial<Slot>, more: Partial<CdcFacts> = {}): Timeline =>
  capture({ slot: { ...SLOT, ...changes }, ...more });
const log = (changes: Partial<typeof LOG>): Timeline => capture({ log: { ...LOG, ...changes } });

describe("slot-lost", () => {
  test("is an error for a lost, an invalidated and a missing slot", () => {
    expect(severities("slot-lost", slot({}))).toEqual([]);
    expect(severities("slot-lost", slot({ walStatus: "unreserved" }))).toEqual([]);
    expect(severities("slot-lost", slot({ walStatus: "lost", restartLag: null, confirmedLag: null }))).toEqual([
      "error",
    ]);
    expect(findings("slot-lost", slot({ invalidationReason: "wal_removed" }))[0]?.says).toContain("wal_removed");
    expect(severities("slot-lost", capture({ slotMissing: "orders" }))).toEqual(["error"]);
  });
});

describe("slot-lag", () => {
  test("takes the larger of what is kept and what is not confirmed, from the threshold on", () => {
    expect(severities("slot-lag", slot({ restartLag: 999n }))).toEqual([]);
    expect(severities("slot-lag", slot({ restartLag: 1000n }))).toEqual(["warn"]);
    expect(severities("slot-lag", slot({ confirmedLag: 10_000n }))).toEqual(["error"]);
    expect(severities("slot-lag", slot({ restartLag: null, confirmedLag: null }))).toEqual([]);
  });
  test("says how much time is left at the measured rate", () => {
    const [found] = findings("slot-lag", slot({ restartLag: 5000n, safeBytes: 36_000n }, { bytesPerSecond: 10 }));
    expect(found?.evidence).toMatchObject({ restart_lag_bytes: 5000, confirmed_lag_bytes: 5, time_left_seconds: 3600 });
    expect(found?.says).toContain("lost in 1 h");
  });
});

describe("slot-inactive", () => {
  test("is a warning, and an error past the check's time", () => {
    expect(severities("slot-inactive", slot({}))).toEqual([]);
    expect(severities("slot-inactive", slot({ active: false }))).toEqual(["warn"]);
    expect(severities("slot-inactive", slot({ active: false, inactiveFor: 15n * MINUTE }))).toEqual(["warn"]);
    expect(severities("slot-inactive", slot({ active: false, inactiveFor: 15n * MINUTE + 1n }))).toEqual(["error"]);
  });
});

describe("log-expired", () => {
  test("is an error where the position is gone or the retention too short", () => {
    expect(severities("log-expired", log({}))).toEqual([]);
    expect(severities("log-expired", log({ holdsPosition: null, retention: 24n * HOUR }))).toEqual([]);
    expect(findings("log-expired", log({ holdsPosition: false }))[0]).toMatchObject({
      severity: "error",
      evidence: { consumer_file: "bin.3", oldest_file: "bin.7" },
    });
    expect(severities("log-expired", log({ retention: 24n * HOUR - 1n }))).toEqual(["error"]);
  });
});

test("sizes are said as people say them", () => {
  expect([0n, 1023n, 1024n, 1536n, 10n * 1024n ** 3n].map(size)).toEqual(["0 B", "1023 B", "1 kB", "1.5 kB", "10 GB"]);
});
