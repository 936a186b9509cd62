import type { ArrivalGroup } from "../../domain/facts.ts";
import type { Bigints } from "../../domain/packed-bigints.ts";
import { PackedColumn } from "../../domain/packed-column.ts";
import type { Position } from "../../domain/position.ts";

/** Rows that arrived between two starts, or more of them. `largestLag`: microseconds. */
export type Arrived = {
  readonly rows: number;
  readonly oldest: Position;
  readonly newest: Position;
  readonly largestLag: bigint | null;
};

/** Counts arrivals by how many of the runs' starts lie before them; packed, since there may be as many groups as runs. */
export class ArrivalCounter {
  readonly #rows: Float64Array;
  readonly #oldest: PackedColumn;
  readonly #newest: PackedColumn;
  readonly #lag: PackedColumn;

  constructor(starts: number) {
    this.#rows = new Float64Array(starts + 1);
    this.#oldest = new PackedColumn(starts + 1);
    this.#newest = new PackedColumn(starts + 1);
    this.#lag = new PackedColumn(starts + 1);
  }

  /** All rows that were counted. */
  get rows(): bigint {
    return BigInt(this.#rows.reduce((sum, rows) => sum + rows, 0));
  }

  /** Microseconds; null: no lag is known. */
  get largestLag(): bigint | null {
    let most: bigint | null = null;
    for (const lag of this.#lag) if (lag !== null && (most === null || lag > most)) most = lag;
    return most;
  }

  add(reached: number, { rows, oldest, newest, largestLag }: Arrived): void {
    this.#rows[reached] = (this.#rows[reached] ?? 0) + rows;
    this.#oldest.lower(reached, oldest);
    this.#newest.raise(reached, newest);
    if (largestLag !== null) this.#lag.raise(reached, largestLag);
  }

  /** Groups of the successful runs only, by which the needed overlap is asked. `successful`: their starts, as `starts` ascending. */
  groups({ starts, successful }: { readonly starts: Bigints; readonly successful: Bigints }): readonly ArrivalGroup[] {
    const merged = new ArrivalCounter(successful.length);
    let next = 0;
    for (let reached = 0; reached < this.#rows.length; reached++) {
      const [oldest, newest] = [this.#oldest.at(reached), this.#newest.at(reached)];
      if (oldest === null || newest === null) continue;
      const start = starts[reached];
      while (start === undefined ? next < successful.length : (successful[next] ?? start) < start) next++;
      merged.add(next, {
        rows: this.#rows[reached] as number,
        oldest,
        newest,
        largestLag: this.#lag.at(reached) ?? 0n,
      });
    }
    return merged.#views(successful.length);
  }

  #views(successful: number): readonly ArrivalGroup[] {
    const columns = { successful, rows: this.#rows, oldest: this.#oldest, newest: this.#newest, lag: this.#lag };
    const views: ArrivalGroup[] = [];
    for (const [place, rows] of this.#rows.entries()) if (rows > 0) views.push(new GroupView(columns, place));
    return views;
  }
}

type Columns = {
  readonly successful: number;
  readonly rows: Float64Array;
  readonly oldest: PackedColumn;
  readonly newest: PackedColumn;
  readonly lag: PackedColumn;
};

/** A place of the columns as a group; `JSON.stringify` writes it as one. */
class GroupView implements ArrivalGroup {
  readonly #columns: Columns;
  readonly #place: number;

  constructor(columns: Columns, place: number) {
    this.#columns = columns;
    this.#place = place;
  }

  get nextRun(): number | null {
    return this.#place === this.#columns.successful ? null : this.#place;
  }

  get rows(): bigint {
    return BigInt(this.#columns.rows[this.#place] as number);
  }

  get oldestCursor(): Position {
    return this.#columns.oldest.at(this.#place) as Position;
  }

  get newestCursor(): Position {
    return this.#columns.newest.at(this.#place) as Position;
  }

  get largestLag(): bigint {
    return this.#columns.lag.at(this.#place) as bigint;
  }

  /** The group as plain data. */
  toJSON(): ArrivalGroup {
    return plainGroup(this);
  }
}

/** A group as plain data of its own. */
export function plainGroup({ nextRun, rows, oldestCursor, newestCursor, largestLag }: ArrivalGroup): ArrivalGroup {
  return { nextRun, rows, oldestCursor, newestCursor, largestLag };
}
