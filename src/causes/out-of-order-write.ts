import type { Cause, Known, Lost } from "./cause.ts";
import { holders, readingOf } from "./lost.ts";

/** The newer version was carried, and an older copy was written over it afterwards. */
export const outOfOrderWrite: Cause = {
  code: "out-of-order-write",
  holds: (lost, known) => {
    const { difference } = lost;
    if (readingOf(lost, known) === null || difference.type !== "changed") return null;
    const carriers = carriersOf(lost, known);
    if (carriers.length === 0) return null;
    const loaded = difference.target.loaded;
    const says = (): string => "a run carried the newer version, and an older copy was written over it";
    if (loaded !== null) {
      const run = carriers.find((i) => loaded > finish(i, known));
      return run === undefined ? null : { confidence: "observed", runs: [run], says };
    }
    const over = carriers.find((i) => overwriterOf(i, lost, known) !== null);
    const by = over === undefined ? null : overwriterOf(over, lost, known);
    return over === undefined || by === null
      ? null
      : { confidence: "inferred", runs: [over, by].toSorted((a, b) => a - b), says };
  },
};

/**
 * Whether the newer version may have been carried and overwritten, for all that is known of a row whose arrival is not: the target holds an
 * older one, and was last written after some run that holds the row, or nobody knows when.
 */
export function mayBeOverwritten(lost: Lost, known: Known): boolean {
  const { difference } = lost;
  if (difference.type !== "changed") return false;
  const { loaded } = difference.target;
  return loaded === null || holders(lost, known).some((i) => loaded > finish(i, known));
}

/** The runs that hold the row and started when it had arrived: they read the newer version. */
function carriersOf(lost: Lost, known: Known): readonly number[] {
  if (lost.a === null) return [];
  const a = lost.a;
  return holders(lost, known).filter((i) => (known.ledger?.facts.runs[i]?.started ?? 0n) >= a);
}

/** When a run was over; a run without a finish may have gone on until now. */
function finish(i: number, { ledger, facts }: Known): bigint {
  return ledger?.facts.runs[i]?.finished ?? facts.now;
}

/** Another successful run that holds the target's version, read before the newer one was there, overlapped the carrier and finished later. */
function overwriterOf(carrier: number, { difference, a }: Lost, known: Known): number | null {
  const { ledger } = known;
  if (ledger === null || difference.type !== "changed" || difference.target.cursor === null) return null;
  for (const i of ledger.won.at(ledger.won.leafOf(difference.target.cursor))) {
    const at = ledger.successAt[i] as number;
    const run = ledger.facts.runs[at];
    if (run === undefined || at === carrier || (a !== null && run.started >= a)) continue;
    if (run.started <= finish(carrier, known) && finish(at, known) > finish(carrier, known)) return at;
  }
  return null;
}
