import { CAUSE_SCENARIOS } from "./causes.ts";
import { CDC_SCENARIOS } from "./cdc.ts";
import { CLOCK_SCENARIOS } from "./clock.ts";
import { RUN_SCENARIOS } from "./runs.ts";
import type { Scenario } from "./scenario.ts";
import { TABLE_SCENARIOS } from "./tables.ts";

/** All of them; `test/architecture` asks whether each rule and cause is among them. */
export const SCENARIOS: readonly Scenario[] = [
  ...CAUSE_SCENARIOS,
  ...RUN_SCENARIOS,
  ...CLOCK_SCENARIOS,
  ...TABLE_SCENARIOS,
  ...CDC_SCENARIOS,
];
