import { createHmac } from "node:crypto";
import type { ShowValue } from "../../compare/plan.ts";
import type { Check } from "../../domain/check.ts";
import type { State } from "../../domain/state.ts";

/** Characters of a value that are shown, and of a hash: enough to tell apart what one looks at. */
const SHOWN = 120;
const HASHED = 12;

/**
 * What a check lets be shown of the values that differ. `mask`: null, nothing. `show`: the values, cut short. `hash`: their HMAC-SHA256
 * with the state store's own salt, so that equal values look equal from night to night and nobody without the store can try values out.
 * The same value of two columns hashes differently.
 */
export async function showerOf({ report }: Check, state: Pick<State, "salt">): Promise<ShowValue | null> {
  switch (report.values) {
    case "mask":
      return null;
    case "show":
      return (_, value) => (value === null || value.length <= SHOWN ? value : `${value.slice(0, SHOWN)}…`);
    case "hash": {
      const salt = await state.salt();
      return (column, value) =>
        value === null
          ? null
          : `#${createHmac("sha256", salt).update(`${column}\0${value}`).digest("hex").slice(0, HASHED)}`;
    }
  }
}
