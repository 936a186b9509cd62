import type { Copy, Difference } from "../domain/difference.ts";
import { comparePart } from "../domain/key.ts";
import type { AgreedKind } from "../domain/kind.ts";

/** Which of two copies is newer, by the version column; a NULL version is older than any value. `none`: there is no version column. */
export function versionOrder(
  source: Copy,
  target: Copy,
  plan: { readonly version: { readonly as: AgreedKind } | null },
): Extract<Difference, { type: "changed" }>["order"] {
  if (plan.version === null) return "none";
  const order = comparePart(source.version, target.version, plan.version.as);
  return order === 0 ? "same" : order > 0 ? "source-newer" : "target-newer";
}
