/** A token bucket: `tokens` rows may pass at the moment `at` (microseconds). A second's worth fits in. */
export type Bucket = { readonly rate: number; readonly tokens: number; readonly at: bigint };

/** A full bucket. `rate`: rows a second. */
export function fullBucket(rate: number, now: bigint): Bucket {
  return { rate, tokens: rate, at: now };
}

/**
 * Takes `rows` tokens, going into debt where there are not that many: `wait` microseconds then have to pass before they may be used, so
 * that on the long run no more than `rate` rows a second pass, whatever the size of a batch.
 */
export function take(
  { rate, tokens, at }: Bucket,
  rows: number,
  now: bigint,
): { readonly bucket: Bucket; readonly wait: bigint } {
  const filled = Math.min(rate, tokens + (Number(now > at ? now - at : 0n) / 1e6) * rate);
  const left = filled - rows;
  return { bucket: { rate, tokens: left, at: now }, wait: left >= 0 ? 0n : BigInt(Math.ceil((-left / rate) * 1e6)) };
}
