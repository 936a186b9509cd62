import type { Preset } from "../preset.ts";
import { airbyte } from "./airbyte.ts";
import { airflow2 } from "./airflow2.ts";
import { airflow3 } from "./airflow3.ts";
import { dagster } from "./dagster.ts";
import { dlt } from "./dlt.ts";
import { elementary } from "./elementary.ts";
import { meltano } from "./meltano.ts";
import { sqlmesh } from "./sqlmesh.ts";

/** Every preset by its name. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map(
  [airflow2, airflow3, airbyte, dagster, dlt, meltano, sqlmesh, elementary].map((preset) => [preset.name, preset]),
);
