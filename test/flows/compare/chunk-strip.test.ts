import { expect, test } from "vitest";
import { chunkStrip } from "../../../src/flows/compare/chunk-strip.ts";

const INTEGER = [{ as: "integer" }] as const;

test("chunks come back in key order, whatever order they were compared in", () => {
  const strip = chunkStrip();
  for (const n of [2, 0, 1])
    strip.add(
      { keys: { from: n === 0 ? null : [`${n}0`], to: n === 2 ? null : [`${n + 1}0`] }, rows: 10n, different: n === 1 },
      INTEGER,
    );
  expect(strip.spans().map(({ keys, different }) => [keys.from?.[0] ?? null, keys.to?.[0] ?? null, different])).toEqual(
    [
      [null, "10", 0],
      ["10", "20", 1],
      ["20", null, 0],
    ],
  );
});

test("a hundred thousand chunks are a few hundred spans that hold all of them", () => {
  const strip = chunkStrip(256);
  for (let n = 0; n < 100_000; n++)
    strip.add(
      {
        keys: { from: n === 0 ? null : [`${n}`], to: n === 99_999 ? null : [`${n + 1}`] },
        rows: 7n,
        different: n % 1000 === 0,
      },
      INTEGER,
    );
  const spans = strip.spans();
  expect(spans.length).toBeLessThanOrEqual(256);
  expect(spans.length).toBeGreaterThan(100);
  expect(spans.reduce((sum, { chunks }) => sum + chunks, 0)).toBe(100_000);
  expect(spans.reduce((sum, { rows }) => sum + rows, 0n)).toBe(700_000n);
  expect(spans.reduce((sum, { different }) => sum + different, 0)).toBe(100);
  for (const [i, span] of spans.slice(1).entries()) expect(span.keys.from).toEqual(spans[i]?.keys.to);
});
