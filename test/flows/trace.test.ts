import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plantStory } from "../../src/cli/demo/story.ts";
import { loadProject } from "../../src/cli/library.ts";
import type { Check } from "../../src/domain/check.ts";
import { must, UsageError } from "../../src/domain/errors.ts";
import { parseInstant } from "../../src/domain/position.ts";
import { adviseCheck } from "../../src/flows/advise.ts";
import { traceRow } from "../../src/flows/trace.ts";
import { plotLines } from "../../src/advise/plot.ts";
import { adviceText } from "../../src/reporters/answers/advice.ts";
import { traceJson, traceText } from "../../src/reporters/answers/trace.ts";
import { PLAIN, type ReporterOptions } from "../../src/reporters/reporter.ts";
import { describeEngine, freshDatabase, type TestDatabase } from "../support/databases.ts";
import { openWorld, type TestWorld } from "../scenarios/world.ts";

const options: ReporterOptions = { columns: 80, style: PLAIN, commandSuffix: "", ending: null };

/** A Tuesday, so that the story's Monday is the day before. */
const NOW = must(parseInstant("2026-06-02T09:10:00Z"), "a time");

for (const dialect of ["sqlite", "postgres"] as const)
  describeEngine(dialect, "the story of two clocks, row by row", () => {
    let databases: readonly TestDatabase[];
    let world: TestWorld;
    let check: Check;
    const folder = mkdtempSync(join(tmpdir(), "tidemark-trace-"));
    beforeAll(async () => {
      const [source, target] = [await freshDatabase(dialect), await freshDatabase(dialect)];
      databases = [source, target];
      await plantStory({ dialect, source: (sql) => source.run(sql), target: (sql) => target.run(sql), now: NOW });
      const environment = {
        LMS_URL: source.url,
        CRM_URL: target.url,
        TIDEMARK_STATE: `sqlite:${join(folder, "s.db")}`,
        TIDEMARK_REPORTS: folder,
      };
      const project = await loadProject({ folder: join(import.meta.dirname, "../../checks"), environment });
      // The story lies in June: the ledger is asked far enough back for that, whenever this test runs.
      const [read] = project.checks;
      const loaded = must(read, "the demo has a check");
      check = {
        ...loaded,
        runs: loaded.runs && { ...loaded.runs, since: (3_650n * 86_400_000_000n) as typeof loaded.runs.since },
        compare: { ...loaded.compare, recheck: { ...loaded.compare.recheck, rounds: 0 } },
      };
      world = await openWorld({ lms: source, crm: target });
    });
    afterAll(async () => {
      await world[Symbol.asyncDispose]();
      for (const database of databases) await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    test("the lost grade: the one run that held it could not see it yet", async () => {
      const trace = await traceRow(check, ["4711"], world.world);
      expect(trace).toMatchObject({
        source: {
          present: true,
          cursor: parseInstant("2026-06-01T10:00:00Z"),
          arrival: parseInstant("2026-06-01T22:52:00Z"),
        },
        target: { present: false },
      });
      expect(trace.windows.map(({ run, saw }) => [run.id, run.rows, saw])).toEqual([["812", 0n, false]]);
      expect(trace.windows[0]?.clock).toBe(parseInstant("2026-06-01T01:40:00Z"));
      expect(trace.verdict).toMatchObject({
        finding: "missing-rows",
        cause: "closed-ahead-of-clock",
        confidence: "observed",
      });
      expect(trace.fix).toBe("tidemark repair grades --range 2026-06-01T10:00:00Z..2026-06-01T10:00:00.000001Z");
      expect(traceJson(trace)).toMatchObject({
        version: 1,
        key: { id: 4711 },
        windows: [{ run: "812", rows: 0, clock: "2026-06-01T01:40:00.000000Z", saw: false }],
      });
      const text = traceText(trace, options);
      expect(text).toContain("run 812");
      expect(text).toContain("it could not see the row yet");
      expect(text.split("\n").every((line) => line.length <= 80 || line.includes("tidemark repair"))).toBe(true);
    });

    test("a stale grade names the columns that differ", async () => {
      const trace = await traceRow(check, ["42"], world.world);
      expect(trace.columns).toEqual(["finalgrade", "timemodified"]);
      expect(trace.verdict).toMatchObject({ finding: "stale-rows", cause: "closed-ahead-of-clock" });
    });

    test("a row that is whole says so, and nothing is to be mended", async () => {
      const trace = await traceRow(check, ["2000"], world.world);
      expect(trace).toMatchObject({
        source: { present: true },
        target: { present: true },
        verdict: { finding: null, cause: null },
        fix: null,
      });
      expect(trace.windows.some(({ saw }) => saw === true)).toBe(true);
    });

    test("a key on neither side says so", async () => {
      const trace = await traceRow(check, ["99999999"], world.world);
      expect(trace).toMatchObject({
        source: { present: false },
        target: { present: false },
        windows: [],
        verdict: { finding: null, says: "no row has this key, in the source or in the target" },
      });
    });

    test.each([
      [["not-a-number"], "is no value of id"],
      [["1", "2"], "its key is id"],
    ])("%j is refused: what a key is", async (key, says) => {
      const refused = await traceRow(check, key, world.world).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).toContain(says);
    });

    test("the overlap that would have lost nothing is just over five hours", async () => {
      const { advice, json } = await adviseCheck(check, world.world);
      const fiveHours = 5n * 3_600_000_000n;
      expect(advice.needed).toBeGreaterThanOrEqual(fiveHours);
      expect(advice.needed).toBeLessThanOrEqual(fiveHours + 1_000_000n);
      expect(advice.arrivals).toBe("observed");
      const lost = Object.fromEntries(advice.policies.map((p) => [p.policy, p.rowsLost]));
      expect(lost).toEqual({ "wall-clock": 5n, "data-clock": 0n, overlap: 0n });
      expect(json).toMatchObject({ version: 1, check: "grades", arrivals: "observed", overlap_in_force_seconds: 0 });
      const text = adviceText("grades", advice, plotLines(advice), options);
      expect(text).toContain("overlap needed");
      expect(text).toContain("right edge at the wall clock: 5 rows lost");
    });

    test("a check without a ledger cannot be replayed, and is told so", async () => {
      await expect(adviseCheck({ ...check, runs: null }, world.world)).rejects.toThrow(/no ledger/);
    });
  });
