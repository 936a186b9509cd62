import { describe, expect, it } from "vitest";
import { notYetUsed, notYetUsedIn } from "../../src/config/not-yet-used.ts";
import { load, loadCheck, SHORTEST, TIDEMARK } from "./folder.ts";

describe("settings that this version does not use yet", () => {
  it("are none in the shortest check", async () => {
    expect(notYetUsed(await loadCheck(""))).toEqual([]);
  });

  it("are named as a file writes them, once for all checks", async () => {
    const project = await load({
      "tidemark.yaml": `${TIDEMARK}reports: { keep: 30d }\n`,
      "a.yaml": `${SHORTEST}cdc: { slot: s }\n`,
      "b.yaml": `${SHORTEST}cdc: { slot: s }\n`,
    });
    expect(notYetUsedIn(project)).toEqual(["reports.keep"]);
    expect(project.checks.map(notYetUsed)).toEqual([[], []]);
  });
});
