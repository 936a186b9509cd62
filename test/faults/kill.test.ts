import { statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Random, random } from "../scenarios/random.ts";
import { describePairs } from "../support/databases.ts";
import { alone, logged, type Orders, orders, printed, REPAIR, same } from "./orders.ts";
import type { Started } from "./process.ts";

/** How often a repair is killed on each pair of engines, and how many rows its source has. */
const KILLS = Number(process.env["TIDEMARK_KILLS"] ?? 5);
const ROWS = Number(process.env["TIDEMARK_KILL_ROWS"] ?? 5_000);

/**
 * Kills a repair or an undo: now and then at any moment from its start, else once the undo log has grown by some part of what it will
 * come to and a few milliseconds have passed, so that every step of a batch has its turn. Whether it was killed, or ended before that.
 */
async function killed(rng: Random, it: Orders, process: Started, whole: number): Promise<boolean> {
  const size = (): number => it.logs("undo").reduce((sum, file) => sum + statSync(file).size, 0);
  const before = size();
  const grown = rng.below(Math.max(1, Math.floor(whole / 3)));
  if (rng.next() < 0.2) await Promise.race([process.done, setTimeout(rng.below(1500))]);
  else while (process.running() && size() - before <= grown) await setTimeout(3);
  await setTimeout(rng.below(12));
  process.send("SIGKILL");
  return (await process.done).signal === "SIGKILL";
}

/** Holds the target to whole batches: each batch of the log is there with all its rows or with none, and no other row is touched. */
async function wholeBatches(it: Orders, were: readonly string[], says: string): Promise<void> {
  await alone(it.target);
  const byId = (rows: readonly string[]): Map<string, string> =>
    new Map(rows.map((row) => [String(JSON.parse(row)[0]), row]));
  const [was, now] = [byId(were), byId(await it.all())];
  const touched = new Set([...was.keys(), ...now.keys()].filter((id) => was.get(id) !== now.get(id)));
  const batches = new Map<unknown, boolean[]>();
  const known = new Set<string>();
  // Newest first: where a batch was begun anew, the last one speaks for its rows.
  for (const line of logged(it.log("undo")).toReversed()) {
    if (!("op" in line)) continue;
    const id = String((line["key"] as readonly string[])[0]);
    if (!known.has(id)) batches.set(line["batch"], [...(batches.get(line["batch"]) ?? []), touched.has(id)]);
    known.add(id);
  }
  const torn = [...batches].filter(([, rows]) => new Set(rows).size > 1).map(([batch]) => batch);
  const unlogged = [...touched].filter((id) => !known.has(id));
  expect({ torn, unlogged }, says).toEqual({ torn: [], unlogged: [] });
}

describePairs(
  [
    ["postgres", "postgres"],
    ["postgres", "mariadb"],
    ["mariadb", "postgres"],
    ["mariadb", "mariadb"],
    ["sqlite", "sqlite"],
  ],
  "a repair that is killed",
  (source, target) => {
    test.for([
      ["of rows that differ in every way", true],
      ["of rows that are missing", false],
    ] as const)(
      "%s leaves whole batches, is completed by --resume, and is undone exactly",
      { timeout: KILLS * 60_000 },
      async ([, changed]) => {
        const seed = Number(process.env["TIDEMARK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
        const rng = random(seed);
        const says = `TIDEMARK_SEED=${seed}`;
        await using it = await orders([source, target], { rows: ROWS, changed });
        const [were, wanted] = [await it.all(), await it.seen("source")];
        // About what the log comes to, by which the moments are chosen.
        const whole = ROWS * (changed ? 110 : 30);
        for (let kills = 0; kills < KILLS; ) {
          await it.reset();
          let resumed = false;
          do {
            const run = it.start(resumed ? [...REPAIR, "--resume"] : REPAIR);
            if (!(await killed(rng, it, run, whole))) {
              const ended = await run.done;
              expect(ended, `${says} ${ended.stderr}`).toMatchObject({ code: 0 });
              break;
            }
            kills++;
            resumed = true;
            if (rng.next() < 0.5) await wholeBatches(it, were, says);
          } while (kills < KILLS && rng.next() < 0.7);
          // At once: the session of the killed one may not be gone yet.
          const ended = await it.run([...REPAIR, "--resume"]);
          expect(ended, `${says} ${ended.stderr}`).toMatchObject({ code: 0 });
          same(await it.seen("target"), wanted, says);
          const undo = ["undo", idOf(it), "--apply", "--format", "json"];
          if (rng.next() < 0.3) await killed(rng, it, it.start(undo), 1);
          const undone = await it.run(undo);
          expect(undone, `${says} ${undone.stderr}`).toMatchObject({ code: 0 });
          expect(printed(undone), says).toMatchObject({ left_alone: [] });
          same(await it.all(), were, says);
        }
      },
    );
  },
);

/** The id of the repair that wrote last. */
function idOf(it: Orders): string {
  const file = it.log("undo");
  if (file === undefined) throw new Error("no repair wrote anything");
  return file.replace(/^.*\/|\.undo\.jsonl$/g, "");
}
