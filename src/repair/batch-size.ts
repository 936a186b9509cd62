/** How long a batch should take, in seconds. */
export const BATCH_SECONDS = 0.5;

/** How much larger than it began a batch may become. */
const GROWTH = 32;

/**
 * The size of the next batch after one of `rows` rows took `seconds`: half where that was too long, up to double where it was much
 * shorter, never below one row nor above 32 times `first`.
 */
export function nextBatchSize(size: number, rows: number, seconds: number, first: number): number {
  if (seconds > BATCH_SECONDS)
    return Math.max(1, Math.min(size - 1, Math.round((rows * BATCH_SECONDS) / seconds)) || 1);
  // A batch that was not full says little of a full one.
  if (rows < size || seconds > BATCH_SECONDS / 2) return size;
  return Math.min(size * 2, first * GROWTH);
}
