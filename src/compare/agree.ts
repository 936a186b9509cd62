import type { AgreedKind, Kind } from "../domain/kind.ts";

/**
 * Two kinds brought to one. `exact`: different texts prove different values; otherwise a difference between texts is settled by
 * the values (`same-value.ts`). `note`: what was agreed beyond the kind, for the report. `rounded`: the pair keeps different
 * precisions, so that a writer may have rounded or cut.
 */
export type Agreement = {
  readonly as: AgreedKind;
  readonly exact: boolean;
  readonly note: string | null;
  readonly rounded: boolean;
};

/** Why two kinds have no common text form. */
export type Disagreement = { readonly why: string };

/** The time zones of both sides' naive columns; null: not said. */
export type Zones = { readonly source: string | null; readonly target: string | null };

const exactly = (as: AgreedKind, note: string | null = null): Agreement => ({ as, exact: true, note, rounded: false });

/** Brings the kinds of a column pair to one, or says why that cannot be. */
export function agree(source: Kind, target: Kind, zones: Zones): Agreement | Disagreement {
  return (
    agreeNumbers(source, target) ??
    agreeTexts(source, target) ??
    agreeTimes(source, target, zones) ??
    agreeOthers(source, target) ?? {
      why: `${describeKind(source)} against ${describeKind(target)}: no common text form`,
    }
  );
}

/** A kind in words. */
export function describeKind(kind: Kind): string {
  return kind.kind === "other"
    ? kind.type
    : kind.kind === "local"
      ? "timestamp without a zone"
      : kind.kind === "instant"
        ? "timestamp with a zone"
        : kind.kind;
}

function agreeNumbers(a: Kind, b: Kind): Agreement | null {
  const boolean = [a, b].some((k) => k.kind === "boolean" && !k.small);
  const kinds = [a, b].map((k) => (k.kind === "boolean" ? "small" : k.kind));
  if (!kinds.every((k) => k === "small" || k === "integer" || k === "decimal" || k === "float")) return null;
  if (kinds.includes("float")) {
    const singles = [a, b].filter(isSingle).length;
    if (singles === 2) return exactly({ as: "float", bits: 32 });
    // Widened, a single equals only the double that was widened too; one that was written as digits equals it in single precision.
    if (singles === 1)
      return { as: { as: "float", bits: 64 }, exact: false, note: "compared in single precision", rounded: false };
    return exactly({ as: "float", bits: 64 }, kinds.every((k) => k === "float") ? null : "compared as floating point");
  }
  if (kinds.includes("decimal")) {
    const scales = [a, b].map((k) => (k.kind === "decimal" ? k.scale : 0));
    const [x = null, y = null] = scales;
    // Beyond 30 digits MySQL cannot cast; then both print without trailing zeros.
    const scale = x === null || y === null || Math.max(x, y) > 30 ? null : Math.max(x, y);
    return exactly({ as: "decimal", scale });
  }
  return exactly({ as: boolean ? "boolean" : "integer" });
}

/** Whether a column holds single-precision floats. */
export function isSingle(kind: Kind): boolean {
  return kind.kind === "float" && kind.bits === 32;
}

function agreeTexts(a: Kind, b: Kind): Agreement | null {
  if (a.kind === "json" || b.kind === "json") {
    const other = a.kind === "json" ? b : a;
    if (other.kind !== "json" && other.kind !== "text") return null;
    return { as: { as: "json" }, exact: false, note: null, rounded: false };
  }
  if (a.kind === "uuid" || b.kind === "uuid") {
    const other = a.kind === "uuid" ? b : a;
    if (other.kind === "uuid") return exactly({ as: "uuid" });
    if (other.kind === "text")
      return exactly({ as: "uuid" }, "text compared as a uuid: letter case and hyphens do not count");
    return other.kind === "bytes" && other.length === 16n ? exactly({ as: "uuid" }) : null;
  }
  if (a.kind === "text" && b.kind === "text") return exactly({ as: "text" });
  return a.kind === "bytes" && b.kind === "bytes" ? exactly({ as: "bytes" }) : null;
}

const UNITS = ["seconds", "tenths", "hundredths", "milliseconds", "1/10,000 s", "1/100,000 s", "microseconds"];

function agreeTimes(a: Kind, b: Kind, zones: Zones): Agreement | null {
  if (a.kind === "time" && b.kind === "time") {
    if (a.zoned !== b.zoned) return null;
    return atPrecision(a.precision, b.precision, (precision) => ({ as: "time", precision, zoned: a.zoned }), true);
  }
  if (!isMoment(a) || !isMoment(b)) return null;
  if (a.kind === "date" && b.kind === "date") return exactly({ as: "date" });
  const precisionOf = (k: Kind): number => (k.kind === "instant" || k.kind === "local" ? k.precision : 6);
  const instant = a.kind === "instant" || b.kind === "instant" || zoneOf(zones.source) !== zoneOf(zones.target);
  if (!instant) return atPrecision(precisionOf(a), precisionOf(b), (precision) => ({ as: "local", precision }), true);
  const naive = [
    a.kind === "instant" ? "UTC" : zoneOf(zones.source),
    b.kind === "instant" ? "UTC" : zoneOf(zones.target),
  ];
  // A naive reading in a repeated hour stands for two moments: the text is one of them, the value decides.
  return atPrecision(
    precisionOf(a),
    precisionOf(b),
    (precision) => ({ as: "instant", precision }),
    naive.every((z) => z === "UTC"),
  );
}

const isMoment = (k: Kind): boolean => k.kind === "date" || k.kind === "instant" || k.kind === "local";

/** The zone that naive readings are taken in: UTC where the check says nothing. */
export function zoneOf(zone: string | null): string {
  return zone === null || /^(etc\/)?(utc|uct|gmt|zulu|universal)$|^z$/i.test(zone) ? "UTC" : zone;
}

function atPrecision(a: number, b: number, kind: (precision: number) => AgreedKind, exact: boolean): Agreement {
  const precision = Math.min(a, b);
  const rounded = a !== b;
  return {
    as: kind(precision),
    exact: exact && !rounded,
    note: rounded ? `compared at ${UNITS[precision] ?? "microseconds"}` : null,
    rounded,
  };
}

function agreeOthers(a: Kind, b: Kind): Agreement | null {
  return a.kind === "other" && b.kind === "other" && a.family === b.family && a.type === b.type
    ? exactly({ as: "other" })
    : null;
}
