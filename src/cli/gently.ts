import type { Check } from "../domain/check.ts";

/** The check as `--gentle` wants it: one connection a side, whatever its file says of `parallel`. */
export function gently(check: Check): Check {
  return { ...check, compare: { ...check.compare, gentle: true, parallel: 1 } };
}
