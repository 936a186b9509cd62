import type { Acceptance, Check } from "../domain/check.ts";
import { formatInstant } from "../domain/position.ts";
import { count, names } from "../domain/wording.ts";
import type { FindingDraft } from "./rule.ts";

/** Entries of `accept` that no longer do anything: matched nothing (`unused`), or past their `until`. By index. */
export function unusedAccept(check: Check, now: bigint, unused: ReadonlySet<number>): readonly FindingDraft[] {
  const listed = check.accept.flatMap((entry, i) => {
    const past = entry.until !== null && now >= entry.until;
    return past || unused.has(i) ? [{ entry, past }] : [];
  });
  if (listed.length === 0) return [];
  return [
    {
      severity: "warn",
      says: `${count(listed.length, "entry", "entries")} of \`accept\` ${listed.length === 1 ? "does" : "do"} nothing any more: ${names(
        listed.map(({ entry, past }) => `${nameOf(entry)} (${past ? "past its until" : "matches nothing"})`),
        listed.length,
        3,
      )}`,
      evidence: {
        entries: listed.map(({ entry, past }) => ({
          finding: entry.finding,
          range: entry.range?.text ?? null,
          reason: entry.reason,
          until: entry.until === null ? null : formatInstant(entry.until),
          why: past ? "past its until" : "matches nothing",
        })),
      },
    },
  ];
}

const nameOf = ({ finding, range }: Acceptance): string => (range === null ? finding : `${finding} ${range.text}`);
