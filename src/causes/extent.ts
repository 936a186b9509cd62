import { must } from "../domain/errors.ts";
import { compareKeys, type Key } from "../domain/key.ts";
import type { AgreedKind } from "../domain/kind.ts";
import type { Position } from "../domain/position.ts";
import type { Stretch } from "../domain/tally.ts";

/** How many rows there are, and their first and last cursor and key; grows row by row. */
export class Extent {
  readonly #kinds: readonly AgreedKind[];
  #rows = 0;
  #firstCursor: Position | null = null;
  #lastCursor: Position | null = null;
  #firstKey: Key | null = null;
  #lastKey: Key | null = null;

  constructor(kinds: readonly AgreedKind[]) {
    this.#kinds = kinds;
  }

  compare(a: Key, b: Key): number {
    return compareKeys(a, b, this.#kinds);
  }

  add(cursor: Position | null, key: Key): void {
    this.#rows += 1;
    if (cursor !== null) {
      if (this.#firstCursor === null || cursor < this.#firstCursor) this.#firstCursor = cursor;
      if (this.#lastCursor === null || cursor > this.#lastCursor) this.#lastCursor = cursor;
    }
    // Keys mostly come ascending, so the last is asked first.
    if (this.#lastKey === null || this.#firstKey === null) {
      this.#firstKey = key;
      this.#lastKey = key;
    } else if (this.compare(key, this.#lastKey) > 0) this.#lastKey = key;
    else if (this.compare(key, this.#firstKey) < 0) this.#firstKey = key;
  }

  /** At least one row was added. */
  done(): Stretch {
    return {
      rows: BigInt(this.#rows),
      cursors:
        this.#firstCursor === null || this.#lastCursor === null
          ? null
          : { first: this.#firstCursor, last: this.#lastCursor },
      keys: { first: must(this.#firstKey, "a stretch has a row"), last: must(this.#lastKey, "a stretch has a row") },
    };
  }
}
