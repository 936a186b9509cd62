/** For `JSON.stringify`: a bigint as `{"$bigint":"…"}`, which `bigintReviver` reads back. */
export function bigintToJson(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? { $bigint: value.toString() } : value;
}

/** For `JSON.parse`. Throws a `SyntaxError` where what stands for a bigint is none. */
export function bigintReviver(_: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && "$bigint" in value ? BigInt(String(value.$bigint)) : value;
}
