import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_HASH, readDigest } from "../../src/sql/digest.ts";

test("rows, rows with a hash and their sum come back from two columns, whichever sign the hashes have", () => {
  const of = (min: bigint, max: bigint) => fc.array(fc.option(fc.bigInt({ min, max }), { freq: 3 }), { maxLength: 40 });
  const hashes = fc.oneof(of(-(2n ** 63n), 2n ** 63n - 1n), of(0n, 2n ** 64n - 1n));
  fc.assert(
    fc.property(hashes, fc.constantFrom("", ".0", ".000"), (hashes, tail) => {
      const sum = hashes.reduce<bigint>((n, h) => n + (h ?? NO_HASH), 0n);
      const hashed = hashes.filter((h) => h !== null);
      expect(readDigest(`${hashes.length}`, `${sum}${tail}`)).toEqual({
        rows: BigInt(hashes.length),
        hashed: BigInt(hashed.length),
        sum: BigInt.asUintN(
          64,
          hashed.reduce((n, h) => n + h, 0n),
        ),
      });
    }),
  );
});

test("nothing is the digest of nothing", () => {
  expect(readDigest("0", null)).toEqual({ rows: 0n, hashed: 0n, sum: 0n });
  expect(readDigest(null, null)).toEqual({ rows: 0n, hashed: 0n, sum: 0n });
});
