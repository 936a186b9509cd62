import type { ClockReading, Witness } from "./clock.ts";
import { PackedColumn } from "./packed-column.ts";

const WITNESSES: readonly Witness[] = ["ledger", "arrivals", "commit-timestamps", "observations", "source-now"];
const CERTAINTIES: readonly ClockReading["certainty"][] = ["exact", "at-least", "at-most"];

/**
 * Keeps very many readings in few bytes each, as `PackedRuns` does with runs: what is given are views, which `JSON.stringify` writes as
 * plain readings. One that says more than the others (`atLeast`) is kept as it is. `length`: how many there will be at most.
 */
export function packClocks(readings: Iterable<ClockReading | null>, length: number): readonly (ClockReading | null)[] {
  const columns = { at: new PackedColumn(length), position: new PackedColumn(length), says: new Uint8Array(length) };
  const packed: (ClockReading | null)[] = [];
  for (const reading of readings) {
    const i = packed.length;
    if (reading === null || reading.atLeast !== undefined) {
      packed.push(reading);
      continue;
    }
    columns.at.set(i, reading.at);
    if (reading.position !== null) columns.position.set(i, reading.position);
    columns.says[i] = WITNESSES.indexOf(reading.witness) * CERTAINTIES.length + CERTAINTIES.indexOf(reading.certainty);
    packed.push(new ClockView(columns, i));
  }
  return packed;
}

type Columns = { readonly at: PackedColumn; readonly position: PackedColumn; readonly says: Uint8Array };

class ClockView implements ClockReading {
  readonly #columns: Columns;
  readonly #i: number;

  constructor(columns: Columns, i: number) {
    this.#columns = columns;
    this.#i = i;
  }

  get position(): bigint | null {
    return this.#columns.position.at(this.#i);
  }

  get at(): bigint {
    return this.#columns.at.at(this.#i) as bigint;
  }

  get witness(): Witness {
    return WITNESSES[Math.floor(this.#says / CERTAINTIES.length)] as Witness;
  }

  get certainty(): ClockReading["certainty"] {
    return CERTAINTIES[this.#says % CERTAINTIES.length] as ClockReading["certainty"];
  }

  get #says(): number {
    return this.#columns.says[this.#i] as number;
  }

  /** The reading as plain data. */
  toJSON(): ClockReading {
    const { position, at, witness, certainty } = this;
    return { position, at, witness, certainty };
  }
}
