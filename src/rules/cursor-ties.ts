import type { LedgerIndex } from "../domain/ledger-index.ts";
import { formatPosition } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import { place, rows } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/**
 * More rows share one cursor value than the pipeline reads at a time: a page that ends among them leaves the rest behind. How much it
 * reads is what the check says (`cursor.page`); or less, where no run that held the value ever counted as many rows as share it.
 */
export const cursorTies = rule(
  "cursor-ties",
  ["check", "axis", "sourceCursor", "ledgerIfRead"],
  ({ check, axis, sourceCursor, ledgerIfRead }) => {
    const { ties } = sourceCursor;
    if (ties === null || ties.rows < 2n || check.cursor === null) return [];
    const seen = ledgerIfRead === null ? null : mostRead(ledgerIfRead, ties.position);
    const page = BigInt(check.cursor.page);
    const bySight = seen !== null && seen < ties.rows;
    if (ties.rows <= page && !bySight) return [];
    const most = bySight && (ties.rows <= page || seen < page) ? seen : page;
    return [
      {
        severity: "warn",
        says: `${rows(ties.rows)} share the cursor ${place(ties.position, axis)}, and ${
          bySight && most === seen ? `no run that held it read more than ${most}` : `a page holds ${most}`
        }: a page that ends among them leaves the rest behind`,
        rows: ties.rows,
        sides: ["source"],
        columns: [check.cursor.column],
        range: { cursor: { from: formatPosition(ties.position, axis), to: formatPosition(ties.position + 1n, axis) } },
        evidence: {
          position: formatPosition(ties.position, axis),
          rows: jsonCount(ties.rows),
          values: jsonCount(ties.values),
          page: jsonCount(page),
          most_read_by_a_run: seen === null ? null : jsonCount(seen),
        },
      },
    ];
  },
);

/** The largest row count of the successful runs that held a position; null: none did, or one of them wrote none down. */
function mostRead({ won, successes }: LedgerIndex, x: bigint): bigint | null {
  let most: bigint | null = null;
  for (const i of won.at(won.leafOf(x))) {
    const rows = successes[i]?.rows ?? null;
    if (rows === null) return null;
    if (most === null || rows > most) most = rows;
  }
  // A run that read nothing had nothing to cut into pages.
  return most === 0n ? null : most;
}
