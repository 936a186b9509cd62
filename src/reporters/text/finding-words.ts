import type { CauseFinding, Finding } from "../../domain/finding.ts";
import { counted } from "./amount.ts";
import { evidenceText } from "./evidence.ts";
import { jsonText, sampleText } from "./place.ts";

/** How a finding is marked: a symbol and a word for the same thing. */
export type Mark = { readonly symbol: string; readonly word: "error" | "warning" | "info" | "accepted" | "recovered" };

export function markOf(finding: Finding): Mark {
  if (finding.state === "recovered") return { symbol: "✓", word: "recovered" };
  if (finding.accepted === true) return { symbol: "·", word: "accepted" };
  return MARKS[finding.severity];
}

const MARKS: Readonly<Record<Finding["severity"], Mark>> = {
  error: { symbol: "✗", word: "error" },
  warn: { symbol: "!", word: "warning" },
  info: { symbol: "·", word: "info" },
};

/** When it began; null: the evidence does not say. */
export function sinceOf({ evidence }: Finding): string | null {
  const since = evidence.since ?? evidence.first_seen;
  return typeof since === "string" ? jsonText(since) : null;
}

/** The evidence as phrases, but for what has a line of its own or is said by the sentence already. */
export function evidenceOf({ evidence, rows }: Finding): readonly string[] {
  const known = evidence.rows_lacking === rows ? ["rows_lacking"] : [];
  return evidenceText(evidence, new Set(["since", "first_seen", "runs_total", "streaks_total", ...known]));
}

/** The first rows of a sample, and how many more there are. */
export function sampleOf({ sample, rows }: Finding, most: number): string {
  const shown = sample.slice(0, most).map(sampleText);
  const total = rows === null ? BigInt(sample.length) : BigInt(rows);
  const more = total - BigInt(shown.length);
  return shown.join("; ") + (more > 0n ? `; and ${counted(more.toString(), "more", "more")}` : "");
}

/** `closed-ahead-of-clock (observed): 4 rows, runs 812, 813`: a cause with its rows and the first of its runs. */
export function causeHead(cause: CauseFinding, most: number): string {
  const runs = cause.runs.slice(0, most);
  const more = cause.runs_total - runs.length;
  const held =
    runs.length === 0
      ? ""
      : `, ${cause.runs_total === 1 ? "run" : "runs"} ${runs.join(", ")}${more > 0 ? ` and ${counted(more, "more", "more")}` : ""}`;
  const confidence = cause.confidence === cause.code ? "" : ` (${cause.confidence})`;
  return `${cause.code}${confidence}: ${counted(cause.rows, "row")}${held}`;
}

/** Whether a fix is there to be copied: a command or a statement, and not advice in words. */
export function isCopied(fix: string): boolean {
  return /^(?:tidemark|alter|create|grant|drop|set|update|delete|insert|analyze)\s/i.test(fix);
}

/** A fix line by line, as it can be typed where one stands. */
export function typed(fix: string, commandSuffix: string): readonly string[] {
  return fix.split("\n").map((line) => (line.startsWith("tidemark ") ? line + commandSuffix : line));
}
