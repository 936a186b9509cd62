import { describe, expect, test } from "vitest";
import { inParallel } from "../../../src/flows/compare/in-parallel.ts";

/** Lets everything that is ready run. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("working through items", () => {
  test("does each once, at most so many at a time", async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await inParallel([...Array(20).keys()], 3, async (item) => {
      most = Math.max(most, ++running);
      await breathe();
      running--;
      done.push(item);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
    expect(most).toBe(3);
  });

  test("asks a source that must be asked one at a time one at a time", async () => {
    let asking = 0;
    async function* source(): AsyncGenerator<number> {
      for (let i = 0; i < 10; i++) {
        expect(++asking).toBe(1);
        await breathe();
        asking--;
        yield i;
      }
    }
    let sum = 0;
    await inParallel(source(), 4, async (item) => {
      sum += item;
      await breathe();
    });
    expect(sum).toBe(45);
  });

  test("waits after a failure for what has begun, begins nothing new, closes its source and throws the failure", async () => {
    const log: string[] = [];
    async function* source(): AsyncGenerator<number> {
      try {
        for (let i = 0; i < 100; i++) yield i;
      } finally {
        log.push("closed");
      }
    }
    const work = inParallel(source(), 2, async (item) => {
      log.push(`begins ${item}`);
      if (item === 0) {
        await breathe();
        throw new Error("item 0 failed");
      }
      for (let i = 0; i < 5; i++) await breathe();
      log.push(`ends ${item}`);
    });
    await expect(work).rejects.toThrow("item 0 failed");
    expect(log).toEqual(["begins 0", "begins 1", "ends 1", "closed"]);
  });

  test("a source that fails is a failure", async () => {
    async function* source(): AsyncGenerator<number> {
      yield 1;
      throw new Error("no more");
    }
    await expect(inParallel(source(), 2, async () => {})).rejects.toThrow("no more");
  });

  test("nothing to do is done at once", async () => {
    await expect(inParallel([], 4, async () => expect.unreachable())).resolves.toBeUndefined();
  });

  test("lets the later workers in when their time has come, and sends them off where the work is done before", async () => {
    const most = async (come: (done: AbortSignal) => Promise<void>): Promise<number> => {
      let running = 0;
      let highest = 0;
      const work = async (): Promise<void> => {
        highest = Math.max(highest, ++running);
        for (let i = 0; i < 3; i++) await breathe();
        running--;
      };
      await inParallel([...Array(20).keys()], 4, work, { first: 2, come });
      return highest;
    };
    expect(await most(breathe)).toBe(4);
    expect(await most(() => Promise.reject(new Error("no clock")))).toBe(4);
    const never = (done: AbortSignal): Promise<void> =>
      new Promise((_, reject) => done.addEventListener("abort", () => reject(new Error("done"))));
    expect(await most(never)).toBe(2);
  });

  test("throws what a later worker met", async () => {
    const work = inParallel(
      [1, 2, 3],
      2,
      async (item) => {
        await breathe();
        await breathe();
        if (item === 2) throw new Error("item 2 failed");
      },
      { first: 1, come: async () => {} },
    );
    await expect(work).rejects.toThrow("item 2 failed");
  });
});
