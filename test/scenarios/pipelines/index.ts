import { CAUSE_SCENARIOS } from "./causes.ts";
import type { Scenario } from "./scenario.ts";

/** All of them; `test/architecture` asks whether each rule and cause is among them. */
export const SCENARIOS: readonly Scenario[] = [...CAUSE_SCENARIOS];
