import { adviceJson } from "../advise/advice-json.ts";
import { advise, neededOverlapOf } from "../advise/advise.ts";
import type { Advice } from "../domain/advice.ts";
import { lookBackEnds } from "../advise/replay.ts";
import { tally } from "../causes/tally.ts";
import type { Check } from "../domain/check.ts";
import { UsageError } from "../domain/errors.ts";
import type { Facts } from "../domain/facts.ts";
import type { Json } from "../domain/finding.ts";
import { indexLedger } from "../domain/ledger-index.ts";
import { reopen } from "./open-check.ts";
import type { World } from "./ports.ts";
import { arrivalSide } from "./read-facts/arrival-side.ts";
import type { OpenSide } from "./read-facts/open-side.ts";
import { readBehind } from "./read-facts/read-behind.ts";
import { readFacts } from "./read-facts/read-facts.ts";
import { readProfile } from "./read-facts/read-profile.ts";

/** What `tidemark advise` answers: the advice, and its JSON form (interface.md §6). */
export type Advised = { readonly advice: Advice; readonly json: { readonly [name: string]: Json } };

/**
 * Replays a check's ledger under the three policies, on what the source and the target hold now. Throws what keeps it from an answer:
 * a `UsageError` for a check that cannot be replayed, the failure of a comparison or a ledger that could not be read.
 */
export async function adviseCheck(check: Check, world: World): Promise<Advised> {
  if (check.cursor === null || check.runs === null)
    throw new UsageError(`advise ${check.name}: the check has no ${check.cursor === null ? "cursor" : "ledger"}`, {
      hint: "advise replays a ledger of windows: give the check cursor: and runs:",
    });
  const { facts, differences, failure, open } = await readFacts(
    check,
    { range: null, only: null, exact: false, wholeLags: true },
    world,
  );
  if (failure !== null) throw failure;
  const { bounds } = tally(facts, differences);
  if (facts.ledger === null || facts.axis === null) throw nothingToReplay(check);
  const ledger = indexLedger(facts.ledger, true);
  const needed = neededOverlapOf(ledger, facts.axis, bounds);
  await using sides = await reopen(open);
  const reread = await readProfile(sides.source, lookBackEnds(ledger, needed));
  const advice = advise(await withCounts(facts, sides.source), bounds, reread);
  if (advice === null) throw nothingToReplay(check);
  return { advice, json: adviceJson(check.name, advice) };
}

/** The facts with rows counted exactly where the policies' edges cut through groups of arrivals. */
async function withCounts(facts: Facts, source: OpenSide): Promise<Facts> {
  const { check, ledger, now } = facts;
  const arrivals = await arrivalSide(check, source);
  if (arrivals === null || ledger === null || ledger.arrivals === null) return facts;
  const groups = await readBehind(source, arrivals, ledger, now + check.expect.future);
  return { ...facts, ledger: { ...ledger, arrivals: { ...ledger.arrivals, groups } } };
}

function nothingToReplay(check: Check): UsageError {
  return new UsageError(`advise ${check.name}: its ledger holds no regular successful run with a window`, {
    hint: "runs.since says how far back it is read, runs.success which status words mean success",
  });
}
