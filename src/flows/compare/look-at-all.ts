import xxhash from "xxhash-wasm";
import type { ComparisonPlan } from "../../compare/plan.ts";
import type { Both, Chunk } from "../../compare/question.ts";
import type { Copy, Difference } from "../../domain/difference.ts";
import { keyIdentity } from "../../domain/key.ts";
import type { DifferenceLog } from "../ports.ts";
import { type Course, compareAll, compareOne } from "./all-chunks.ts";
import type { Receiver } from "./converse.ts";
import { inParallel } from "./in-parallel.ts";
import type { SecondLook } from "./recheck.ts";
import type { ComparisonRequest } from "./request.ts";
import type { SideReader } from "./side-reader.ts";
import { newTally } from "./tally.ts";

/**
 * A second look at so many differences that comparing everything again costs less than looking each of them up, or all of some `chunks`
 * where no other holds any. Agrees as `lookAgain` does, by a 64-bit mark of each difference, and like it says nothing of rows that were not
 * suspected, though it meets them: a first look that ended early has not seen them, an earlier round has judged them. Eight bytes a
 * difference are all that is held.
 */
export async function lookAtAll(
  suspected: DifferenceLog,
  request: ComparisonRequest,
  plan: ComparisonPlan,
  readers: Both<SideReader>,
  course: Course,
  log: () => DifferenceLog,
  chunks: readonly Chunk[] | null = null,
): Promise<SecondLook> {
  const hasher = await xxhash();
  const marks = new BigUint64Array(suspected.size);
  const mark = (text: (difference: Difference) => string): void => {
    let n = 0;
    for (const difference of suspected.all()) marks[n++] = hasher.h64(text(difference));
    marks.sort();
  };
  mark(identity);
  const look = { confirmed: log(), moved: log() };
  using others = log();
  const receiver: Receiver = {
    take(differences) {
      for (const now of differences) (isAmong(marks, hasher.h64(identity(now))) ? look.confirmed : others).add(now);
    },
  };
  if (chunks === null) await compareAll(request, plan, readers, receiver, newTally(), course);
  else {
    const soFar = { rows: 0 };
    await inParallel(chunks, request.check.compare.parallel, async (chunk) => {
      await compareOne(chunk, request.check, plan, soFar, readers, receiver, course, null);
    });
  }
  if (others.size === 0) return look;
  mark(keyText);
  for (const now of others.all()) if (isAmong(marks, hasher.h64(keyText(now)))) look.moved.add(now);
  return look;
}

const keyText = ({ key }: Difference): string => keyIdentity(key);

/** Everything that two looks must agree on, as one text: different for different accusations. */
function identity(difference: Difference): string {
  const source = "source" in difference ? copyText(difference.source) : "";
  const target = "target" in difference ? copyText(difference.target) : "";
  return `${difference.type}|${keyIdentity(difference.key)}|${source}|${target}`;
}

function copyText({ cursor, version, loaded }: Copy): string {
  return `${cursor ?? "n"},${version === null ? "n" : `${version.length}:${version}`},${loaded ?? "n"}`;
}

/** Whether an ascending list holds a number. */
function isAmong(sorted: BigUint64Array, wanted: bigint): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0n) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
