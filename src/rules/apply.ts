import type { Check } from "../domain/check.ts";
import { type FindingCode, type FindingGroup, groupOf } from "../domain/codes.ts";
import type { Facts } from "../domain/facts.ts";
import type { Finding, Severity } from "../domain/finding.ts";
import { indexFacts } from "../domain/ledger-index.ts";
import { jsonCount } from "../domain/report.ts";
import type { Tally } from "../domain/tally.ts";
import { acceptsOf } from "./accept.ts";
import { covererOf } from "./coverer.ts";
import { RULES } from "./index.ts";
import type { FindingDraft, Known, Rule } from "./rule.ts";
import { unusedAccept } from "./unused-accept.ts";

/**
 * Asks every rule of the wanted groups (`only` null: all) and makes findings of what they say: accepted ones become notes, severities
 * are the check's, ids are stable, errors come first. `tally` null: the tables were not compared, so nothing is said about rows.
 */
export function judge(facts: Facts, tally: Tally | null, only: readonly FindingGroup[] | null): readonly Finding[] {
  const known = knownOf(facts, tally);
  const accepts = acceptsOf(facts);
  const asked = RULES.filter(({ code }) => only === null || only.includes(groupOf(code)));
  const matched = new Set<number>();
  const found: Finding[] = [];
  for (const { code, judge: ask } of asked)
    for (const draft of ask(known)) {
      const accepted = accepts(code, draft);
      if (accepted !== null) matched.add(accepted);
      const finding = findingOf(facts.check, code, draft, accepted !== null);
      if (finding !== null) found.push(finding);
    }
  if (only === null || only.includes("rows"))
    for (const draft of unusedAccept(facts.check, facts.now, unusedOf(facts, known, asked, matched))) {
      const finding = findingOf(facts.check, "unused-accept", draft, false);
      if (finding !== null) found.push(finding);
    }
  return found.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

const SEVERITIES: readonly Severity[] = ["error", "warn", "info"];

/** What there is to ask; what was not read is left undefined, and rules that need it are not asked. */
function knownOf(facts: Facts, tally: Tally | null): Partial<Known> {
  const ledger = indexFacts(facts);
  const some: { [K in keyof Known]?: Known[K] | null } = {
    check: facts.check,
    now: facts.now,
    axis: facts.axis,
    source: facts.source,
    target: facts.target,
    mapping: facts.mapping,
    sourceCursor: facts.source.cursor,
    targetCursor: facts.target.cursor,
    comparison: facts.comparison,
    ledger,
    coverer: ledger === null ? null : covererOf(ledger),
    tally,
    cdc: facts.cdc ?? null,
  };
  const known = Object.fromEntries(Object.entries(some).filter(([, fact]) => fact !== null)) as Partial<Known>;
  return { ...known, origin: facts.origin, rowAxis: facts.axis, ledgerIfRead: ledger, tallyIfCompared: tally };
}

/** Codes whose usual severity is info, so that a check's own severity means their notes too. */
const NOTES: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "pending-rows",
  "count-disagrees",
  "repeated-window",
  "cursor-precision",
]);

/** Null: the check switches the code off. A healed or lesser form of a finding stays a note whatever severity the check gives it. */
function findingOf(check: Check, code: FindingCode, draft: FindingDraft, accepted: boolean): Finding | null {
  const wanted = check.severity[code];
  if (wanted === "off") return null;
  const keeps = wanted === undefined || (draft.severity === "info" && !NOTES.has(code));
  const { part, causes, fix } = draft;
  return {
    id: `${check.name}/${code}${part === undefined ? "" : `/${part}`}`,
    code,
    group: groupOf(code),
    severity: accepted ? "info" : keeps ? draft.severity : wanted,
    state: "new",
    says: draft.says,
    rows: draft.rows === undefined ? null : jsonCount(draft.rows),
    ...(draft.sides === undefined ? {} : { sides: draft.sides }),
    ...(draft.columns === undefined ? {} : { columns: draft.columns }),
    range: draft.range ?? {},
    sample: draft.sample ?? [],
    evidence: draft.evidence ?? {},
    causes: causes ?? [],
    fix: fix ?? null,
    ...(accepted ? { accepted: true } : {}),
  };
}

/** Entries that matched nothing although everything they could match was looked at. */
function unusedOf(
  facts: Facts,
  known: Partial<Known>,
  asked: readonly Rule[],
  matched: ReadonlySet<number>,
): ReadonlySet<number> {
  const partial = facts.range !== null || (facts.comparison?.stopped ?? null) !== null;
  return new Set(
    facts.check.accept.flatMap(({ finding }, i) => {
      const rule = asked.find(({ code }) => code === finding);
      const looked = rule !== undefined && !partial && rule.needs.every((need) => known[need] !== undefined);
      return looked && !matched.has(i) ? [i] : [];
    }),
  );
}
