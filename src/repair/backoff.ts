/** How often a batch is tried at most before its failure is one of the repair's. */
export const ATTEMPTS = 8;

/** How long to wait before attempt `n` (from 2), in microseconds: doubled each time from 0.2 s to 10 s, of which a random half is left out. */
export function backoff(n: number, random: number): bigint {
  const most = Math.min(10_000, 200 * 2 ** (n - 2));
  return BigInt(Math.round((most / 2 + (most / 2) * random) * 1000));
}
