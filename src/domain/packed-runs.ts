import type { Position } from "./position.ts";
import type { Run, RunOutcome } from "./run.ts";
import type { Window } from "./window.ts";

/**
 * Keeps very many runs in few bytes each: their numbers stand in columns outside the garbage-collected heap, and what is handed out are
 * views of a line of them. A view is a `Run` like any other (`JSON.stringify` writes it as one), but its values are read anew whenever
 * they are asked, so that a loop asks a field once. Nothing is lost: a run that does not fit into the columns is kept as it is.
 */
export class PackedRuns {
  readonly #columns = new Columns();

  get length(): number {
    return this.#columns.length;
  }

  /** The start of the run that was added `i`-th. */
  startOf(i: number): bigint {
    return this.#columns.moment(STARTED, i);
  }

  idOf(i: number): string {
    return this.#columns.id(i);
  }

  add(run: Run): void {
    this.#columns.add(run);
  }

  /** The runs in this order, of the numbers in which they were added. */
  inOrder(order: ArrayLike<number>): readonly Run[] {
    return Array.from(order, (i) => new RunView(this.#columns, i));
  }
}

const STARTED = 0;
const FINISHED = 1;
const FROM = 2;
const TO = 3;
const ROWS = 4;
const CLOCK = 5;
const FIELDS = 6;

/** Bits of a run: which of its fields are there (`1 << field`), and what is no number. */
const WINDOW = 1 << 6;
const FROM_CLOSED = 1 << 7;
const TO_CLOSED = 1 << 8;
const BACKFILL = 1 << 9;
/** Its outcome is the place in `OUTCOMES`, from this bit on. */
const OUTCOME = 10;
const OUTCOMES: readonly RunOutcome[] = ["success", "failed", "running"];

class Columns {
  length = 0;
  #numbers = new BigInt64Array(FIELDS * 64);
  #bits = new Uint16Array(64);
  #words = new Uint32Array(64);
  /** Where each id ends in `#text`. */
  #ends = new Uint32Array(64);
  #text = new Uint8Array(1024);
  #written = 0;
  readonly #statuses: string[] = [];
  readonly #statusAt = new Map<string, number>();
  /** Runs that do not fit: a position beyond 64 bits, an id that is no text. */
  readonly #odd = new Map<number, Run>();

  add(run: Run): void {
    const i = this.length;
    if (i === this.#bits.length) this.#grow();
    const { window } = run;
    const numbers = [run.started, run.finished, window?.from ?? null, window?.to ?? null, run.rows, run.dataClock];
    let bits = OUTCOMES.indexOf(run.outcome) << OUTCOME;
    let fits = run.id.isWellFormed();
    for (const [field, number] of numbers.entries()) {
      if (number === null) continue;
      bits |= 1 << field;
      this.#numbers[i * FIELDS + field] = number;
      fits &&= this.#numbers[i * FIELDS + field] === number;
    }
    if (window !== null) bits |= WINDOW | (window.fromClosed ? FROM_CLOSED : 0) | (window.toClosed ? TO_CLOSED : 0);
    if (run.backfill) bits |= BACKFILL;
    this.#bits[i] = bits;
    this.#words[i] = this.#wordOf(run.status);
    if (fits) this.#write(run.id);
    else this.#odd.set(i, run);
    this.#ends[i] = this.#written;
    this.length++;
  }

  odd(i: number): Run | undefined {
    return this.#odd.size === 0 ? undefined : this.#odd.get(i);
  }

  moment(field: number, i: number): bigint {
    return (field === STARTED ? this.odd(i)?.started : undefined) ?? (this.#numbers[i * FIELDS + field] as bigint);
  }

  number(field: number, i: number): bigint | null {
    return has(this.bits(i), 1 << field) ? (this.#numbers[i * FIELDS + field] as bigint) : null;
  }

  bits(i: number): number {
    return this.#bits[i] as number;
  }

  status(i: number): string {
    return this.#statuses[this.#words[i] as number] as string;
  }

  id(i: number): string {
    const odd = this.odd(i);
    if (odd !== undefined) return odd.id;
    return DECODER.decode(this.#text.subarray(i === 0 ? 0 : this.#ends[i - 1], this.#ends[i]));
  }

  #wordOf(status: string): number {
    const known = this.#statusAt.get(status);
    if (known !== undefined) return known;
    // A copy: a piece of a server's answer would keep all of the answer.
    const own = status.split("").join("");
    this.#statusAt.set(own, this.#statuses.length);
    return this.#statuses.push(own) - 1;
  }

  #write(text: string): void {
    for (;;) {
      const { read, written } = ENCODER.encodeInto(text, this.#text.subarray(this.#written));
      if (read === text.length) {
        this.#written += written;
        return;
      }
      this.#text = grown(this.#text, new Uint8Array(this.#text.length * 2 + 3 * text.length));
    }
  }

  #grow(): void {
    const room = this.#bits.length * 2;
    this.#numbers = grown(this.#numbers, new BigInt64Array(FIELDS * room));
    this.#bits = grown(this.#bits, new Uint16Array(room));
    this.#words = grown(this.#words, new Uint32Array(room));
    this.#ends = grown(this.#ends, new Uint32Array(room));
  }
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

const has = (bits: number, bit: number): boolean => (bits & bit) !== 0;

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** A line of the columns as a run. */
class RunView implements Run {
  readonly #columns: Columns;
  readonly #i: number;

  constructor(columns: Columns, i: number) {
    this.#columns = columns;
    this.#i = i;
  }

  get id(): string {
    return this.#columns.id(this.#i);
  }

  get window(): Window | null {
    const odd = this.#columns.odd(this.#i);
    if (odd !== undefined) return odd.window;
    const bits = this.#columns.bits(this.#i);
    if (!has(bits, WINDOW)) return null;
    return {
      from: this.#columns.number(FROM, this.#i),
      fromClosed: has(bits, FROM_CLOSED),
      to: this.#columns.number(TO, this.#i),
      toClosed: has(bits, TO_CLOSED),
    };
  }

  get started(): bigint {
    return this.#columns.moment(STARTED, this.#i);
  }

  get finished(): bigint | null {
    return this.#of(FINISHED, (run) => run.finished);
  }

  get outcome(): RunOutcome {
    return OUTCOMES[this.#columns.bits(this.#i) >> OUTCOME] as RunOutcome;
  }

  get status(): string {
    return this.#columns.status(this.#i);
  }

  get rows(): bigint | null {
    return this.#of(ROWS, (run) => run.rows);
  }

  get backfill(): boolean {
    return has(this.#columns.bits(this.#i), BACKFILL);
  }

  get dataClock(): Position | null {
    return this.#of(CLOCK, (run) => run.dataClock);
  }

  /** The run as plain data. */
  toJSON(): Run {
    const { id, window, started, finished, outcome, status, rows, backfill, dataClock } = this;
    return { id, window, started, finished, outcome, status, rows, backfill, dataClock };
  }

  #of(field: number, of: (odd: Run) => bigint | null): bigint | null {
    const odd = this.#columns.odd(this.#i);
    return odd === undefined ? this.#columns.number(field, this.#i) : of(odd);
  }
}
