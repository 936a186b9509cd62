import type { KeyPart, KeySpace } from "../../domain/detail.ts";
import type { Difference } from "../../domain/difference.ts";
import type { ChunkSpan, Facts } from "../../domain/facts.ts";
import { compareKeys, type Key } from "../../domain/key.ts";
import type { AgreedKind } from "../../domain/kind.ts";
import { count } from "../../domain/wording.ts";

/** Parts of a strip. */
const PARTS = 240;

type Counts = { missing: number; stale: number; changed: number; ahead: number; extra: number };

/** Counts differences by their place in the order of keys. */
export type KeyCounter = { readonly add: (difference: Difference) => void; readonly done: () => KeySpace };

/**
 * Where in the order of keys the sides differ: equal stretches of a key that is one whole number, else the comparison's own chunks.
 * Null: nothing was compared, or both sides are empty. Keys that the sides order differently have no order to draw: no parts, and a note.
 */
export function keyCounter({ comparison, mapping, source, target }: Facts): KeyCounter | null {
  if (comparison === null) return null;
  const kinds = mapping.key.map((pair) => pair.as);
  const firsts = [source.keys?.first, target.keys?.first].filter((key) => key !== undefined);
  const lasts = [source.keys?.last, target.keys?.last].filter((key) => key !== undefined);
  const first = firsts.toSorted((a, b) => compareKeys(a, b, kinds))[0];
  const last = lasts.toSorted((a, b) => compareKeys(b, a, kinds))[0];
  if (first === undefined || last === undefined) return null;
  const base = {
    first: keyText(first),
    last: keyText(last),
    chunks: comparison.chunks,
    chunksDifferent: comparison.chunksDifferent,
  };
  const [low, high] = [wholeNumber(first, kinds), wholeNumber(last, kinds)];
  if (low !== null && high !== null) {
    const counter = byNumber(low, high);
    return {
      add: counter.add,
      done() {
        const { parts, outside } = counter.done();
        const notes = outside === 0 ? [] : [`${count(outside, "differing key")} outside of this stretch or NULL`];
        return { ...base, by: "number", parts, notes };
      },
    };
  }
  const spans = comparison.strip;
  if (spans === undefined)
    return { add: () => {}, done: () => ({ ...base, by: "rows", parts: [], notes: [UNORDERED] }) };
  const most = spans.reduce((n, span) => Math.max(n, span.chunks), 1);
  const notes = most > 1 ? [`a part stands for up to ${count(most, "chunk")}`] : [];
  const counter = byChunk(spans, kinds);
  return { add: counter.add, done: () => ({ ...base, by: "rows", parts: counter.done(), notes }) };
}

const UNORDERED =
  "the two sides do not order these keys alike; they are compared by groups of a hash, which have no place";

function keyText(key: Key): string {
  return key.map((part) => part ?? "NULL").join(", ");
}

function wholeNumber(key: Key, kinds: readonly AgreedKind[]): bigint | null {
  const [part] = key;
  return kinds.length === 1 && kinds[0]?.as === "integer" && typeof part === "string" && /^-?\d+$/.test(part)
    ? BigInt(part)
    : null;
}

function byNumber(low: bigint, high: bigint) {
  const keys = high - low + 1n;
  const many = keys < BigInt(PARTS) ? Number(keys) : PARTS;
  const counts = Array.from({ length: many }, none);
  let outside = 0;
  // The first key of part i is the smallest k for which (k − low) · many ÷ keys is i.
  const start = (i: number): bigint => low + (keys * BigInt(i) + BigInt(many) - 1n) / BigInt(many);
  return {
    add: (difference: Difference): void => {
      const [part] = difference.key;
      const key = typeof part === "string" && /^-?\d+$/.test(part) ? BigInt(part) : null;
      const place = key === null || key < low || key > high ? -1 : Number(((key - low) * BigInt(many)) / keys);
      const into = counts[place];
      if (into === undefined) outside++;
      else add(into, difference);
    },
    done: (): { readonly parts: readonly KeyPart[]; readonly outside: number } => {
      const parts = counts.map((each, i) => ({
        ...each,
        share: 1 / many,
        from: start(i).toString(),
        to: (start(i + 1) - 1n).toString(),
      }));
      return { parts, outside };
    },
  };
}

function byChunk(spans: readonly ChunkSpan[], kinds: readonly AgreedKind[]) {
  const counts = spans.map(none);
  const indexOf = (key: Key): number => {
    let [low, high] = [0, spans.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const { from } = (spans[middle] as ChunkSpan).keys;
      if (from === null || compareKeys(from, key, kinds) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    add: (difference: Difference): void => {
      const into = counts[indexOf(difference.key)];
      if (into !== undefined) add(into, difference);
    },
    done: (): readonly KeyPart[] => {
      // An empty chunk still has a place.
      const weight = (span: ChunkSpan): number => Number(span.rows) + span.chunks;
      const all = spans.reduce((sum, span) => sum + weight(span), 0);
      return spans.map((span, i) => ({
        ...(counts[i] ?? none()),
        share: weight(span) / all,
        from: span.keys.from === null ? "" : keyText(span.keys.from),
        to: span.keys.to === null ? "" : keyText(span.keys.to),
      }));
    },
  };
}

function none(): Counts {
  return { missing: 0, stale: 0, changed: 0, ahead: 0, extra: 0 };
}

function add(counts: Counts, difference: Difference): void {
  if (difference.type !== "changed") counts[difference.type]++;
  else
    counts[difference.order === "source-newer" ? "stale" : difference.order === "target-newer" ? "ahead" : "changed"]++;
}
