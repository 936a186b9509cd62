import type { Difference } from "../../domain/difference.ts";
import type { Key } from "../../domain/key.ts";
import type { Answer, Both, Chunk, Dialogue, Question, Sketch } from "../../compare/question.ts";
import type { RowStore } from "../ports.ts";
import { Gathered } from "./gathered.ts";
import type { SideReader } from "./side-reader.ts";

/** What a comparison hands over as it goes. */
export type Receiver = { take(differences: readonly Difference[], explained: ReadonlyMap<string, number>): void };

/** Takes nothing. */
export const NOBODY: Receiver = { take: () => {} };

/** Leads a dialogue to its end: asks both sides at once, and gives what is found to the receiver. */
export async function converse<T>(dialogue: Dialogue<T>, readers: Both<SideReader>, receiver: Receiver): Promise<T>;
/**
 * The same, ended between two questions as soon as a limit is `reached`: null then, and what was handed over stays. `store`: where rows
 * that are gathered are put meanwhile; without it nothing may be.
 */
export async function converse<T>(
  dialogue: Dialogue<T>,
  readers: Both<SideReader>,
  receiver: Receiver,
  reached: () => boolean,
  store?: () => RowStore,
): Promise<T | null>;
export async function converse<T>(
  dialogue: Dialogue<T>,
  readers: Both<SideReader>,
  receiver: Receiver,
  reached = () => false,
  store: (() => RowStore) | null = null,
): Promise<T | null> {
  using gathered = new Gathered(readers, store);
  let turn = dialogue.next();
  while (!turn.done) {
    if (reached()) return null;
    turn = dialogue.next(await answer(turn.value, readers, receiver, gathered));
  }
  return turn.value;
}

async function answer(
  question: Question,
  readers: Both<SideReader>,
  receiver: Receiver,
  gathered: Gathered,
): Promise<Answer> {
  switch (question.ask) {
    case "digest":
      return { to: "digest", digests: await both(readers, (r) => r.digest(question.chunk, question.wide)) };
    case "split":
      return {
        to: "split",
        digests: await both(readers, (r) => r.split(question.chunk, question.modulus, question.wide)),
      };
    case "rows":
      return { to: "rows", rows: await rowsOf(question, readers) };
    case "values":
      return { to: "values", rows: await both(readers, (r) => r.values(question.keys)) };
    case "keys":
      return { to: "keys", digests: await both(readers, (r) => r.keys(question.chunk)) };
    case "cuts":
      return { to: "cuts", keys: await allCuts(readers[question.by], question.chunk, question.rows) };
    case "gather":
      return { to: "gather", ...(await gathered.gather(question)) };
    case "group":
      return { to: "group", rows: gathered.group(question.group) };
    case "take":
      receiver.take(question.differences, question.explained);
      return { to: "take" };
  }
}

async function rowsOf(
  { chunk, wide, only }: Extract<Question, { ask: "rows" }>,
  readers: Both<SideReader>,
): Promise<Both<readonly Sketch[]>> {
  if (only === undefined) return await both(readers, (r) => r.rows(chunk, wide));
  return { source: [], target: [], [only]: await readers[only].rows(chunk, null) };
}

/** Asks both sides at once and waits for both, also when one fails: a snapshot must not be closed under a running statement. */
async function both<T>(readers: Both<SideReader>, work: (reader: SideReader) => Promise<T>): Promise<Both<T>> {
  const [source, target] = await Promise.allSettled([work(readers.source), work(readers.target)]);
  if (source.status === "rejected") throw source.reason;
  if (target.status === "rejected") throw target.reason;
  return { source: source.value, target: target.value };
}

async function allCuts(reader: SideReader, chunk: Chunk, rows: number): Promise<readonly Key[]> {
  const keys: Key[] = [];
  for (;;) {
    const next = await reader.cut(
      { ...chunk, keys: { from: keys.at(-1) ?? chunk.keys.from, to: chunk.keys.to } },
      rows,
    );
    if (next === null) return keys;
    keys.push(next);
  }
}
