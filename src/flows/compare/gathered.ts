import type { Both, Question, Sketch } from "../../compare/question.ts";
import { InvariantError } from "../../domain/errors.ts";
import { BUCKETS } from "../../sql/side.ts";
import type { RowStore } from "../ports.ts";
import type { SideReader } from "./side-reader.ts";

const SIDES = ["source", "target"] as const;

/** What a conversation has gathered last; nothing at first. */
export class Gathered implements Disposable {
  readonly #readers: Both<SideReader>;
  readonly #store: (() => RowStore) | null;
  #rows: RowStore | null = null;

  /** `store`: null where nothing is ever gathered. */
  constructor(readers: Both<SideReader>, store: (() => RowStore) | null) {
    this.#readers = readers;
    this.#store = store;
  }

  /** Reads both sides at once and sets their rows aside in groups. */
  async gather(
    asked: Extract<Question, { ask: "gather" }>,
  ): Promise<{ readonly rows: Both<bigint>; readonly unhashed: bigint }> {
    if (this.#store === null) throw new InvariantError("something is gathered where there is nowhere to put it");
    this[Symbol.dispose]();
    const store = (this.#rows = this.#store());
    const width = BUCKETS / asked.groups;
    const rows = { source: 0, target: 0 };
    let unhashed = 0;
    const gatherSide = async (side: (typeof SIDES)[number]): Promise<void> => {
      const reader = this.#readers[side];
      await reader.gather(asked, (bucket, row) => {
        rows[side]++;
        if (reader.isUnhashed(row)) unhashed++;
        store.put(shelfOf(Math.floor(bucket / width), side), row);
      });
    };
    // For both, also when one fails: a snapshot must not be closed under a running statement.
    for (const end of await Promise.allSettled(SIDES.map(gatherSide))) if (end.status === "rejected") throw end.reason;
    return { rows: { source: BigInt(rows.source), target: BigInt(rows.target) }, unhashed: BigInt(unhashed) };
  }

  /** The rows of one group. */
  group(number: number): Both<readonly Sketch[]> {
    const store = this.#rows;
    if (store === null) throw new InvariantError("a group is asked for before anything was gathered");
    const of = (side: (typeof SIDES)[number]): readonly Sketch[] =>
      store.rows(shelfOf(number, side)).map((row) => this.#readers[side].sketch(row));
    return { source: of("source"), target: of("target") };
  }

  [Symbol.dispose](): void {
    this.#rows?.[Symbol.dispose]();
    this.#rows = null;
  }
}

const shelfOf = (group: number, side: (typeof SIDES)[number]): number => 2 * group + (side === "source" ? 0 : 1);
