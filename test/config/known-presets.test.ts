import { expect, test } from "vitest";
import { loadProject } from "../../src/cli/library.ts";
import { DefinitionError } from "../../src/domain/errors.ts";
import { knownPresets as presets } from "../../src/ledgers/known-presets.ts";
import { folderOf, loadCheck, mistakesIn, SHORTEST, TIDEMARK } from "./folder.ts";

const AIRFLOW = "connection: crm, preset: airflow3, params: { dag_id: d, task_id: t }";

test.each([
  ["airflow3", AIRFLOW, "[)"],
  ["sqlmesh", "connection: crm, preset: sqlmesh, params: { model: m }", "[)"],
  ["a table", "connection: crm, table: runs", "(]"],
])("the ends of the windows of %s hold where neither the check nor defaults say any", async (_, runs, window) => {
  expect((await loadCheck(`runs: { ${runs} }`, { presets })).runs?.window).toBe(window);
});

test("what a check or the defaults say of windows goes before the preset", async () => {
  expect((await loadCheck(`runs: { ${AIRFLOW}, window: "()" }`, { presets })).runs?.window).toBe("()");
  const tidemark = `${TIDEMARK}defaults: { runs: { window: "[]" } }`;
  expect((await loadCheck(`runs: { ${AIRFLOW} }`, { presets, tidemark })).runs?.window).toBe("[]");
});

test.each([
  [
    "runs: { connection: crm, preset: airflow }",
    "checks/orders.yaml:3:34: there is no preset airflow; did you mean airflow2?",
  ],
  [
    "runs: { connection: crm, preset: airflow3, params: { dag_id: d, task_i: t, task_id: t } }",
    "checks/orders.yaml:3:65: preset airflow3 has no parameter task_i; did you mean task_id?",
  ],
  [
    "runs: { connection: crm, preset: sqlmesh }",
    /^checks\/orders.yaml:3:26: preset sqlmesh needs the parameter model: /,
  ],
  [
    "runs: { connection: crm, preset: dagster, params: { asset: a, partitions: yearly } }",
    "checks/orders.yaml:3:63: preset dagster: partitions is one of hourly, daily, weekly, monthly",
  ],
])("%s is a mistake with its place", async (runs, expected) => {
  expect(await mistakesIn(runs, { presets })).toEqual([
    typeof expected === "string" ? expected : expect.stringMatching(expected),
  ]);
});

test("a preset that a variable names is told by the variable, and an unset variable only once", async () => {
  const told = await mistakesIn("runs: { connection: crm, preset: '${PRESET}' }", {
    presets,
    environment: { PRESET: "secretly-wrong" },
  });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("there is no preset ${PRESET}");
  expect(told[0]).not.toContain("secretly");
  expect(
    await mistakesIn("runs: { connection: crm, preset: dagster, params: { asset: a, partitions: '${PARTS}' } }", {
      presets,
    }),
  ).toEqual([expect.stringContaining("PARTS")]);
});

test("the program's own loading knows them", async () => {
  const cwd = await folderOf({ "orders.yaml": `${SHORTEST}runs: { connection: crm, preset: dagstr }` });
  const refused = await loadProject({ cwd, environment: {} }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DefinitionError);
  expect(String(refused)).toContain("did you mean dagster?");
});
