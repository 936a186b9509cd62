import { describe, expect, test } from "vitest";
import { calibrate } from "../../src/compare/calibrate.ts";
import type { ValuePair } from "../../src/compare/transformation.ts";
import type { Kind } from "../../src/domain/kind.ts";
import { checkOf, KINDS, planOf, tableOf } from "./build.ts";

/** Judges a sample of a column of these kinds. */
function judged(kind: Kind, target: Kind, sample: readonly ValuePair[]) {
  const plan = planOf(
    checkOf(),
    tableOf({ id: KINDS.integer, c: kind }, ["id"]),
    tableOf({ id: KINDS.integer, c: target }, ["id"]),
  );
  return calibrate(plan.columns[1]!, sample);
}

/** `n` pairs, of which the first `changed` went through the change. */
function sample(
  n: number,
  changed: number,
  value: (i: number) => string | null,
  change: (value: string | null) => string | null,
): ValuePair[] {
  return Array.from({ length: n }, (_, i) => ({ source: value(i), target: i < changed ? change(value(i)) : value(i) }));
}

const minute = (i: number): string => String(i % 60).padStart(2, "0");
const at = (i: number): string => `2026-06-01 10:${minute(i)}:07.123456`;
const shift = (v: string | null): string | null => v && v.replace(" 10:", " 12:");

type Systematic = {
  readonly says: string;
  readonly kind: Kind;
  readonly value: (i: number) => string | null;
  readonly change: (v: string | null) => string | null;
  readonly accept: RegExp | null;
};

const SYSTEMATIC: readonly Systematic[] = [
  { says: "shifted by +02:00", kind: KINDS.local, value: at, change: shift, accept: null },
  {
    says: "shifted by -00:45",
    kind: KINDS.instant,
    value: (i) => `2026-06-01 10:45:${minute(i)}`,
    change: (v) => v && v.replace("10:45", "10:00"),
    accept: null,
  },
  {
    says: "cut to whole seconds",
    kind: KINDS.instant,
    value: at,
    change: (v) => v && v.slice(0, 19),
    accept: /treat: { COLUMN: \[second\]/,
  },
  {
    says: "cut to milliseconds",
    kind: KINDS.local,
    value: at,
    change: (v) => v && v.slice(0, 23),
    accept: /\[millisecond\]/,
  },
  {
    says: "rounded to whole seconds",
    kind: KINDS.local,
    value: (i) => `2026-06-01 10:${minute(i)}:07.9`,
    change: (v) => v && v.replace(":07.9", ":08"),
    accept: null,
  },
  {
    says: "trailing blanks were added or removed",
    kind: KINDS.text,
    value: (i) => `n${i}`,
    change: (v) => `${v}  `,
    accept: /\[trim\]/,
  },
  {
    says: "blanks around the text were removed",
    kind: KINDS.text,
    value: (i) => ` n${i}`,
    change: (v) => v && v.trim(),
    accept: /\[trim\]/,
  },
  {
    says: "letter case was changed",
    kind: KINDS.text,
    value: (i) => `Name ${i}`,
    change: (v) => v && v.toUpperCase(),
    accept: /\[case\]/,
  },
  {
    says: "another Unicode normal form",
    kind: KINDS.text,
    value: (i) => `é${i}`,
    change: (v) => v && v.normalize("NFD"),
    accept: /\[nfc\]/,
  },
  {
    says: "'' stands for NULL",
    kind: KINDS.text,
    value: (i) => (i < 36 ? null : "x"),
    change: () => "",
    accept: /\[empty-as-null\]/,
  },
  {
    says: "cut to 1 digit after the point",
    kind: KINDS.decimal,
    value: (i) => `${i}.19`,
    change: (v) => v && v.replace(".19", ".10"),
    accept: null,
  },
  {
    says: "rounded to 1 digit after the point",
    kind: KINDS.decimal,
    value: (i) => `${i}.19`,
    change: (v) => v && v.replace(".19", ".20"),
    accept: /tolerance: { COLUMN: 0\.05 }/,
  },
  { says: "multiplied by 10^2", kind: KINDS.integer, value: (i) => `${i + 1}`, change: (v) => `${v}00`, accept: null },
];

describe.each(SYSTEMATIC)("$says", ({ says, kind, value, change, accept }) => {
  test("is systematic in 90 % of the sampled rows", () => {
    const { systematic } = judged(kind, kind, sample(40, 36, value, change));
    expect(systematic?.transformation.says).toBe(says);
    expect(systematic?.explained).toBe(36);
    if (accept) expect(systematic?.transformation.accept).toMatch(accept);
    else expect(systematic?.transformation.accept).toBeNull();
  });

  test("is not in 80 %, nor in too few rows", () => {
    expect(judged(kind, kind, sample(40, 32, value, change)).systematic).toBeNull();
    expect(judged(kind, kind, sample(4, 4, value, change)).systematic).toBeNull();
  });

  test("is not where the rows differ otherwise", () => {
    const mixed = sample(40, 40, value, change).map((p, i) => (i % 5 === 0 ? { ...p, target: `${i}${i}-${i}` } : p));
    expect(judged(kind, kind, mixed).systematic).toBeNull();
  });
});

test("rows with NULL on both sides are not counted", () => {
  const nulls = Array.from({ length: 100 }, () => ({ source: null, target: null }));
  const result = judged(KINDS.local, KINDS.local, [...sample(10, 10, at, shift), ...nulls]);
  expect(result).toMatchObject({ sampled: 10, differing: 10, systematic: { explained: 10 } });
});

test("a shift by anything but quarters of an hour is none", () => {
  const odd = (v: string | null) => v && v.replace(" 10:", " 10:1");
  expect(
    judged(
      KINDS.local,
      KINDS.local,
      sample(20, 20, (i) => `2026-06-01 10:0${i % 9}:00`, odd).map((p) => ({
        ...p,
        target: p.source && p.source.replace(":00", ":11"),
      })),
    ).systematic,
  ).toBeNull();
});

describe("rounding by a side that keeps fewer digits", () => {
  const rounded = (v: string | null) => v && v.replace(":07.9996", ":08");
  const value = (i: number): string => `2026-06-01 10:${minute(i)}:07.9996`;

  test("is seen in the sample, and no difference", () => {
    expect(judged(KINDS.local, KINDS.local3, sample(20, 20, value, rounded))).toMatchObject({
      rounds: true,
      systematic: null,
      differing: 20,
    });
  });

  test("is not granted where any row cannot be explained by it", () => {
    const broken = [...sample(20, 20, value, rounded), { source: value(1), target: "2026-06-02 00:00:00" }];
    expect(judged(KINDS.local, KINDS.local3, broken).rounds).toBe(false);
  });

  test("is not needed where values were cut", () => {
    expect(
      judged(
        KINDS.local,
        KINDS.local3,
        sample(20, 20, value, (v) => v && v.slice(0, 23)),
      ),
    ).toMatchObject({ rounds: false, differing: 0, unlike: 20 });
  });
});

test("a key column is never systematic", () => {
  const plan = planOf(checkOf(), tableOf({ id: KINDS.integer }, ["id"]), tableOf({ id: KINDS.integer }, ["id"]));
  expect(
    calibrate(
      plan.columns[0]!,
      sample(20, 20, String, (v) => `${v}00`),
    ).systematic,
  ).toBeNull();
});
