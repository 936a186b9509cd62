import fc from "fast-check";
import { expect, test } from "vitest";
import { InterruptedError, StatementError } from "../../src/domain/errors.ts";
import { SessionPool } from "../../src/engines/session-pool.ts";
import { ENDLESS, MemoryServer, type MemorySession, untilStill } from "./memory-session.ts";

function poolOf(server: MemoryServer): SessionPool<MemorySession> {
  return new SessionPool(server.first(), server);
}

test("callers get sessions in their order, and a session serves one after the other", async () => {
  const server = new MemoryServer({ limit: 2 });
  const pool = poolOf(server);
  const order: number[] = [];
  const work = async (n: number): Promise<number> =>
    await pool.use(async (session) => {
      order.push(n);
      await session.rows({ what: "test", sql: { parts: [] } });
      return session.id;
    });
  const ids = await Promise.all([0, 1, 2, 3, 4, 5].map(work));
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  expect(new Set(ids).size).toBe(2);
  expect(server.opened.length).toBe(2);
});

test("an idle session comes before a new one", async () => {
  const server = new MemoryServer({ limit: 3 });
  const pool = poolOf(server);
  for (let i = 0; i < 3; i++) await pool.use(async () => {});
  expect(server.opened.length).toBe(1);
});

test("what may not wait is told that there is no room", async () => {
  const pool = poolOf(new MemoryServer({ limit: 2 }));
  const first = await pool.take();
  expect([pool.free, pool.wanted]).toEqual([1, false]);
  const second = await pool.takeNow();
  expect(await pool.takeNow()).toBeNull();
  const waiting = pool.take();
  expect([pool.free, pool.wanted]).toEqual([0, true]);
  await pool.release(first);
  expect(await waiting).toBe(first);
  expect(second).not.toBe(first);
});

test("a session that broke in use is replaced, and one that broke while idle too", async () => {
  const server = new MemoryServer({ limit: 1 });
  const pool = poolOf(server);
  const waiting = pool.use(async (session) => session.cut()).then(async () => await pool.use(async (s) => s.id));
  expect(await waiting).toBe(1);
  for (const session of server.opened) session.cut();
  expect(await pool.use(async (session) => session.id)).toBe(2);
  expect(server.connections).toBe(1);
});

test("who cannot open a session fails alone, and the next caller tries again", async () => {
  const server = new MemoryServer({ limit: 1, refused: [0] });
  const pool = poolOf(server);
  const first = await pool.take();
  const waiting = [pool.use(async () => "served"), pool.use(async () => "served")];
  first.cut();
  await pool.release(first);
  const [failed, served] = await Promise.allSettled(waiting);
  expect(failed?.status === "rejected" && failed.reason).toBeInstanceOf(StatementError);
  expect(served).toEqual({ status: "fulfilled", value: "served" });
});

test("an abort cancels what runs and refuses who waits, and everybody later", async () => {
  const abort = new AbortController();
  const server = new MemoryServer({ limit: 1, signal: abort.signal });
  const pool = poolOf(server);
  const running = pool.use(async (session) => await session.rows(ENDLESS));
  const waiting = pool.use(async () => {});
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  await expect(running).rejects.toBeInstanceOf(StatementError);
  await expect(waiting).rejects.toBeInstanceOf(InterruptedError);
  await expect(pool.take()).rejects.toBeInstanceOf(InterruptedError);
  await expect(pool.takeNow()).rejects.toBeInstanceOf(InterruptedError);
  expect(server.cancelled).toEqual([0]);
});

test("a running session that cannot be cancelled is cut", async () => {
  const abort = new AbortController();
  const server = new MemoryServer({ limit: 1, signal: abort.signal });
  const pool = new SessionPool(server.first(), {
    limit: 1,
    signal: abort.signal,
    open: async () => await server.open(),
    cancel: async () => await Promise.reject(new Error("the server has no connection left")),
  });
  const running = pool.use(async (session) => await session.rows(ENDLESS));
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  await expect(running).rejects.toBeInstanceOf(StatementError);
  expect(server.connections).toBe(0);
});

test("the end closes what is idle, what runs, and what is only being opened", async () => {
  let gate = Promise.resolve();
  const server = new MemoryServer({ limit: 4, pause: async () => await gate });
  const pool = poolOf(server);
  const running = pool.use(async (session) => await session.rows(ENDLESS));
  await pool.release(await pool.take());
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const idle = await pool.take();
  const opening = pool.take();
  const released = pool.release(idle);
  await new Promise((later) => setImmediate(later));
  const end = pool[Symbol.asyncDispose]();
  resolve();
  await Promise.all([end, released]);
  await expect(running).rejects.toBeInstanceOf(StatementError);
  await expect(opening).rejects.toBeInstanceOf(InterruptedError);
  expect(server.opened.length).toBe(3);
  expect([server.connections, pool.free]).toEqual([0, 4]);
});

test("whatever breaks in whatever order: each caller ends, no session is shared, no place is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
      async (scheduler, limit, refused, breaks) => {
        const server = new MemoryServer({
          limit,
          refused,
          pause: async () => await scheduler.schedule(Promise.resolve()),
        });
        const pool = poolOf(server);
        const inUse = new Set<MemorySession>();
        let ended = 0;
        for (const broken of breaks)
          void pool
            .use(async (session) => {
              expect(inUse.has(session)).toBe(false);
              expect(inUse.add(session).size).toBeLessThanOrEqual(limit);
              expect(session.broken).toBe(false);
              expect(server.connections).toBeLessThanOrEqual(limit);
              await scheduler.schedule(Promise.resolve());
              inUse.delete(session);
              if (broken) session.cut();
            })
            .catch((error: unknown) => expect(error).toBeInstanceOf(StatementError))
            .then(() => ended++);
        await untilStill(scheduler);
        expect(ended).toBe(breaks.length);
        expect([pool.free, pool.wanted]).toEqual([limit, false]);
      },
    ),
  );
});
