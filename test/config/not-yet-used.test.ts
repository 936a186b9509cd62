import { describe, expect, it } from "vitest";
import { notYetUsed, notYetUsedIn } from "../../src/config/not-yet-used.ts";
import { load, loadCheck, SHORTEST, TIDEMARK } from "./folder.ts";

describe("settings that this version does not use yet", () => {
  it("are none in the shortest check", async () => {
    expect(notYetUsed(await loadCheck(""))).toEqual([]);
  });

  it("are named as a file writes them, once for all checks", async () => {
    const project = await load({
      "tidemark.yaml": `${TIDEMARK}alerts: [{ slack: "https://h/x" }]\nreports: { keep: 30d }\n`,
      "a.yaml": `${SHORTEST}sync: { overlap: 1h }\n`,
      "b.yaml": `${SHORTEST}sync: { overlap: 1h }\n`,
    });
    expect(notYetUsedIn(project)).toEqual(["sync.overlap"]);
    expect(project.checks.map(notYetUsed)).toEqual([["sync.overlap"], ["sync.overlap"]]);
  });
});
