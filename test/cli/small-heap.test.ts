import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Keeps some objects, of which it replaces one after the other, and says how large its heap became: in MiB. */
function largestHeap(small: boolean): number {
  const script = `
    ${small ? `(await import(${JSON.stringify(new URL("../../src/cli/small-heap.ts", import.meta.url).href)})).keepHeapSmall();` : ""}
    const turn = () => new Promise((done) => setTimeout(done, 2));
    const kept = [];
    for (let i = 0; i < 300_000; i++) {
      kept.push({ i, text: [i] });
      if (i % 2000 === 0) await turn();
    }
    let most = 0;
    for (let round = 0; round < 400; round++) {
      for (let i = 0; i < 10_000; i++) kept[(round * 10_000 + i) % kept.length] = { i, text: [round] };
      most = Math.max(most, process.memoryUsage().heapTotal);
      await turn();
    }
    console.log(most / 2 ** 20);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  return Number(stdout);
}

test("a process that leaves much behind stays near what it keeps", () => {
  const [usual, small] = [largestHeap(false), largestHeap(true)];
  expect(small).toBeGreaterThan(20);
  expect(small).toBeLessThan(usual * 0.8);
}, 60_000);
