import type { Finding } from "./finding.ts";

/** Runs of the longest zero-row streak that stands among findings; null: none does. */
export function longestStreak(findings: readonly Finding[]): number | null {
  const lengths = findings
    .filter(({ code, state }) => code === "zero-row-streak" && state !== "recovered")
    .flatMap(({ evidence: { streaks } }) => (Array.isArray(streaks) ? (streaks as readonly unknown[]) : []))
    .flatMap((streak) =>
      typeof streak === "object" && streak !== null && "length" in streak && typeof streak.length === "number"
        ? [streak.length]
        : [],
    );
  return lengths.length === 0 ? null : Math.max(...lengths);
}
