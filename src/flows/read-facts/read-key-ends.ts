import type { SideFacts } from "../../domain/facts.ts";
import type { OpenSide } from "./open-side.ts";

/** The smallest and the largest key of a side in key order, keys with a NULL left out; null: no row. */
export declare function readKeyEnds(side: OpenSide): Promise<SideFacts["keys"]>;
