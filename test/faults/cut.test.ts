import { expect, test } from "vitest";
import { describePairs, type TestEngine } from "../support/databases.ts";
import { orders, type Orders, printed, REPAIR, same } from "./orders.ts";
import { cutAt, openProxy, type Passing, type Verdict } from "./proxy.ts";

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ["postgres", "postgres"],
  ["mariadb", "mariadb"],
];

/** Rows come to the stage by COPY or by INSERT; the target's own table is only ever written from the stage. */
const STAGING = /tidemark_stage.{0,40}FROM STDIN|INSERT INTO `?\w*`?\.?`?tidemark_stage/s;
const INSERTING = /INSERT INTO .{0,40}orders.{0,200}SELECT/s;
/** The end of a batch; a temporary table says what it does then. */
const COMMIT = /COMMIT(?! DELETE)/;
const READING = /SELECT .*orders.* (IN|=) /s;

type Cut = {
  readonly name: string;
  readonly side: "SOURCE" | "TARGET";
  readonly judge: () => (passing: Passing) => Verdict;
};

const CUTS: readonly Cut[] = [
  { name: "while a batch is staged", side: "TARGET", judge: () => cutAt(STAGING, "cut", 2) },
  { name: "while staged rows are inserted", side: "TARGET", judge: () => cutAt(INSERTING, "cut-after", 2) },
  { name: "before a commit arrives", side: "TARGET", judge: () => cutAt(COMMIT, "cut", 2) },
  {
    // The commit is let through; its answer is not.
    name: "between a commit and its answer",
    side: "TARGET",
    judge: () => {
      let seen = 0;
      let at: number | null = null;
      return ({ from, bytes, connection }) => {
        if (from === "client" && COMMIT.test(bytes.toString("latin1")) && ++seen === 2) at = connection;
        if (from !== "server" || at !== connection) return "pass";
        at = null;
        return "cut";
      };
    },
  },
];

async function repaired(it: Orders, cut: Cut): Promise<void> {
  const url = cut.side === "SOURCE" ? it.source.url : it.target.url;
  await using proxy = await openProxy(url, cut.judge());
  const ran = await it.run(REPAIR, { urls: { [cut.side]: proxy.via(url) } });
  expect(proxy.cuts(), `${cut.name}: ${ran.stderr}`).toBe(1);
  expect(ran, `${cut.name}: ${ran.stderr}`).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/lost.*trying again/) as string,
  });
  // Each row is counted once, whatever its batch went through.
  expect(printed(ran).result, cut.name).toMatchObject({ inserted: 199, updated: 200, deleted: 3 });
  same(await it.seen("target"), await it.seen("source"), cut.name);
}

describePairs(PAIRS, "a connection that is cut", (source, target) => {
  test.each(CUTS)("$name is opened anew, and the repair goes on; it is undone exactly", async (cut) => {
    await using it = await orders([source, target], { rows: 600, extra: 3 });
    const were = await it.all();
    await repaired(it, cut);
    const id = (it.log("undo") ?? "").replace(/^.*\/|\.undo\.jsonl$/g, "");
    const undone = await it.run(["undo", id, "--apply", "--format", "json"]);
    expect(undone, undone.stderr).toMatchObject({ code: 0 });
    same(await it.all(), were, cut.name);
  });

  test("while the source is read for a batch is opened anew, and the repair goes on", async () => {
    await using it = await orders([source, target], { rows: 600, extra: 3 });
    // The comparison reads in other words than a batch, which asks for many keys at once and comes after the stage was made.
    let writing = false;
    const log = (): boolean => (writing ||= it.log("undo") !== undefined);
    const cut = cutAt(READING, "cut");
    await repaired(it, {
      name: "while the source is read",
      side: "SOURCE",
      judge: () => (passing) => (log() ? cut(passing) : "pass"),
    });
  });
});

describePairs([["mariadb", "postgres"]], "a connection that is cut", (source, target) => {
  test("for good ends it with a clear line and a 3, and it can be gone on with", async () => {
    await using it = await orders([source, target], { rows: 600, extra: 3 });
    const line = { dead: false };
    const first = cutAt(COMMIT, "cut", 2);
    const proxy = await openProxy(it.target.url, (passing) => {
      const verdict = first(passing);
      line.dead ||= verdict === "cut";
      return line.dead ? "cut" : verdict;
    });
    const url = proxy.via(it.target.url);
    const run = it.start(REPAIR, { urls: { TARGET: url } });
    // Once it is cut nobody listens any more.
    while (!line.dead && run.running()) await new Promise((resolve) => setTimeout(resolve, 5));
    await proxy[Symbol.asyncDispose]();
    const ran = await run.done;
    expect(ran, ran.stderr).toMatchObject({ code: 3, stderr: expect.stringMatching(/trying again/) as string });
    expect(printed(ran)).toMatchObject({ status: "stopped", undo: expect.any(String) as string });
    const resumed = await it.run([...REPAIR, "--resume"]);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    same(await it.seen("target"), await it.seen("source"));
  }, 120_000);
});
