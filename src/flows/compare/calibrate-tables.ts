import { type Calibration, calibrate } from "../../compare/calibrate.ts";
import { group } from "../../compare/pair.ts";
import type { ComparisonPlan } from "../../compare/plan.ts";
import type { Both } from "../../compare/question.ts";
import type { SideReader } from "./side-reader.ts";

/** Common rows that are looked at before the comparison. */
const SAMPLE = 256;

/** Fetches a sample of common rows and judges each column by it. Rows that stand more than once under their key say nothing. */
export async function calibrateTables(
  readers: Both<SideReader>,
  plan: ComparisonPlan,
): Promise<readonly Calibration[]> {
  const keys = await readers.source.sampleKeys(plan.cut === "ranges", SAMPLE);
  if (keys.length === 0) return [];
  const [source, target] = await Promise.all([readers.source.values(keys), readers.target.values(keys)]);
  const common = group({ source, target }).flatMap((g) => {
    const [s, t] = [g.source[0], g.target[0]];
    return s && t && g.source.length === 1 && g.target.length === 1 ? [{ s, t }] : [];
  });
  return plan.columns.map((column, i) =>
    calibrate(
      column,
      common.map(({ s, t }) => ({ source: s.values[i] ?? null, target: t.values[i] ?? null })),
    ),
  );
}
