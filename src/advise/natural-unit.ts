import { type Axis, SECOND } from "../domain/position.ts";

const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** Lengths that people choose, up to a day; beyond it whole days. */
const STEPS: readonly bigint[] = [
  ...[1n, 2n, 5n, 10n, 15n, 20n, 30n].map((n) => n * MINUTE),
  ...[1n, 2n, 3n, 4n, 6n, 8n, 12n].map((n) => n * HOUR),
  DAY,
];

/** A length rounded up to one that people would write down: minutes, hours, whole days; 1, 2 or 5 with zeros on a sequence. 0 stays 0. */
export function roundUp(length: bigint, axis: Axis): bigint {
  if (length <= 0n) return 0n;
  if (axis === "time") return STEPS.find((step) => step >= length) ?? ((length + DAY - 1n) / DAY) * DAY;
  for (let ten = 1n; ; ten *= 10n) for (const n of [1n, 2n, 5n]) if (n * ten >= length) return n * ten;
}
