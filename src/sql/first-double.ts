import { decimalText, floorOfDecimal, readDecimal } from "./decimal.ts";

/**
 * The canonical text (`15e-1`) of the smallest double whose shortest decimal, times `unit` and cut downwards, is at or beyond `n`.
 * Dividing alone would do for times until the year 2242; beyond it a double is coarser than a microsecond.
 */
export function firstDouble(n: bigint, unit: bigint): string {
  let double = Number(decimalText(n, unit));
  while (reaches(double, n, unit) && reaches(neighbour(double, -1n), n, unit)) double = neighbour(double, -1n);
  while (!reaches(double, n, unit)) double = neighbour(double, 1n);
  return scientific(double);
}

function reaches(double: number, n: bigint, unit: bigint): boolean {
  if (!Number.isFinite(double)) return double > 0;
  // JavaScript prints the shortest decimal that reads back.
  const decimal = readDecimal(String(double));
  return decimal !== null && floorOfDecimal(decimal, unit) >= n;
}

/** The next double above (1) or below (-1). */
function neighbour(double: number, step: 1n | -1n): number {
  if (double === 0) return step > 0n ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  view.setBigInt64(0, view.getBigInt64(0) + (double > 0 ? step : -step));
  return view.getFloat64(0);
}

/** Digits without zeros at either end, and a power of ten. */
function scientific(double: number): string {
  const { digits, scale } = readDecimal(String(double)) ?? { digits: 0n, scale: 0 };
  if (digits === 0n) return "0";
  const text = digits.toString();
  const kept = text.replace(/0+$/, "");
  return `${kept}e${text.length - kept.length - scale}`;
}
