import { expect, test } from "vitest";
import { whyNone } from "../support/databases.ts";
import { findingLine } from "../support/finding-line.ts";
import { plant } from "../support/pipeline.ts";
import { SCENARIOS } from "./pipelines/index.ts";

test.for(SCENARIOS)("$title [$on]", async ({ says, ...pipeline }, { skip }) => {
  const why = whyNone(pipeline.on);
  if (why !== undefined) skip(why);
  await using planted = await plant(pipeline);
  const { findings, error } = await planted.audit();
  expect({ error, says: findings.map(findingLine).toSorted() }).toEqual({ error: null, says: says.toSorted() });
});
