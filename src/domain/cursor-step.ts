import type { Check } from "./check.ts";
import { SECOND } from "./position.ts";
import { columnNamed, type TableInfo } from "./table.ts";

/** How far two neighbouring values of the cursor lie apart at least, in positions: by its unit, else by its column's precision. */
export function cursorStep(check: Check, source: TableInfo): bigint {
  const { cursor } = check;
  if (cursor === null) return 1n;
  if (cursor.unit !== null) return cursor.unit === "epoch-s" ? SECOND : cursor.unit === "epoch-ms" ? 1000n : 1n;
  const kind = columnNamed(source, cursor.column)?.kind;
  if (kind?.kind === "date") return 86_400n * SECOND;
  return kind?.kind === "instant" || kind?.kind === "local" ? 10n ** BigInt(6 - kind.precision) : 1n;
}
