import type { ComparisonPlan } from "../../compare/plan.ts";
import type { Chunk } from "../../compare/question.ts";
import type { DifferenceLog, World } from "../ports.ts";
import type { ComparisonRequest } from "./request.ts";
import { lookAtAll } from "./look-at-all.ts";
import { lookAtChunks } from "./look-at-chunks.ts";
import type { Origins } from "./origins.ts";
import { lookAgain, type SecondLook } from "./recheck.ts";
import type { Course } from "./all-chunks.ts";
import type { OpenSides } from "./request.ts";
import { type Pace, paceOf } from "./pace.ts";
import { sideReader } from "./side-reader.ts";
import { sideSpec } from "./side-spec.ts";
import { ofTheWorld, type Tally } from "./tally.ts";

/** Differences beyond which a second comparison of everything costs less than looking each of them up. */
const MANY = 20_000;

/** How long to wait before looking again, in microseconds: rows on their way, and where `settle` keeps those out. */
const LONG = 2_000_000n;
const SHORT = 200_000n;

/** As `confirm`; where the second look fails, nothing is accused. */
export async function confirmOrDrop(
  request: ComparisonRequest,
  plan: ComparisonPlan,
  found: DifferenceLog,
  origins: Origins,
  looked: bigint,
  world: World,
  tally: Tally,
): ReturnType<typeof confirm> {
  try {
    return await confirm(request, plan, found, origins, looked, world, tally);
  } catch (error) {
    tally.failure ??= ofTheWorld(error, world);
    return { log: world.differenceLog(), moved: 0 };
  }
}

/** Asks again what differs, on fresh snapshots, until two looks agree or the rounds are over. */
async function confirm(
  request: ComparisonRequest,
  first: ComparisonPlan,
  found: DifferenceLog,
  origins: Origins,
  looked: bigint,
  world: World,
  tally: Tally,
): Promise<{ readonly log: DifferenceLog; readonly moved: number }> {
  const { rounds, wait: asked } = request.check.compare.recheck;
  const wait = asked ?? (request.laterScope.settledUntil === null ? LONG : SHORT);
  if (found.size === 0 || rounds === 0) return { log: found, moved: 0 };
  const plan: ComparisonPlan = { ...first, scope: request.laterScope };
  const confirmed = world.differenceLog();
  let suspected = found;
  let last = looked;
  for (let round = 1; round <= rounds && suspected.size > 0; round++) {
    world.progress.step(request.check.name, "looking again at what differs");
    const due = last + wait - world.clock.now();
    if (due > 0n) await world.clock.sleep(due, world.signal);
    await using sides = await request.reopen();
    const pace = paceOf(request.check, world);
    const readers = {
      source: sideReader(sides.source, sideSpec(sides.source, plan, request.check, request.keyScope), tally, pace),
      target: sideReader(sides.target, sideSpec(sides.target, plan, request.check, request.keyScope), tally, pace),
    };
    const { parallel } = request.check.compare;
    const log = world.differenceLog;
    const lookAt = async (some: DifferenceLog, chunks: readonly Chunk[] | null): Promise<SecondLook> =>
      some.size > MANY
        ? await lookAtAll(some, request, plan, readers, courseAgain(sides, world, BigInt(some.size), pace), log, chunks)
        : await lookAgain(some, plan, readers, parallel, log);
    const look =
      round === 1 && found.size > MANY && origins.witnesses.length > 0
        ? await lookAtChunks(found, origins, readers, parallel, log, lookAt)
        : await lookAt(suspected, null);
    if (look.confirmed === found) return { log: found, moved: 0 };
    for (const difference of look.confirmed.all()) confirmed.add(difference);
    look.confirmed[Symbol.dispose]();
    suspected[Symbol.dispose]();
    suspected = look.moved;
    last = world.clock.now();
  }
  const moved = suspected.size;
  suspected[Symbol.dispose]();
  return { log: confirmed, moved };
}

/** The way through the chunks once more, to its end: what is asked again was found before any limit was reached. */
function courseAgain({ source, target }: OpenSides, world: World, found: bigint, pace: Pace | null): Course {
  const tables = { source: source.table, target: target.table };
  const known = [tables.source.estimatedRows, tables.target.estimatedRows].filter((n) => n !== null);
  return { expected: known.reduce((a, b) => (a > b ? a : b), found), tables, world, pace, reached: () => false };
}
