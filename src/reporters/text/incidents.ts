import type { Finding, FindingRange } from "../../domain/finding.ts";
import { parseInstant } from "../../domain/position.ts";
import { isCopied } from "./finding-words.ts";

/** Findings that tell of the same lost rows: what explains the others stands first. Most findings stand alone. */
export type Incident = {
  readonly first: Finding;
  readonly others: readonly Finding[];
  /** Whether the first is what led to the others, and not just the first to be told. */
  readonly explained: boolean;
  /** The command that mends all of them; null: each has its own, or none. */
  readonly repair: string | null;
};

/**
 * Joins the findings of a check that count rows which the target lacks, in stretches of the cursor that overlap: they are the same rows,
 * seen by the comparison and through the ledger. In the order of what the report names first.
 */
export function incidentsOf(findings: readonly Finding[]): readonly Incident[] {
  const groups: (readonly Finding[])[] = [];
  for (const finding of findings) {
    const touching = groups.filter((group) => group.some((other) => isSameLoss(finding, other)));
    const at = touching[0] === undefined ? groups.length : groups.indexOf(touching[0]);
    groups.splice(at, touching.length === 0 ? 0 : 1, [...touching.flat(), finding]);
    for (const merged of touching.slice(1)) groups.splice(groups.indexOf(merged), 1);
  }
  return groups.map(incident);
}

function incident(group: readonly Finding[]): Incident {
  const causes = new Set(group.flatMap((finding) => finding.causes.map(({ code }): string => code)));
  const rank = (finding: Finding): number => (causes.has(finding.code) ? 0 : finding.group === "rows" ? 1 : 2);
  const [first, ...others] = group.toSorted((a, b) => rank(a) - rank(b)) as [Finding, ...Finding[]];
  return { first, others, explained: rank(first) === 0, repair: others.length === 0 ? null : repairOf(group) };
}

/** The lost rows are those of the rows findings: a repair whose range holds all of these mends the whole. */
function repairOf(group: readonly Finding[]): string | null {
  const rows = group.filter((finding) => finding.group === "rows");
  const widest = rows.find(
    ({ fix, range }) => fix !== null && isCopied(fix) && rows.every((other) => holds(range, other.range)),
  );
  return widest?.fix ?? null;
}

function isSameLoss(a: Finding, b: Finding): boolean {
  return lacksRows(a) && lacksRows(b) && overlap(a.range, b.range);
}

function lacksRows({ evidence, state, accepted }: Finding): boolean {
  const lacking = evidence["rows_lacking"] ?? 0;
  return state !== "recovered" && accepted !== true && typeof lacking !== "object" && BigInt(lacking) > 0n;
}

type Ends = { readonly from: bigint | null; readonly to: bigint | null };

function endsOf({ cursor }: FindingRange): Ends | null {
  if (cursor === undefined) return null;
  const end = (text: string | null): bigint | null =>
    text === null ? null : (parseInstant(text) ?? (/^-?\d+$/.test(text) ? BigInt(text) : null));
  return { from: end(cursor.from), to: end(cursor.to) };
}

function overlap(a: FindingRange, b: FindingRange): boolean {
  const [one, two] = [endsOf(a), endsOf(b)];
  if (one === null || two === null) return false;
  const before = (from: bigint | null, to: bigint | null): boolean => from === null || to === null || from < to;
  return before(one.from, two.to) && before(two.from, one.to);
}

function holds(outer: FindingRange, inner: FindingRange): boolean {
  const [one, two] = [endsOf(outer), endsOf(inner)];
  if (one === null || two === null) return false;
  return (
    (one.from === null || (two.from !== null && one.from <= two.from)) &&
    (one.to === null || (two.to !== null && two.to <= one.to))
  );
}
