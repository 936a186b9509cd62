/** Workers beyond the `first` begin when `come` is over, however it ends. It is told when the work is done before that. */
export type Late = { readonly first: number; readonly come: (done: AbortSignal) => Promise<void> };

/**
 * Works through items with at most `workers` at a time. Waits for all that has begun, then throws the first failure; after one,
 * nothing new is begun.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  workers: number,
  work: (item: T) => Promise<void>,
  late: Late | null = null,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  let turn: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<T>> => {
    const result = turn.then(() => iterator.next());
    turn = result.catch(() => undefined);
    return result;
  };
  const worker = async (): Promise<void> => {
    while (!failed) {
      try {
        const { done, value } = await next();
        if (done) return;
        await work(value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const all = Math.max(1, workers);
  const first = Math.min(all, Math.max(1, late?.first ?? all));
  const done = new AbortController();
  const come = all > first ? late?.come(done.signal).catch(() => {}) : undefined;
  const begun = Promise.allSettled(Array.from({ length: first }, worker)).finally(() => done.abort());
  const later = Promise.allSettled(
    Array.from({ length: all - first }, async () => {
      await come;
      await worker();
    }),
  );
  const ends = [...(await begun), ...(await later)];
  if (failed) await iterator.return?.(undefined);
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
}
