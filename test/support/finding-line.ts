import type { Finding, Json } from "../../src/domain/finding.ts";

/**
 * A finding in one line: code and part, severity, rows, the runs (or stretches, or streaks) it lists, the witness and the basis; then its
 * causes, each with rows, runs and how sure: `missing-rows error 1 < closed-ahead-of-clock 1 by 812 observed`.
 */
export function findingLine({ id, severity, rows, evidence, causes }: Finding): string {
  const listed = [evidence["runs"], evidence["stretches"], evidence["streaks"], evidence["windows"]].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const about = [
    id.split("/").slice(1).join("/"),
    severity,
    ...(rows === null ? [] : [`${rows}`]),
    ...(listed.length === 0 ? [] : [`by ${listed.map(nameOf).join(",")}`]),
    ...new Set(listed.flatMap((each) => textOf(each, "witness"))),
    ...[evidence["basis"]].filter((basis) => typeof basis === "string"),
  ];
  const because = causes.map(({ code, rows: n, runs, confidence }) =>
    [`< ${code} ${n}`, ...(runs.length === 0 ? [] : [`by ${runs.join(",")}`]), confidence].join(" "),
  );
  return [...about, ...because].join(" ");
}

/** The run; the runs that share a window; a streak's first and last; the runs around a hole; the failed runs that held it. */
function nameOf(each: Json): string {
  const [run] = textOf(each, "run");
  if (run !== undefined) return run;
  const list = memberOf(each, "failed_runs") ?? memberOf(each, "runs");
  if (Array.isArray(list)) return list.join("+");
  const said = (name: string): string => textOf(each, name).join();
  return said("first") === "" ? `${said("run_before")}|${said("run_after")}` : `${said("first")}..${said("last")}`;
}

const memberOf = (json: Json, name: string): Json | undefined =>
  typeof json === "object" && json !== null && !Array.isArray(json)
    ? (json as { readonly [name: string]: Json })[name]
    : undefined;

const textOf = (json: Json, name: string): readonly string[] =>
  [memberOf(json, name)].filter((value) => typeof value === "string");
