import fc from "fast-check";
import { expect, test } from "vitest";
import { InterruptedError, StatementError } from "../../src/domain/errors.ts";
import { SessionPool } from "../../src/engines/session-pool.ts";
import { SnapshotSessions } from "../../src/engines/snapshot-sessions.ts";
import type { Database, Session, Snapshot } from "../../src/sql/session.ts";
import { MemoryServer, MemorySession, untilStill } from "./memory-session.ts";

const PING = { what: "test", sql: { parts: [] } };

/** A snapshot of the kind whose sessions join a leader, or of the kind where each begins by itself. */
async function snapshotOf(
  pool: SessionPool<MemorySession>,
  limit: number,
  kind: "joined" | "alone",
): Promise<Snapshot> {
  const first = await pool.take();
  first.began = true;
  return new SnapshotSessions({
    // Only its name is asked for.
    database: { connection: "tested" } as Database,
    pool,
    begun: [first],
    limit,
    leader: kind === "joined" ? first : null,
    begin: async (session) => {
      await session.rows(PING);
      if (kind === "joined" && first.broken) throw new StatementError("test", "no such snapshot", { sql: "" });
      session.began = true;
    },
  });
}

const mine = (session: Session): MemorySession => {
  if (!(session instanceof MemorySession)) throw new Error("not a session of the test");
  return session;
};
/** Asks something, and says which session answered. */
const ping = async (session: Session): Promise<string | null> => (await session.rows(PING))[0]?.[0] ?? null;
const kinds = ["joined", "alone"] as const;

test.each(kinds)("sessions that are %s are opened as callers need them, up to the limit", async (kind) => {
  const server = new MemoryServer({ limit: 8 });
  const pool = new SessionPool(server.first(), server);
  const snapshot = await snapshotOf(pool, 3, kind);
  const ids = await Promise.all([1, 2, 3, 4, 5].map(async () => await snapshot.use(ping)));
  expect(new Set(ids).size).toBe(3);
  expect(pool.free).toBe(5);
  await snapshot[Symbol.asyncDispose]();
  expect(pool.free).toBe(8);
  expect(server.opened.map(({ began }) => began)).toEqual([false, false, false]);
});

test.each(kinds)("callers of a snapshot whose sessions are %s are served in their order", async (kind) => {
  const server = new MemoryServer({ limit: 1 });
  const snapshot = await snapshotOf(new SessionPool(server.first(), server), 4, kind);
  const order: number[] = [];
  const work = [0, 1, 2, 3].map(
    async (n) =>
      await snapshot.use(async (session) => {
        order.push(n);
        await ping(session);
      }),
  );
  await Promise.all(work);
  expect(order).toEqual([0, 1, 2, 3]);
});

test.each(kinds)("a snapshot whose sessions are %s does not wait for another one", async (kind) => {
  const server = new MemoryServer({ limit: 2 });
  const pool = new SessionPool(server.first(), server);
  const [one, two] = [await snapshotOf(pool, 4, kind), await snapshotOf(pool, 4, kind)];
  expect(await one.use(async () => await two.use(ping))).toBe("1");
  expect(await two.use(async () => await one.use(ping))).toBe("0");
  expect(await Promise.all([one.use(ping), two.use(ping), one.use(ping), two.use(ping)])).toEqual(["0", "1", "0", "1"]);
});

test.each(kinds)("idle sessions that are %s go to who waits for the pool, all but one", async (kind) => {
  const server = new MemoryServer({ limit: 3 });
  const pool = new SessionPool(server.first(), server);
  const snapshot = await snapshotOf(pool, 3, kind);
  const gate = Promise.withResolvers<void>();
  const uses = [1, 2, 3].map(async () => await snapshot.use(async () => await gate.promise));
  await new Promise((resolve) => setImmediate(resolve));
  expect(pool.free).toBe(0);
  const others = [pool.take(), pool.take(), pool.take()];
  gate.resolve();
  await Promise.all(uses);
  await Promise.all(others.slice(0, 2));
  expect(pool.wanted).toBe(true);
  // The one that is left still sees the snapshot, so that it can go on.
  expect(await snapshot.use(async (session) => mine(session).began)).toBe(true);
  await snapshot[Symbol.asyncDispose]();
  await others[2];
});

test("a session that breaks is replaced by one that joins the leader", async () => {
  const server = new MemoryServer({ limit: 2 });
  const snapshot = await snapshotOf(new SessionPool(server.first(), server), 2, "joined");
  await snapshot.use(async () => await snapshot.use(async (session) => mine(session).cut()));
  const ids = await snapshot.use(async (outer) => [await ping(outer), await snapshot.use(ping)]);
  expect(ids).toEqual(["0", "2"]);
});

test("without its leader a snapshot goes on with the sessions it has, and is lost with the last one", async () => {
  const server = new MemoryServer({ limit: 3 });
  const snapshot = await snapshotOf(new SessionPool(server.first(), server), 3, "joined");
  await snapshot.use(async (leader) => {
    await snapshot.use(ping);
    mine(leader).cut();
  });
  expect(await Promise.all([snapshot.use(ping), snapshot.use(ping)])).toEqual(["1", "1"]);
  await snapshot.use(async (session) => mine(session).cut());
  const error = await snapshot.use(ping).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(StatementError);
  expect((error as StatementError).retryable).toBe(true);
  expect((error as StatementError).message).toContain("connection tested: the snapshot was lost");
});

test("a session that needs no leader is begun anew even if it was the last one", async () => {
  const server = new MemoryServer({ limit: 1 });
  const snapshot = await snapshotOf(new SessionPool(server.first(), server), 1, "alone");
  await snapshot.use(async (session) => mine(session).cut());
  expect(await snapshot.use(async (session) => [mine(session).id, mine(session).began])).toEqual([1, true]);
});

test.each(kinds)("where the server has no more, those that are %s and open go on", async (kind) => {
  const server = new MemoryServer({ limit: 4, refused: [0, 1, 2, 3] });
  const pool = new SessionPool(server.first(), server);
  const snapshot = await snapshotOf(pool, 4, kind);
  expect(await Promise.all([snapshot.use(ping), snapshot.use(ping), snapshot.use(ping)])).toEqual(["0", "0", "0"]);
  expect(pool.free).toBe(3);
});

test.each(kinds)("a closed snapshot whose sessions were %s refuses who waits and who comes later", async (kind) => {
  const server = new MemoryServer({ limit: 1 });
  const pool = new SessionPool(server.first(), server);
  const snapshot = await snapshotOf(pool, 1, kind);
  const gate = Promise.withResolvers<void>();
  const running = snapshot.use(async () => await gate.promise);
  const waiting = snapshot.use(ping);
  await new Promise((resolve) => setImmediate(resolve));
  await snapshot[Symbol.asyncDispose]();
  await expect(waiting).rejects.toBeInstanceOf(InterruptedError);
  await expect(snapshot.use(ping)).rejects.toBeInstanceOf(InterruptedError);
  gate.resolve();
  await running;
  expect(pool.free).toBe(1);
});

test("whatever breaks in whatever order: each caller ends, no session is shared, no place is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(...kinds),
      fc.integer({ min: 2, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
      fc.array(fc.record({ of: fc.constantFrom("one", "two", "pool"), broken: fc.boolean() }), {
        minLength: 1,
        maxLength: 14,
      }),
      async (scheduler, kind, limit, refused, uses) => {
        const server = new MemoryServer({
          limit,
          // The first attempt is that of the second snapshot.
          refused: refused.map((attempt) => attempt + 1),
          pause: async () => await scheduler.schedule(Promise.resolve()),
        });
        const pool = new SessionPool(server.first(), server);
        const both = Promise.all([snapshotOf(pool, 3, kind), snapshotOf(pool, 3, kind)]);
        await untilStill(scheduler);
        const [one, two] = await both;
        const inUse = new Set<MemorySession>();
        let ended = 0;
        for (const { of, broken } of uses) {
          const work = async (given: Session): Promise<void> => {
            const session = mine(given);
            expect(inUse.has(session)).toBe(false);
            inUse.add(session);
            expect(session.began).toBe(of !== "pool");
            expect(server.connections).toBeLessThanOrEqual(limit);
            await scheduler.schedule(Promise.resolve());
            inUse.delete(session);
            if (broken) session.cut();
          };
          void (of === "pool" ? pool : of === "one" ? one : two)
            .use(work)
            .catch((error: unknown) => expect(error).toBeInstanceOf(StatementError))
            .then(() => ended++);
        }
        await untilStill(scheduler);
        // Those who ask the pool may wait for as long as the snapshots keep their last sessions.
        const patient = pool.wanted ? uses.filter(({ of }) => of === "pool").length : 0;
        expect(ended).toBeGreaterThanOrEqual(uses.length - patient);
        await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose](), untilStill(scheduler)]);
        await untilStill(scheduler);
        expect(ended).toBe(uses.length);
        expect([pool.free, pool.wanted]).toEqual([limit, false]);
      },
    ),
    { numRuns: 300 },
  );
});
