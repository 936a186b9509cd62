import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { audit, loadProject } from "../../../src/cli/library.ts";
import { plantStory } from "../../../src/cli/demo/story.ts";
import { describeEngine, freshDatabase } from "../../support/databases.ts";

const checks = fileURLToPath(new URL("../../../checks", import.meta.url));

for (const dialect of ["sqlite", "postgres"] as const)
  describeEngine(dialect, "the repository's own checks, over the story", () => {
    test("find the grade that was lost, and the run that lost it", async () => {
      await using source = await freshDatabase(dialect);
      await using target = await freshDatabase(dialect);
      const folder = mkdtempSync(join(tmpdir(), "tidemark-story-"));
      try {
        const now = BigInt(Date.now()) * 1000n;
        await plantStory({ dialect, source: (sql) => source.run(sql), target: (sql) => target.run(sql), now });
        const project = await loadProject({
          folder: checks,
          environment: {
            LMS_URL: source.url,
            CRM_URL: target.url,
            TIDEMARK_STATE: `sqlite:${join(folder, "state.db")}`,
            TIDEMARK_REPORTS: folder,
          },
        });
        const report = await audit(project);
        const [check] = report.checks;
        expect(check).toMatchObject({ check: "grades", strategy: "cursor", verdict: "fail", error: null });
        expect(check?.runs).toMatchObject({ read: 14, successful: 14, empty: 3 });
        const of = (code: string) => check?.findings.filter((finding) => finding.code === code) ?? [];
        expect(of("missing-rows")).toMatchObject([
          {
            rows: 4,
            state: "new",
            sample: [{ key: { id: 4711 } }, { key: { id: 4712 } }, { key: { id: 4713 } }, { key: { id: 4714 } }],
            causes: [{ code: "closed-ahead-of-clock", rows: 4, runs: ["812", "813"], confidence: "observed" }],
          },
        ]);
        expect(of("stale-rows")).toMatchObject([
          { rows: 1, causes: [{ code: "closed-ahead-of-clock", runs: ["813"] }] },
        ]);
        expect(of("zero-row-streak")).toMatchObject([{ severity: "error" }]);
        expect(of("wall-clock-window")).toMatchObject([{ severity: "warn" }]);
        // From Monday 10:00 to the window that ended at 15:00: just over five hours would have reached it.
        expect(of("overlap-too-small")).toMatchObject([
          { severity: "warn", says: expect.stringContaining("just over 5 h") },
        ]);
        const others = check?.findings.map(({ code }) => code) ?? [];
        expect(new Set(others)).toEqual(
          new Set([
            "missing-rows",
            "stale-rows",
            "empty-run",
            "zero-row-streak",
            "closed-ahead-of-clock",
            "wall-clock-window",
            "overlap-too-small",
          ]),
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
