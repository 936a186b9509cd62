import type { AgreedKind } from "../domain/kind.ts";
import { parseInstant, SECOND } from "../domain/position.ts";
import { exactNumber } from "./same-value.ts";

/** One and the same way in which a column's values were changed between the sides. */
export type Transformation = {
  /** In words: "shifted by +02:00". */
  readonly says: string;
  /** What would accept it in the check file, `COLUMN` standing for the column's name; null: nothing but leaving the column out. */
  readonly accept: string | null;
  /** Whether it explains that these two differ. */
  readonly explains: (source: string | null, target: string | null) => boolean;
};

/** Two values of one column in a sampled row. */
export type ValuePair = { readonly source: string | null; readonly target: string | null };

/** Every transformation that could explain the first differing pairs, cheapest explanation first. */
export function candidates(as: AgreedKind, differing: readonly ValuePair[]): readonly Transformation[] {
  const pair = differing.find((p) => p.source !== null && p.target !== null);
  const found: Transformation[] = [];
  if (as.as === "text") found.push(...TEXT);
  if (differing.some((p) => (p.source === "") !== (p.target === "") && (p.source === null || p.target === null)))
    found.push(EMPTY_FOR_NULL);
  if (!pair || pair.source === null || pair.target === null) return found;
  if (as.as === "instant" || as.as === "local") found.push(...timeTransformations(pair.source, pair.target));
  if (as.as === "decimal" || as.as === "float" || as.as === "integer") found.push(...numberTransformations(differing));
  return found;
}

const both =
  (test: (a: string, b: string) => boolean) =>
  (source: string | null, target: string | null): boolean =>
    source !== null && target !== null && source !== target && test(source, target);

const TEXT: readonly Transformation[] = [
  {
    says: "trailing blanks were added or removed",
    accept: "columns: { treat: { COLUMN: [trim] } }",
    explains: both((a, b) => a.trimEnd() === b.trimEnd()),
  },
  {
    says: "blanks around the text were removed",
    accept: "columns: { treat: { COLUMN: [trim] } }",
    explains: both((a, b) => a.trim() === b.trim()),
  },
  {
    says: "letter case was changed",
    accept: "columns: { treat: { COLUMN: [case] } }",
    explains: both((a, b) => a.toLowerCase() === b.toLowerCase()),
  },
  {
    says: "another Unicode normal form",
    accept: "columns: { treat: { COLUMN: [nfc] } }",
    explains: both((a, b) => a.normalize("NFC") === b.normalize("NFC")),
  },
];

const EMPTY_FOR_NULL: Transformation = {
  says: "'' stands for NULL",
  accept: "columns: { treat: { COLUMN: [empty-as-null] } }",
  explains: (a, b) => (a === null && b === "") || (a === "" && b === null),
};

const QUARTER = 900n * SECOND;

function timeTransformations(source: string, target: string): readonly Transformation[] {
  const a = parseInstant(source);
  const b = parseInstant(target);
  if (a === null || b === null) return [];
  const shift = b - a;
  const found: Transformation[] = [];
  if (shift !== 0n && shift % QUARTER === 0n && (shift < 0n ? -shift : shift) <= 26n * 4n * QUARTER)
    found.push({
      says: `shifted by ${formatOffset(shift)}`,
      accept: null,
      explains: both((x, y) => {
        const p = parseInstant(x);
        const q = parseInstant(y);
        return p !== null && q !== null && q - p === shift;
      }),
    });
  for (const [unit, says, treat] of [
    [SECOND, "whole seconds", "second"],
    [1000n, "milliseconds", "millisecond"],
  ] as const)
    found.push(
      { says: `cut to ${says}`, accept: `columns: { treat: { COLUMN: [${treat}] } }`, explains: toUnit(unit, 0n) },
      { says: `rounded to ${says}`, accept: null, explains: toUnit(unit, unit / 2n) },
    );
  return found;
}

function toUnit(unit: bigint, half: bigint): Transformation["explains"] {
  const cut = (n: bigint): bigint => n + half - ((((n + half) % unit) + unit) % unit);
  return both((x, y) => {
    const p = parseInstant(x);
    const q = parseInstant(y);
    return p !== null && q !== null && (cut(p) === q || cut(q) === p);
  });
}

function formatOffset(shift: bigint): string {
  const minutes = (shift < 0n ? -shift : shift) / (60n * SECOND);
  return `${shift < 0n ? "-" : "+"}${(minutes / 60n).toString().padStart(2, "0")}:${(minutes % 60n).toString().padStart(2, "0")}`;
}

function numberTransformations(differing: readonly ValuePair[]): readonly Transformation[] {
  const found: Transformation[] = [];
  for (let digits = 0; digits <= 6; digits++) {
    const shown = digits === 0 ? "whole numbers" : `${digits} ${digits === 1 ? "digit" : "digits"} after the point`;
    const tolerance = digits === 0 ? "0.5" : `0.${"0".repeat(digits)}5`;
    found.push(
      {
        says: `cut to ${shown}`,
        accept: null,
        explains: both((a, b) => atScale(a, digits, false) === plain(b) || atScale(b, digits, false) === plain(a)),
      },
      {
        says: `rounded to ${shown}`,
        accept: `columns: { tolerance: { COLUMN: ${tolerance} } }`,
        explains: both((a, b) => atScale(a, digits, true) === plain(b) || atScale(b, digits, true) === plain(a)),
      },
    );
  }
  const scale = powerOfTen(differing);
  if (scale !== null)
    found.push({
      says: `multiplied by ${scale > 0 ? `10^${scale}` : `10^${scale} (divided by 10^${-scale})`}`,
      accept: null,
      explains: both((a, b) => shifted(a, scale) === plain(b)),
    });
  return found;
}

/** A number as digits without trailing zeros and the power of ten they stand for: one spelling a value; null for NaN and infinities. */
function plain(text: string): string | null {
  return shifted(text, 0);
}

function shifted(text: string, power: number): string | null {
  const n = exactNumber(text);
  if (!n) return null;
  let { digits, scale } = n;
  scale -= power;
  while (digits !== 0n && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  return digits === 0n ? "0" : `${digits}e${-scale}`;
}

function atScale(text: string, digits: number, round: boolean): string | null {
  const n = exactNumber(text);
  if (!n) return null;
  if (n.scale <= digits) return plain(text);
  const unit = 10n ** BigInt(n.scale - digits);
  const half = round ? (n.digits < 0n ? -(unit / 2n) : unit / 2n) : 0n;
  return shifted(`${(n.digits + half) / unit}`, -digits);
}

function powerOfTen(differing: readonly ValuePair[]): number | null {
  for (const { source, target } of differing) {
    if (source === null || target === null) continue;
    const a = plain(source)?.split("e");
    const b = plain(target)?.split("e");
    if (!a?.[1] || !b?.[1] || a[0] !== b[0]) return null;
    return Number(b[1]) - Number(a[1]) || null;
  }
  return null;
}
