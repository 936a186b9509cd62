/** Whole numbers in a row, however they are kept: an array, or `PackedBigints`. */
export type Bigints = ArrayLike<bigint> & Iterable<bigint>;

/**
 * Whole numbers of 64 bits in a row: eight bytes each outside the garbage-collected heap, where an array takes four times as many inside
 * it. What does not fit is cut to 64 bits, as `BigInt64Array` does. `JSON.stringify` writes it as an array.
 */
export class PackedBigints extends BigInt64Array {
  toJSON(): readonly bigint[] {
    return [...this];
  }
}

/** Numbers in their order, packed; as an array where one of them does not fit. Reads them once, and keeps nothing of what it is given. */
export function packed(numbers: Iterable<bigint>): PackedBigints | readonly bigint[] {
  let kept = new PackedBigints(64);
  let count = 0;
  let loose: bigint[] | null = null;
  for (const number of numbers) {
    if (loose !== null) {
      loose.push(number);
      continue;
    }
    if (count === kept.length) {
      const larger = new PackedBigints(2 * count);
      larger.set(kept);
      kept = larger;
    }
    kept[count] = number;
    if (kept[count] === number) count++;
    else loose = [...kept.subarray(0, count), number];
  }
  return loose ?? new PackedBigints(kept.subarray(0, count));
}
