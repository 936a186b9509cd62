import { FINDING_GROUPS, type FindingCode, type FindingGroup } from "../domain/codes.ts";
import type { Finding } from "../domain/finding.ts";
import type { CheckReport } from "../domain/report.ts";
import type { Reporter, ReporterOptions } from "./reporter.ts";
import { evidenceOf, typed } from "./text/finding-words.ts";
import { placeOf } from "./text/place.ts";
import { printable, TOGETHER } from "./text/wrap.ts";

/**
 * JUnit XML, as the schemas of Jenkins and of Apache Ant's reports both have it: a suite a check, a case a rule. A finding of the
 * severity that fails the command fails its case; lesser ones are told in the output of the suite, because Ant's schema gives a case
 * none, and their case passes; rules that had nothing to look at are skipped. The case `audit` is in error where the check could not finish.
 */
export const junit: Reporter = (report, options) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    ...report.checks.map((check, i) => suite(check, i, report.started_at, options)),
    "</testsuites>",
    "",
  ].join("\n");

/** `told`: what a case that passes has to say nevertheless. */
type Case = {
  readonly name: string;
  readonly kind: "pass" | "failure" | "error" | "skipped";
  readonly xml: string;
  readonly told?: string;
};

function suite(check: CheckReport, id: number, started: string, options: ReporterOptions): string {
  const cases = [audit(check), ...codesOf().map((code) => ruleCase(code, check, options))];
  const of = (kind: Case["kind"]): number => cases.filter((each) => each.kind === kind).length;
  const time = check.seconds.toFixed(3);
  return `  <testsuite ${attributes({
    name: check.check,
    package: "tidemark",
    id,
    hostname: "localhost",
    timestamp: started.slice(0, 19),
    tests: cases.length,
    failures: of("failure"),
    errors: of("error"),
    skipped: of("skipped"),
    time,
  })}>
    <properties>
      <property ${attributes({ name: "source", value: sideText(check.source) })}/>
      <property ${attributes({ name: "target", value: sideText(check.target) })}/>
      <property ${attributes({ name: "verdict", value: check.verdict })}/>
    </properties>
${cases
  .map(({ name, xml }, i) => {
    const head = `    <testcase ${attributes({ classname: check.check, name, time: i === 0 ? time : "0.000" })}`;
    return xml === "" ? `${head}/>` : `${head}>${xml}</testcase>`;
  })
  .join("\n")}
    ${element("system-out", {}, cases.flatMap(({ told }) => told ?? []).join("\n\n"))}
    <system-err/>
  </testsuite>`;
}

function sideText({ connection, table, rows }: CheckReport["source"]): string {
  return `${connection}: ${table}${rows === null ? "" : `, ${rows} rows`}`;
}

function audit({ error }: CheckReport): Case {
  if (error === null) return { name: "audit", kind: "pass", xml: "" };
  const told = error.hint === null ? error.message : `${error.message}\n${error.hint}`;
  return { name: "audit", kind: "error", xml: element("error", { message: error.message, type: error.code }, told) };
}

function codesOf(): readonly FindingCode[] {
  return Object.values(FINDING_GROUPS).flat();
}

function ruleCase(code: FindingCode, check: CheckReport, options: ReporterOptions): Case {
  const findings = check.findings.filter((finding) => finding.code === code);
  const failing = findings.filter((finding) => fails(finding, options.failOn ?? "error"));
  const [first] = failing;
  if (first !== undefined) {
    const text = failing.map((finding) => story(finding, options)).join("\n\n");
    return {
      name: code,
      kind: "failure",
      xml: element("failure", { message: first.says, type: first.severity }, text),
    };
  }
  if (findings.length > 0)
    return { name: code, kind: "pass", xml: "", told: findings.map((each) => story(each, options)).join("\n\n") };
  const why = unasked(code, check, options.only ?? null);
  if (why === null) return { name: code, kind: "pass", xml: "" };
  return { name: code, kind: "skipped", xml: `<skipped ${attributes({ message: why })}/>` };
}

function fails({ severity, state, accepted }: Finding, failOn: NonNullable<ReporterOptions["failOn"]>): boolean {
  if (state === "recovered" || accepted === true || failOn === "never") return false;
  return severity === "error" || (failOn === "warn" && severity === "warn");
}

/** Why a rule had nothing to look at; null: it had. */
function unasked(code: FindingCode, check: CheckReport, only: readonly FindingGroup[] | null): string | null {
  const group = (Object.keys(FINDING_GROUPS) as readonly FindingGroup[]).find((each) =>
    (FINDING_GROUPS[each] as readonly string[]).includes(code),
  );
  if (only !== null && group !== undefined && !only.includes(group)) return "not asked for";
  if (check.error !== null) return "the check could not finish";
  if (group === "rows" && check.compared === null) return "the tables were not compared";
  if (group === "runs" && check.runs === null) return "the check has no ledger";
  if (group === "clock" && check.strategy === "full") return "the check has no cursor";
  if (group === "cdc" && check.strategy !== "cdc") return "the check is not one of change data capture";
  return null;
}

/** A finding as lines of text. */
function story(finding: Finding, { commandSuffix }: ReporterOptions): string {
  const lines = [`${finding.severity} ${finding.code} (${finding.state}): ${finding.says}`];
  if (finding.state === "recovered") return lines.join("\n");
  for (const place of placeOf(finding.range, Object.keys(finding.sample[0]?.key ?? {}))) lines.push(`where: ${place}`);
  const evidence = evidenceOf(finding);
  if (evidence.length > 0) lines.push(`evidence: ${evidence.join("; ")}`);
  for (const { code, confidence, says } of finding.causes) lines.push(`why: ${code} (${confidence}): ${says}`);
  if (finding.fix !== null) lines.push(...typed(finding.fix, commandSuffix));
  return lines.join("\n");
}

function element(name: string, of: Readonly<Record<string, string>>, text: string): string {
  const list = attributes(of);
  const head = `<${name}${list === "" ? "" : ` ${list}`}`;
  return text === "" ? `${head}/>` : `${head}>${escaped(text)}</${name}>`;
}

function attributes(of: Readonly<Record<string, string | number>>): string {
  return Object.entries(of)
    .map(([name, value]) => `${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join(" ");
}

/** Characters that XML cannot hold even escaped become visible: `\u0000`. */
function escaped(text: string): string {
  return printable(text)
    .replaceAll(TOGETHER, " ")
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
