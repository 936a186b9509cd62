import type { Mistake } from "../domain/errors.ts";
import { isPlain } from "./merge.ts";
import type { Written } from "./mistakes.ts";
import { suggestion } from "../domain/nearest.ts";
import { keySpotOf, nodeAt, type Path, spotOf } from "./yaml-node.ts";

/** What a rule between fields reads: the check with all layers merged in (its types are not proven yet), and where it says so. */
export type CrossFields = {
  readonly merged: unknown;
  readonly written: Written;
  /** tidemark.yaml, under whose `defaults` a value may stand instead. */
  readonly project: Written | null;
  readonly connections: readonly string[];
};

/**
 * Rules between the fields of a check. They run beside the schema and not inside it, because a schema's own such rules wait until all
 * else is right, and mistakes are told all at once.
 */
export function crossFieldMistakes(fields: CrossFields): readonly Mistake[] {
  return [
    ...connectionsExist(fields),
    ...strategyFits(fields),
    ...oneLedger(fields),
    ...oneRhythm(fields),
    ...columnsOnce(fields),
    ...keyOnce(fields),
  ];
}

function connectionsExist(fields: CrossFields): readonly Mistake[] {
  return [
    ["source", "connection"],
    ["target", "connection"],
    ["origin", "connection"],
    ["runs", "connection"],
  ].flatMap((path) => {
    const name = get(fields, path);
    if (typeof name !== "string" || name === "" || fields.connections.includes(name)) return [];
    return say(
      fields,
      path,
      `${path.join(".")}: tidemark.yaml has no connection ${wordAt(fields, path, name)}${suggestion(name, fields.connections)}`,
    );
  });
}

function strategyFits(fields: CrossFields): readonly Mistake[] {
  const strategy = get(fields, ["strategy"]);
  if (strategy === "cursor" && get(fields, ["cursor"]) === undefined)
    return say(fields, ["strategy"], "strategy is cursor and there is no cursor, expected cursor: { column: … }");
  if (strategy === "cdc" && get(fields, ["cdc"]) === undefined)
    return say(fields, ["strategy"], "strategy is cdc and there is no cdc, expected cdc: { slot: … }");
  return [];
}

const LEDGER_SOURCES = ["table", "query", "file", "preset"] as const;

function oneLedger(fields: CrossFields): readonly Mistake[] {
  const runs = get(fields, ["runs"]);
  if (!isPlain(runs)) return [];
  const given = LEDGER_SOURCES.filter((source) => runs[source] !== undefined);
  const [first, second] = given;
  if (first === undefined)
    return say(fields, ["runs"], `runs has none of ${LEDGER_SOURCES.join(", ")}, expected one of them`, "key");
  if (second !== undefined)
    return say(
      fields,
      ["runs", second],
      `runs has ${given.join(" and ")}, expected one of ${LEDGER_SOURCES.join(", ")}`,
      "key",
    );
  const mistakes: Mistake[] = [];
  if (first === "file") {
    // What defaults say of other ledgers is passed over, but for a condition: lines that it should leave out would be read.
    for (const key of ["connection", "where", "columns"])
      if (nodeAt(fields.written.root, ["runs", key]) !== null || (key === "where" && runs["where"] !== undefined))
        mistakes.push(
          ...say(
            fields,
            ["runs", key],
            `runs.${key} says nothing about a file, expected none (a file has the canonical names: id, from, to, started, finished, status, rows)`,
            "key",
          ),
        );
  } else if (runs.connection === undefined)
    mistakes.push(
      ...say(
        fields,
        ["runs", "connection"],
        "runs.connection is missing, expected the name of a connection in tidemark.yaml",
      ),
    );
  if (first !== "preset" && runs.params !== undefined)
    mistakes.push(...say(fields, ["runs", "params"], "runs.params belongs to a preset, expected none", "key"));
  if ((first === "table" || first === "query") && isPlain(runs.columns))
    for (const field of ["id", "to", "started"])
      if (runs.columns[field] === undefined)
        mistakes.push(
          ...say(
            fields,
            ["runs", "columns", field],
            `runs.columns.${field} is missing, expected the ledger's column of it`,
          ),
        );
  return mistakes;
}

function oneRhythm(fields: CrossFields): readonly Mistake[] {
  if (get(fields, ["expect", "every"]) === undefined || get(fields, ["expect", "schedule"]) === undefined) return [];
  return say(fields, ["expect", "schedule"], "expect has every and schedule, expected one of them", "key");
}

/** `only` keeps and `exclude` drops: a column in both is a slip of one of them. */
function columnsOnce(fields: CrossFields): readonly Mistake[] {
  const only = get(fields, ["columns", "only"]);
  const exclude = get(fields, ["columns", "exclude"]);
  if (!Array.isArray(only) || !Array.isArray(exclude)) return [];
  return exclude.flatMap((column, i) =>
    only.includes(column)
      ? say(
          fields,
          ["columns", "exclude", i],
          `the column ${wordAt(fields, ["columns", "exclude", i], String(column))} is in columns.only and in columns.exclude, expected one of them`,
        )
      : [],
  );
}

function keyOnce(fields: CrossFields): readonly Mistake[] {
  const key = get(fields, ["key"]);
  if (!Array.isArray(key)) return [];
  return key.flatMap((column, i) =>
    key.indexOf(column) < i
      ? say(
          fields,
          ["key", i],
          `the column ${wordAt(fields, ["key", i], String(column))} is twice in key, expected once`,
        )
      : [],
  );
}

/** What the check says at a path with all layers merged in. */
export function get(fields: CrossFields, path: Path): unknown {
  let value = fields.merged;
  for (const step of path) value = isPlain(value) ? value[String(step)] : undefined;
  return value;
}

/** A mistake at the path's place: in the check, or under `defaults` where only they say it. */
export function say(
  fields: CrossFields,
  path: Path,
  message: string,
  at: "key" | "value" = "value",
): readonly Mistake[] {
  const spot = at === "key" ? keySpotOf : spotOf;
  const { written, project } = fields;
  const below: Path = ["defaults", ...path];
  if (project !== null && nodeAt(written.root, path) === null && nodeAt(project.root, below) !== null)
    return [{ file: project.file, ...spot(project.root, below), message: `defaults: ${message}` }];
  return [{ file: written.file, ...spot(written.root, path), message }];
}

/** A word as the file says it, so that a variable's value is not told. */
export function wordAt(fields: CrossFields, path: Path, name: string): string {
  const node =
    nodeAt(fields.written.root, path) ??
    (fields.project === null ? null : nodeAt(fields.project.root, ["defaults", ...path]));
  return node?.template ?? name;
}
