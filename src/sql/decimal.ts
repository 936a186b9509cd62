/** A number read from text without loss: `digits` × 10^−`scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Reads a plain or scientific number; null for anything else, names such as `NaN` included. */
export function readDecimal(text: string): Decimal | null {
  const m = FORM.exec(text.trim());
  if (!m) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = m;
  if (whole === "" && fraction === "") return null;
  const digits = BigInt(whole + fraction);
  return { digits: sign === "-" ? -digits : digits, scale: fraction.length - Number(exponent) };
}

/** The largest whole number of units that is not above `decimal` × `unit`. */
export function floorOfDecimal(decimal: Decimal, unit: bigint): bigint {
  const product = decimal.digits * unit;
  if (decimal.scale <= 0) return product * 10n ** BigInt(-decimal.scale);
  const divisor = 10n ** BigInt(decimal.scale);
  const quotient = product / divisor;
  return product < 0n && quotient * divisor !== product ? quotient - 1n : quotient;
}

/** `n` ÷ `unit` (a power of ten) exactly: a plain decimal without trailing zeros. */
export function decimalText(n: bigint, unit: bigint): string {
  let digits = n;
  let scale = unit.toString().length - 1;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  if (scale === 0) return digits.toString();
  const plain = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  return `${digits < 0n ? "-" : ""}${plain.slice(0, -scale)}.${plain.slice(-scale)}`;
}
