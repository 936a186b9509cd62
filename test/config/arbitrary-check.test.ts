import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { loadProject } from "../../src/config/load-project.ts";
import { CURSOR_UNITS, TREATMENTS } from "../../src/domain/check.ts";
import { FINDING_CODES } from "../../src/domain/codes.ts";
import { type Duration, formatDuration } from "../../src/domain/duration.ts";
import { TIDEMARK } from "./folder.ts";

// `${` is the only thing that means something inside a text.
const word = fc
  .string({ minLength: 1, unit: "grapheme", maxLength: 12 })
  .filter((text) => !text.includes("${") && text.trim() === text && text !== "__proto__");
const identifier = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.constantFrom("a", "b", "X", "Y", "_", "0", "9", "é"),
});
const duration = fc
  .bigInt({ min: 0n, max: 10n ** 15n })
  .map((micros) => ({ micros, text: formatDuration(micros as Duration) }));
const count = fc.integer({ min: 1, max: 1_000_000 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const columns = fc.uniqueArray(identifier, { minLength: 1, maxLength: 4 });

/** A valid check, as its author means it. */
const meant = fc.record({
  description: maybe(word),
  table: identifier,
  schema: maybe(identifier),
  where: maybe(word),
  zone: maybe(fc.constantFrom("UTC", "Europe/Prague", "Asia/Tokyo")),
  key: maybe(columns),
  only: maybe(columns),
  rename: maybe(fc.dictionary(identifier, word, { maxKeys: 3 })),
  treat: maybe(fc.dictionary(identifier, fc.uniqueArray(fc.constantFrom(...TREATMENTS)), { maxKeys: 3 })),
  cursor: maybe(
    fc.record(
      { column: word, unit: maybe(fc.constantFrom(...CURSOR_UNITS)), page: maybe(count) },
      { requiredKeys: ["column"] },
    ),
  ),
  settle: maybe(duration),
  maxRun: maybe(duration),
  streak: maybe(count),
  severity: fc.dictionary(fc.constantFrom(...FINDING_CODES), fc.constantFrom("off", "info", "warn", "error"), {
    maxKeys: 4,
  }),
  parallel: maybe(count),
  deleteExtra: maybe(fc.boolean()),
});

const without = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("any valid check", () => {
  it("is read as its author meant it", async () => {
    await fc.assert(
      fc.asyncProperty(meant, async (check) => {
        const table = check.schema === undefined ? check.table : `${check.schema}.${check.table}`;
        const text = stringify(
          without({
            description: check.description,
            source: { connection: "ods", table, where: check.where, timezone: check.zone },
            target: { connection: "crm", table },
            key: check.key,
            columns: { only: check.only, rename: check.rename, treat: check.treat },
            cursor: check.cursor,
            settle: check.settle?.text,
            expect: { max_run: check.maxRun?.text, zero_rows: { streak: check.streak } },
            severity: check.severity,
            compare: { parallel: check.parallel },
            repair: { delete_extra: check.deleteExtra },
          }),
        );
        const project = await loadProject({
          folder: "/p/checks",
          cwd: "/p",
          environment: {},
          files: {
            list: async () => ["tidemark.yaml", "a.yaml"],
            readFile: async (path) => (path.endsWith("tidemark.yaml") ? TIDEMARK : text),
          },
        });
        const [read] = project.checks;
        expect(read).toMatchObject({
          description: check.description ?? null,
          source: {
            connection: "ods",
            table: { schema: check.schema ?? null, name: check.table },
            where: check.where ?? null,
            timezone: check.zone ?? null,
          },
          key: check.key ?? null,
          strategy: check.cursor === undefined ? "full" : "cursor",
          settle: check.settle?.micros ?? 600_000_000n,
        });
        expect(read?.columns).toEqual({
          only: check.only ?? null,
          exclude: [],
          tolerance: {},
          rename: check.rename ?? {},
          treat: check.treat ?? {},
        });
        expect(read?.cursor).toEqual(
          check.cursor === undefined
            ? null
            : { column: check.cursor.column, unit: check.cursor.unit ?? null, page: check.cursor.page ?? 10_000 },
        );
        expect(read?.severity).toEqual(check.severity);
        expect(read?.expect).toMatchObject({ maxRun: check.maxRun?.micros ?? null, zeroRowStreak: check.streak ?? 3 });
        expect(read?.compare.parallel).toBe(check.parallel ?? 4);
        expect(read?.repair.deleteExtra).toBe(check.deleteExtra ?? false);
      }),
      { numRuns: 300 },
    );
  });
});
