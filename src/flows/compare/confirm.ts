import type { ComparisonPlan } from "../../compare/plan.ts";
import type { DifferenceLog, World } from "../ports.ts";
import type { ComparisonRequest } from "./request.ts";
import { lookAgain } from "./recheck.ts";
import { sideReader } from "./side-reader.ts";
import { sideSpec } from "./side-spec.ts";
import { ofTheWorld, type Tally } from "./tally.ts";

/** As `confirm`; where the second look fails, nothing is accused. */
export async function confirmOrDrop(
  request: ComparisonRequest,
  plan: ComparisonPlan,
  found: DifferenceLog,
  looked: bigint,
  world: World,
  tally: Tally,
): ReturnType<typeof confirm> {
  try {
    return await confirm(request, plan, found, looked, world, tally);
  } catch (error) {
    tally.failure ??= ofTheWorld(error, world);
    return { log: world.differenceLog(), moved: 0 };
  }
}

/** Asks again what differs, on fresh snapshots, until two looks agree or the rounds are over. */
async function confirm(
  request: ComparisonRequest,
  plan: ComparisonPlan,
  found: DifferenceLog,
  looked: bigint,
  world: World,
  tally: Tally,
): Promise<{ readonly log: DifferenceLog; readonly moved: number }> {
  const { rounds, wait } = request.check.compare.recheck;
  if (found.size === 0 || rounds === 0) return { log: found, moved: 0 };
  const confirmed = world.differenceLog();
  let suspected = found;
  let last = looked;
  for (let round = 1; round <= rounds && suspected.size > 0; round++) {
    world.progress.step(request.check.name, "looking again at what differs");
    const due = last + wait - world.clock.now();
    if (due > 0n) await world.clock.sleep(due, world.signal);
    await using sides = await request.reopen();
    const readers = {
      source: sideReader(sides.source, sideSpec(sides.source, plan, request.check, request.keyScope), tally),
      target: sideReader(sides.target, sideSpec(sides.target, plan, request.check, request.keyScope), tally),
    };
    const look = await lookAgain(suspected, plan, readers, request.check.compare.parallel, world.differenceLog);
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
