import type { Difference } from "../../domain/difference.ts";
import type { Facts } from "../../domain/facts.ts";
import { indexLedger, isBeyond } from "../../domain/ledger-index.ts";
import type { PlanCounts } from "../../domain/repair.ts";

/** Rows by what is to become of them. `notDue`: of those to be written, beyond the last successful window. */
export type Counted = { readonly counts: PlanCounts; readonly notDue: bigint };

/** Counts differences as they pass by. */
export function counting(
  { ledger, source }: Facts,
  deleteExtra: boolean,
): {
  /** A difference in question. */
  take(difference: Difference): void;
  /** A difference of the check that is not in question: its row is not one that is the same. */
  pass(difference: Difference): void;
  counted(): Counted;
} {
  let [insert, update, extra, keptNewer, outside, notDue] = [0, 0, 0, 0, 0, 0];
  const index = ledger === null ? null : indexLedger(ledger, true);
  return {
    pass(difference) {
      if (difference.type !== "extra") outside++;
    },
    take(difference) {
      if (difference.type === "extra") extra++;
      else if (difference.type === "changed" && difference.order === "target-newer") keptNewer++;
      else {
        if (difference.type === "missing") insert++;
        else update++;
        if (index !== null && difference.source.cursor !== null && isBeyond(index, difference.source.cursor)) notDue++;
      }
    },
    counted() {
      const unchanged = (source.rows ?? 0n) - BigInt(insert + update + keptNewer + outside);
      const counts = {
        insert: BigInt(insert),
        update: BigInt(update),
        delete: BigInt(deleteExtra ? extra : 0),
        unchanged: unchanged < 0n ? 0n : unchanged,
        keptNewer: BigInt(keptNewer),
        extra: BigInt(deleteExtra ? 0 : extra),
      };
      return { counts, notDue: BigInt(notDue) };
    },
  };
}
