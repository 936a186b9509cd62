import type { FindingCode } from "../../src/domain/codes.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { diagnose } from "../../src/flows/diagnose.ts";
import { type Timeline, timeline } from "./timeline.ts";

/** All findings of a pipeline. */
export function diagnosed(told: Timeline): readonly Finding[] {
  const { facts, differences } = timeline(told);
  return diagnose(facts, differences);
}

/** Its findings of one code. */
export function findings(code: FindingCode, told: Timeline): readonly Finding[] {
  return diagnosed(told).filter((finding) => finding.code === code);
}

/** Severity and part of each finding of one code: `error`, `warn/recent`. */
export function severities(code: FindingCode, told: Timeline): readonly string[] {
  return findings(code, told).map(({ id, severity }) => {
    const part = id.split("/").slice(2).join("/");
    return part === "" ? severity : `${severity}/${part}`;
  });
}
