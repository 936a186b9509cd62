/** Both results, once both have ended: then the first failure is thrown, and nothing is still at work behind it. */
export async function together<A, B>(a: Promise<A>, b: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}
