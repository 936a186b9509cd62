/**
 * Whole numbers by place, some of them absent: nine bytes each outside the garbage-collected heap. A number beyond 64 bits is kept as it
 * is. Read it by `at`, or one after the other.
 */
export class PackedColumn {
  readonly length: number;
  readonly #numbers: BigInt64Array;
  readonly #there: Uint8Array;
  readonly #odd = new Map<number, bigint>();

  /** `length` places, all of them without a number. */
  constructor(length: number) {
    this.length = length;
    this.#numbers = new BigInt64Array(length);
    this.#there = new Uint8Array(length);
  }

  /** Null: there is no number, or no such place. */
  at(place: number): bigint | null {
    if (this.#there[place] !== 1) return null;
    return (this.#odd.size === 0 ? undefined : this.#odd.get(place)) ?? (this.#numbers[place] as bigint);
  }

  set(place: number, number: bigint): void {
    this.#numbers[place] = number;
    this.#there[place] = 1;
    if (this.#numbers[place] !== number) this.#odd.set(place, number);
    else if (this.#odd.size > 0) this.#odd.delete(place);
  }

  /** Keeps the greater of the number that is there, if any, and this one. */
  raise(place: number, number: bigint): void {
    const known = this.at(place);
    if (known === null || number > known) this.set(place, number);
  }

  /** Keeps the lesser of the number that is there, if any, and this one. */
  lower(place: number, number: bigint): void {
    const known = this.at(place);
    if (known === null || number < known) this.set(place, number);
  }

  *[Symbol.iterator](): Generator<bigint | null> {
    for (let place = 0; place < this.length; place++) yield this.at(place);
  }
}
