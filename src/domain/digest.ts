/**
 * The checksum of a set of rows: how many there are, how many of them went into the sum, and the sum of their 64-bit hashes
 * modulo 2^64. A sum, not an XOR: equal rows must not cancel. `hashed` below `rows` means that a server could not hash some
 * row (too long a text), so the sum says nothing.
 */
export type Digest = { readonly rows: bigint; readonly hashed: bigint; readonly sum: bigint };

export const EMPTY_DIGEST: Digest = { rows: 0n, hashed: 0n, sum: 0n };

/** A 64-bit number, whichever sign a server gave it, as 0 … 2^64 − 1. */
export function unsigned64(n: bigint): bigint {
  return BigInt.asUintN(64, n);
}

/** Whether every row went into the sum. */
export function isComplete(digest: Digest): boolean {
  return digest.hashed === digest.rows;
}

/** Whether two digests prove their rows equal. An incomplete digest proves nothing. */
export function provesEqual(a: Digest, b: Digest): boolean {
  return isComplete(a) && isComplete(b) && a.rows === b.rows && a.sum === b.sum;
}
