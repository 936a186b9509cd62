/** A source of chance that gives the same for the same seed. */
export type Random = {
  /** From 0 to 1, without 1. */
  readonly next: () => number;
  readonly below: (n: number) => number;
  readonly one: <T>(of: readonly T[]) => T;
  /** From `least` to `most` of them, each as often as it comes. */
  readonly some: <T>(of: readonly T[], least: number, most: number) => T[];
  readonly shuffled: <T>(of: readonly T[]) => T[];
};

/** Mulberry32, by Tommy Ettinger (public domain). */
export function random(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  return {
    next,
    below,
    one,
    some: (of, least, most) => Array.from({ length: least + below(most - least + 1) }, () => one(of)),
    shuffled: (of) =>
      of
        .map((x) => ({ x, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ x }) => x),
  };
}

/** Whether something of this probability happens. */
export const chance = (rng: Random, probability: number): boolean => rng.next() < probability;
