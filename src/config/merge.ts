/** Keys of which a block holds one: where the upper layer gives one, the lower layer's others are dropped. */
const EXCLUSIVE: { readonly [block: string]: readonly string[] } = {
  expect: ["every", "schedule"],
  runs: ["table", "query", "file", "preset"],
};

/**
 * Two layers of settings as one. Plain objects are merged, everything else (lists too) is the upper's as a whole. A block's `null` in the
 * upper layer stays, so that validation tells it.
 */
export function merge(lower: unknown, upper: unknown, block = ""): unknown {
  if (upper === undefined) return lower;
  if (!isPlain(lower) || !isPlain(upper)) return upper;
  const one = EXCLUSIVE[block] ?? [];
  const given = one.some((key) => key in upper);
  const merged: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(lower)) if (!(given && one.includes(key))) merged[key] = value;
  for (const [key, value] of Object.entries(upper)) merged[key] = merge(merged[key], value, key);
  return merged;
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
