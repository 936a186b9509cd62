import { describe, expect, test } from "vitest";
import type { CauseFinding, Finding } from "../../src/domain/finding.ts";
import { type KnownFinding, withLives } from "../../src/domain/life.ts";

const finding = (part: Partial<Finding> = {}): Finding => ({
  id: "missing-rows/missing-rows",
  code: "missing-rows",
  group: "rows",
  severity: "error",
  state: "new",
  says: "3 rows are missing",
  rows: 3,
  range: {},
  sample: [],
  evidence: {},
  causes: [],
  fix: "tidemark repair",
  ...part,
});
const cause = (code: CauseFinding["code"], rows: number): CauseFinding => ({
  code,
  rows,
  runs: [],
  runs_total: 0,
  confidence: "observed",
  state: "new",
  range: {},
  evidence: {},
  fix: null,
  says: "",
});
const known = (part: Partial<KnownFinding> = {}): KnownFinding => ({
  id: "missing-rows/missing-rows",
  code: "missing-rows",
  cause: null,
  severity: "error",
  rows: 3n,
  state: "new",
  firstSeen: 1n,
  evidence: { run: "812" },
  ...part,
});
const states = (all: readonly Finding[]) => all.map(({ state }) => state);

describe("a finding", () => {
  test("that was not there is new", () => {
    expect(states(withLives([finding()], [], true))).toEqual(["new"]);
  });
  test.for([
    ["as it was", 3, 3n, "ongoing"],
    ["with fewer rows", 2, 3n, "ongoing"],
    ["with one row more of a few", 4, 3n, "worse"],
    ["with a tenth more", 110, 100n, "worse"],
    ["with less than a tenth more", 109, 100n, "ongoing"],
    ["with its first row", 1, 0n, "worse"],
    ["with counts beyond 2^53", "18446744073709551616", 18446744073709551615n, "ongoing"],
    ["without a count", null, null, "ongoing"],
  ] as const)("that stands %s is %4$s", ([, rows, before, state]) => {
    expect(states(withLives([finding({ rows })], [known({ rows: before })], true))).toEqual([state]);
  });
  test.for([
    ["nothing of more rows", 5, 0, 4n, 0, "ongoing"],
    ["more of them than before", 5, 3, 5n, 2, "worse"],
  ] as const)(
    "of which the target lacks %s is %6$s: what it lacks is what weighs",
    ([, rows, lacking, before, lacked, state]) => {
      const now = finding({ code: "empty-run", rows, evidence: { rows_lacking: lacking } });
      const then = known({ code: "empty-run", rows: before, evidence: { rows_lacking: lacked } });
      expect(states(withLives([now], [then], true))).toEqual([state]);
    },
  );
  test("of rows that the target has and should not weighs by all of them", () => {
    const now = finding({ code: "extra-rows", rows: 9, evidence: { rows_lacking: 0 } });
    const then = known({ code: "extra-rows", rows: 1n, evidence: { rows_lacking: 0 } });
    expect(states(withLives([now], [then], true))).toEqual(["worse"]);
  });
  test("is worse when its severity rose, and not when it fell", () => {
    expect(states(withLives([finding()], [known({ severity: "warn" })], true))).toEqual(["worse"]);
    expect(states(withLives([finding({ severity: "info" })], [known()], true))).toEqual(["ongoing"]);
  });
});

test("what stood already says since when, in its present life", () => {
  const seen = (all: readonly KnownFinding[]) =>
    withLives([finding({ evidence: { run: "1" } })], all, true)[0]?.evidence;
  expect(seen([])).toEqual({ run: "1" });
  expect(seen([known({ firstSeen: 1_000_000n })])).toEqual({ run: "1", first_seen: "1970-01-01T00:00:01.000000Z" });
  expect(seen([known({ state: "recovered" })])).toEqual({ run: "1" });
});

describe("recovery", () => {
  test("is said once, as an info with what was", () => {
    const [recovered, ...more] = withLives([], [known()], true);
    expect(recovered).toMatchObject({
      id: "missing-rows/missing-rows",
      code: "missing-rows",
      group: "rows",
      severity: "info",
      state: "recovered",
      rows: 0,
      says: "missing-rows has recovered: 3 rows last time, none now",
      evidence: { was: { severity: "error", rows: 3, evidence: { run: "812" } } },
      fix: null,
    });
    expect(more).toEqual([]);
  });
  test("is nothing that an unfinished check can tell", () => {
    const part = finding({ causes: [cause("boundary", 1)] });
    const was = [
      known(),
      known({ id: "x/extra-rows", code: "extra-rows" }),
      known({ id: `${part.id}/late-commit`, cause: "late-commit" }),
    ];
    const now = withLives([part], was, false);
    expect(states(now)).toEqual(["ongoing"]);
    expect(now[0]?.causes.map(({ code }) => code)).toEqual(["boundary"]);
  });
  test("of a finding carries its causes with it", () => {
    const was = [known(), known({ id: "missing-rows/missing-rows/late-commit", cause: "late-commit" })];
    expect(withLives([], was, true)).toHaveLength(1);
  });
});

test("causes have lives of their own", () => {
  const id = "missing-rows/missing-rows";
  const was = [
    known(),
    known({ id: `${id}/boundary`, cause: "boundary", rows: 1n }),
    known({ id: `${id}/late-commit`, cause: "late-commit", rows: 2n }),
    known({ id: `other/missing-rows/hard-delete`, cause: "hard-delete", rows: 2n }),
  ];
  const [now] = withLives([finding({ causes: [cause("boundary", 5), cause("precision", 1)] })], was, true);
  expect(now?.causes.map(({ code, state, rows }) => [code, state, rows])).toEqual([
    ["boundary", "worse", 5],
    ["precision", "new", 1],
    ["late-commit", "recovered", 0],
  ]);
});
