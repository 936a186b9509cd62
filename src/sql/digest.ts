import { type Digest, unsigned64 } from "../domain/digest.ts";

/**
 * What a row without a hash (a text too long for its server) adds to a sum of hashes: more than 2^32 rows of 64 bits come to, so
 * that rows and sum alone tell how many went in, and no server computes a hash twice to count it.
 */
export const NO_HASH: bigint = 10n ** 40n;

/** A digest from the two columns that `Dialect.digest` writes. Some servers print a decimal point behind a whole number. */
export function readDigest(rows: string | null | undefined, sum: string | null | undefined): Digest {
  const count = BigInt(rows ?? "0");
  const total = BigInt((sum ?? "0").split(".")[0] ?? "0");
  // Rounded: a sum of signed hashes may pull the total a little below.
  const without = (total + NO_HASH / 2n) / NO_HASH;
  return { rows: count, hashed: count - without, sum: unsigned64(total - without * NO_HASH) };
}
