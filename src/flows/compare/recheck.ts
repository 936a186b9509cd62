import { judgeKeys } from "../../compare/fetch-rows.ts";
import type { ComparisonPlan } from "../../compare/plan.ts";
import type { Both } from "../../compare/question.ts";
import type { Difference } from "../../domain/difference.ts";
import { type Key, keyIdentity } from "../../domain/key.ts";
import type { DifferenceLog } from "../ports.ts";
import { converse } from "./converse.ts";
import { inParallel } from "./in-parallel.ts";
import type { SideReader } from "./side-reader.ts";

/** What a second look came to: what both looks agree on, and what moved between them. */
export type SecondLook = { readonly confirmed: DifferenceLog; readonly moved: DifferenceLog };

const KEYS_AT_ONCE = 500;

/**
 * Looks at every difference again and keeps what is still the same difference; what has converged is dropped, what differs in
 * another way than before is `moved` and may be asked again. Memory does not grow with their number.
 */
export async function lookAgain(
  suspected: DifferenceLog,
  plan: ComparisonPlan,
  readers: Both<SideReader>,
  parallel: number,
  log: () => DifferenceLog,
): Promise<SecondLook> {
  const look = { confirmed: log(), moved: log() };
  await inParallel(batches(suspected.all(), KEYS_AT_ONCE), parallel, async (batch) => {
    const before = new Map(batch.map((d) => [keyIdentity(d.key), d]));
    const keys: Key[] = batch.map((d) => d.key);
    await converse(judgeKeys(keys, plan), readers, {
      take(differences) {
        for (const now of differences) {
          const then = before.get(keyIdentity(now.key));
          (then && agree(then, now) ? look.confirmed : look.moved).add(now);
        }
      },
    });
  });
  return look;
}

/** Whether two looks accuse a row of the same: nothing that is known of its copies has changed. */
function agree(a: Difference, b: Difference): boolean {
  if (a.type === "changed" && b.type === "changed" && a.seen !== undefined && b.seen !== undefined && a.seen !== b.seen)
    return false;
  return (
    a.type === b.type &&
    sameCopy("source" in a ? a.source : null, "source" in b ? b.source : null) &&
    sameCopy("target" in a ? a.target : null, "target" in b ? b.target : null)
  );
}

type Copy = Extract<Difference, { type: "missing" }>["source"];

function sameCopy(a: Copy | null, b: Copy | null): boolean {
  return (
    a === b || (a !== null && b !== null && a.cursor === b.cursor && a.version === b.version && a.loaded === b.loaded)
  );
}

function* batches<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
