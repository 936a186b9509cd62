import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSample, SAMPLE } from "../../support/sample.ts";

test("reports/sample is what the demo reports today: `npm run sample` makes it anew", async () => {
  const stale = Object.entries(await makeSample()).filter(([name, text]) => {
    try {
      return readFileSync(join(SAMPLE, name), "utf8") !== text;
    } catch {
      return true;
    }
  });
  expect(stale.map(([name]) => name)).toEqual([]);
});
