/**
 * Works through items with at most `workers` at a time. Waits for all that has begun, then throws the first failure; after one,
 * nothing new is begun.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  workers: number,
  work: (item: T) => Promise<void>,
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
  const ends = await Promise.allSettled(Array.from({ length: Math.max(1, workers) }, worker));
  if (failed) await iterator.return?.(undefined);
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
}
