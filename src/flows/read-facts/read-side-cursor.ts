import type { CursorFacts } from "../../domain/facts.ts";
import type { OpenSide } from "./open-side.ts";

/**
 * What a side's cursor column shows now, under the side's `where`: by its index where there is one. `now`, `future`: microseconds; on a
 * sequence axis nothing lies in the future. `page`: rows that the pipeline reads at a time, for ties; null: ties and whole seconds
 * are not asked (they cost a pass over the index). Null: the side has no cursor.
 */
export declare function readSideCursor(
  side: OpenSide,
  asked: { readonly now: bigint; readonly future: bigint; readonly page: number | null },
): Promise<CursorFacts | null>;
