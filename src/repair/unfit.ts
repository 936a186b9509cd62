import type { ColumnInfo } from "../domain/table.ts";

/** Values of a source column that its target column cannot take, as far as the two types tell. Numbers are plain decimals. */
export type Unfit =
  | { readonly is: "null" }
  | { readonly is: "longer"; readonly than: number }
  | { readonly is: "below"; readonly least: string }
  | { readonly is: "above"; readonly most: string }
  /** At or beyond this, of either sign. */
  | { readonly is: "beyond"; readonly end: string };

/** What a source column may hold and its target column may not. Empty: nothing that the types tell of. */
export function unfitValues(source: ColumnInfo, target: ColumnInfo): readonly Unfit[] {
  const absent: readonly Unfit[] = source.nullable && !target.nullable ? [{ is: "null" }] : [];
  return [...absent, ...unfitTexts(source, target), ...unfitNumbers(source, target)];
}

function unfitTexts({ kind: from }: ColumnInfo, { kind: to }: ColumnInfo): readonly Unfit[] {
  if (from.kind !== "text" || to.kind !== "text" || to.length === null) return [];
  return from.length === null || from.length > to.length ? [{ is: "longer", than: to.length }] : [];
}

function unfitNumbers({ kind: from }: ColumnInfo, { kind: to }: ColumnInfo): readonly Unfit[] {
  if (from.kind !== "integer" && from.kind !== "decimal") return [];
  if (to.kind === "integer") {
    const [min, max] = from.kind === "integer" ? [from.min, from.max] : [null, null];
    return [
      ...(min === null || min < to.min ? [{ is: "below" as const, least: to.min.toString() }] : []),
      ...(max === null || max > to.max ? [{ is: "above" as const, most: to.max.toString() }] : []),
    ];
  }
  if (to.kind !== "decimal" || to.precision === null || to.scale === null) return [];
  const end = 10n ** BigInt(Math.max(0, to.precision - to.scale));
  const fits =
    from.kind === "integer"
      ? from.max < end && from.min > -end
      : from.precision !== null && from.scale !== null && from.precision - from.scale <= to.precision - to.scale;
  return fits ? [] : [{ is: "beyond", end: end.toString() }];
}

/** Why a row is refused, of the source column by its name. */
export function unfitWords(unfit: Unfit, source: ColumnInfo, target: ColumnInfo): string {
  switch (unfit.is) {
    case "null":
      return `${source.name} is NULL, which ${target.name} must not be`;
    case "longer":
      return `${source.name} is longer than the ${unfit.than} characters of ${target.name}`;
    default:
      return `${source.name} is out of the range of ${target.name} (${target.type})`;
  }
}
