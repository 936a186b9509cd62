import { isBeyond } from "../domain/ledger-index.ts";
import type { Cause } from "./cause.ts";
import { isLost } from "./lost.ts";

/** The row lies beyond the last successful window: the next run will carry it. The finding is then `pending-rows`. */
export const notDue: Cause = {
  code: "not-due",
  holds: ({ difference, x }, { ledger }) =>
    x === null || ledger === null || !isLost(difference) || !isBeyond(ledger, x)
      ? null
      : { confidence: "observed", says: () => "it lies beyond the last successful window and is not due yet" },
};
