import { InterruptedError } from "../domain/errors.ts";

/** So many turns may be out at once. Who asks for one more waits, and is served in the order of asking. */
export class Turns {
  #free: number;
  #ended = false;
  readonly #waiting: PromiseWithResolvers<void>[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Turns that could be had at once. None while anybody waits. */
  get free(): number {
    return this.#free;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes a turn, if one is free. Throws `InterruptedError` after the end. */
  takeNow(): boolean {
    if (this.#ended) throw new InterruptedError();
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Takes a turn as soon as there is one. Rejects with `InterruptedError` at the end and after it. */
  async take(): Promise<void> {
    if (this.takeNow()) return;
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    await turn.promise;
  }

  /** Gives a turn back. It goes straight to whoever has waited longest, so that nobody who comes later can be quicker. */
  giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next.resolve();
  }

  /** Refuses everybody who waits, and everybody who asks from now on. */
  end(): void {
    this.#ended = true;
    for (const turn of this.#waiting.splice(0)) turn.reject(new InterruptedError());
  }
}
