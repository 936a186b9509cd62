import { candidates, type Transformation, type ValuePair } from "./transformation.ts";
import type { PlannedColumn } from "./plan.ts";

/** What the sample showed of one column. */
export type Calibration = {
  readonly column: PlannedColumn;
  readonly sampled: number;
  /** Sampled rows whose values are not the same. */
  readonly differing: number;
  /** Sampled rows whose texts differ, whether or not their values do. */
  readonly unlike: number;
  /** The transformation that explains ≥ 90 % of the sampled rows, and how many; null: none. */
  readonly systematic: { readonly transformation: Transformation; readonly explained: number } | null;
  /** Some finer value had been rounded, which cutting would not explain. */
  readonly rounds: boolean;
};

/** Fewer common rows than this prove nothing systematic. */
const ENOUGH = 5;
const SHARE = 0.9;

/**
 * Judges one column by the values of sampled common rows, so that one and the same change is told once and not a million times.
 * Rows with NULL on both sides say nothing and are not counted.
 */
export function calibrate(column: PlannedColumn, sample: readonly ValuePair[]): Calibration {
  const telling = sample.filter((p) => p.source !== null || p.target !== null);
  const differing = telling.filter((p) => !column.same(p.source, p.target));
  const none: Calibration = {
    column,
    sampled: telling.length,
    differing: differing.length,
    unlike: telling.filter((p) => p.source !== p.target).length,
    systematic: null,
    rounds: false,
  };
  if (column.isKey || differing.length === 0) return none;
  const { sameIfRounded } = column;
  if (sameIfRounded !== null && differing.every((p) => sameIfRounded(p.source, p.target)))
    return { ...none, rounds: true };
  if (telling.length < ENOUGH || differing.length < SHARE * telling.length) return none;
  for (const transformation of candidates(column.valueAs, differing)) {
    const explained = differing.filter((p) => transformation.explains(p.source, p.target)).length;
    if (explained >= SHARE * telling.length) return { ...none, systematic: { transformation, explained } };
  }
  return none;
}
