import type { Finding, Severity } from "./finding.ts";
import { type Incident, type IncidentCode, incidentsOf, sawEverything } from "./incident.ts";
import { hasWorsened } from "./life.ts";
import type { CheckReport, Report } from "./report.ts";

/** What one alert knows of one incident, as of the last message that it delivered. */
export type ToldIncident = {
  readonly check: string;
  readonly id: string;
  readonly code: IncidentCode;
  /** From here on up it is worse. */
  readonly severity: Severity;
  readonly rows: bigint | null;
  /** When the alert first tried to tell of it, wall-clock microseconds. */
  readonly since: bigint;
  /** When it last told of it; null: it could not be delivered yet. */
  readonly toldAt: bigint | null;
};

/** One thing to tell. `new`: this alert has not told of it; `ongoing`: told again after `repeat_after`. */
export type NewsItem = {
  readonly kind: "new" | "worse" | "ongoing" | "recovered";
  readonly check: string;
  readonly id: string;
  readonly code: IncidentCode;
  /** Of what is over: what it was. */
  readonly severity: Severity;
  readonly rows: bigint | null;
  /** Null: the check could not finish, or what is over is not in this report. */
  readonly finding: Finding | null;
  readonly says: string;
  readonly fix: string | null;
  /** What the alert knew before; null: nothing. */
  readonly before: ToldIncident | null;
};

/** What one alert has to say of one report. */
export type News = {
  readonly report: Report;
  readonly items: readonly NewsItem[];
  /** Whether all of the checks was asked for. Otherwise nothing is said to be over. */
  readonly whole: boolean;
  /** Where the report can be looked at; null: nowhere. */
  readonly link: string | null;
  /** Put behind every `tidemark` command that is shown. */
  readonly commandSuffix: string;
};

/** What an alert has to tell now, and what it knows afterwards. */
export type Tidings = {
  readonly items: readonly NewsItem[];
  /** Known afterwards, whether or not the message arrives: where something eased in silence, worse is judged from there. */
  readonly eased: readonly ToldIncident[];
};

const RANK: Readonly<Record<Severity, number>> = { info: 0, warn: 1, error: 2 };

/**
 * What an alert has to tell of a report, judged against what it has told before and not against the last audit: so what could not be
 * delivered is told next time, and an alert that is added later hears of what stands. `whole`: all of the checks was asked for.
 */
export function tidingsFor(
  report: Report,
  { at, repeatAfter }: { readonly at: Severity; readonly repeatAfter: bigint | null },
  told: readonly ToldIncident[],
  { now, whole }: { readonly now: bigint; readonly whole: boolean },
): Tidings {
  const each = report.checks.map((check) => {
    const incidents = incidentsOf(check).filter(({ severity }) => RANK[severity] >= RANK[at]);
    const known = told.filter((one) => one.check === check.check);
    return ofCheck(check, incidents, known, { now, repeatAfter, over: sawEverything(check, whole) });
  });
  return { items: each.flatMap(({ items }) => items), eased: each.flatMap(({ eased }) => eased) };
}

/** What is known once these items have arrived (`delivered`), or although they have not. Null: nothing any more. */
export function knownAfter(
  item: NewsItem,
  { now, whole, delivered }: { readonly now: bigint; readonly whole: boolean; readonly delivered: boolean },
): ToldIncident | null {
  const { check, id, code, severity, rows, before, kind } = item;
  if (!delivered) {
    if (before !== null && before.toldAt !== null) return before;
    return { check, id, code, severity, rows, since: before?.since ?? now, toldAt: null };
  }
  if (kind === "recovered") return null;
  const since = before?.since ?? now;
  // A part has seen a part of the rows: what was told of the whole stays.
  if (!whole && before !== null) return { ...before, ...greater(before, item), since, toldAt: now };
  return { check, id, code, severity, rows, since, toldAt: now };
}

type Judging = { readonly now: bigint; readonly repeatAfter: bigint | null; readonly over: boolean };

function ofCheck(
  check: CheckReport,
  incidents: readonly Incident[],
  known: readonly ToldIncident[],
  { now, repeatAfter, over }: Judging,
): Tidings {
  const byId = new Map(known.map((one) => [one.id, one]));
  const items: NewsItem[] = [];
  const eased: ToldIncident[] = [];
  for (const incident of incidents) {
    const before = byId.get(incident.id) ?? null;
    const kind = kindOf(incident, before, now, repeatAfter);
    if (kind !== null) items.push({ ...incident, kind, before });
    else if (over && before !== null && isLess(incident, before))
      eased.push({ ...before, severity: incident.severity, rows: incident.rows });
  }
  const standing = new Set(incidents.map(({ id }) => id));
  if (over) for (const before of known) if (!standing.has(before.id)) items.push(recovered(check, before));
  return { items, eased };
}

function kindOf(
  { severity, rows }: Incident,
  before: ToldIncident | null,
  now: bigint,
  repeatAfter: bigint | null,
): "new" | "worse" | "ongoing" | null {
  if (before === null || before.toldAt === null) return "new";
  if (hasWorsened(before, severity, rows)) return "worse";
  if (repeatAfter === null) return null;
  // A twentieth early is in time: what is audited every night and repeated every 24 h must not wait for the night after.
  return (now - before.toldAt) * 20n >= repeatAfter * 19n ? "ongoing" : null;
}

function isLess({ severity, rows }: Incident, before: ToldIncident): boolean {
  return RANK[severity] < RANK[before.severity] || (rows !== null && before.rows !== null && rows < before.rows);
}

/** An incident that is over for this alert: gone, accepted, or below what it tells. */
function recovered({ check, findings }: CheckReport, before: ToldIncident): NewsItem {
  const finding = findings.find(({ id }) => id === before.id) ?? null;
  return {
    kind: "recovered",
    check,
    id: before.id,
    code: before.code,
    severity: before.severity,
    rows: before.rows,
    finding,
    says: overIn(before, finding),
    fix: null,
    before,
  };
}

function overIn({ code }: ToldIncident, finding: Finding | null): string {
  if (code === "incomplete") return "the check finishes again";
  if (finding === null || finding.state === "recovered") return "gone";
  if (finding.accepted === true) return "accepted";
  return `now ${finding.severity === "warn" ? "a warning" : "for information"}: ${finding.says}`;
}

function greater(a: ToldIncident, b: NewsItem): Pick<ToldIncident, "severity" | "rows"> {
  const rows = a.rows === null ? b.rows : b.rows === null || a.rows > b.rows ? a.rows : b.rows;
  return { severity: RANK[a.severity] > RANK[b.severity] ? a.severity : b.severity, rows };
}
