import type { Position } from "./position.ts";

/**
 * A stretch of positions. A null end is open without bound. `fromClosed`/`toClosed` say whether the end itself belongs to it;
 * they mean nothing on an unbounded end.
 */
export type Window = {
  readonly from: Position | null;
  readonly fromClosed: boolean;
  readonly to: Position | null;
  readonly toClosed: boolean;
};

/** How a check writes the ends of its windows. */
export type WindowEnds = "(]" | "[)" | "[]" | "()";

/** A window with the ends that a check's `window:` names. */
export function windowOf(from: Position | null, to: Position | null, ends: WindowEnds): Window {
  return { from, fromClosed: ends.startsWith("["), to, toClosed: ends.endsWith("]") };
}

/** Whether a position lies in the window, by its true ends. */
export function holds(window: Window, x: Position): boolean {
  if (window.from !== null && (x < window.from || (x === window.from && !window.fromClosed))) return false;
  return window.to === null || x < window.to || (x === window.to && window.toClosed);
}

/** Whether no position can lie in the window. On an integer axis (3, 4) is empty too. */
export function isEmpty(window: Window): boolean {
  const { first, last } = span(window);
  return first !== null && last !== null && first > last;
}

/** The first and the last position of the window, both included; null where it is unbounded. */
export function span(window: Window): { readonly first: Position | null; readonly last: Position | null } {
  return {
    first: window.from === null ? null : window.fromClosed ? window.from : window.from + 1n,
    last: window.to === null ? null : window.toClosed ? window.to : window.to - 1n,
  };
}

/** The window that holds exactly the positions from `first` to `last`, both included; written half-open as `[first, last + 1)`. */
export function halfOpen(first: Position | null, last: Position | null): Window {
  return { from: first, fromClosed: true, to: last === null ? null : last + 1n, toClosed: false };
}

const greatest = (a: Position | null, b: Position | null): Position | null =>
  a === null ? b : b === null ? a : a > b ? a : b;
const least = (a: Position | null, b: Position | null): Position | null =>
  a === null ? b : b === null ? a : a < b ? a : b;

/** What both windows hold, half-open; null where that is nothing. */
export function intersection(a: Window, b: Window): Window | null {
  const p = span(a);
  const q = span(b);
  const both = halfOpen(greatest(p.first, q.first), least(p.last, q.last));
  return isEmpty(both) ? null : both;
}

/** The windows joined where they touch or overlap, in order, half-open; empty ones are left out. */
export function union(windows: readonly Window[]): readonly Window[] {
  const spans = windows.filter((w) => !isEmpty(w)).map(span);
  spans.sort((a, b) => order(a.first, b.first));
  const joined: { first: Position | null; last: Position | null }[] = [];
  for (const next of spans) {
    const open = joined.at(-1);
    if (open && (open.last === null || next.first === null || next.first <= open.last + 1n)) {
      if (open.last !== null && (next.last === null || next.last > open.last)) open.last = next.last;
    } else joined.push({ ...next });
  }
  return joined.map((s) => halfOpen(s.first, s.last));
}

/** What `whole` holds and none of `parts` does, in order, half-open. */
export function difference(whole: Window, parts: readonly Window[]): readonly Window[] {
  if (isEmpty(whole)) return [];
  const bounds = span(whole);
  const left: Window[] = [];
  let first = bounds.first;
  for (const part of union(parts)) {
    const p = span(part);
    if (p.first !== null && (first === null || first < p.first)) {
      const gap = intersection(halfOpen(first, p.first - 1n), whole);
      if (gap) left.push(gap);
    }
    if (p.last === null) return left;
    first = first === null || p.last + 1n > first ? p.last + 1n : first;
  }
  const rest = halfOpen(first, bounds.last);
  if (!isEmpty(rest)) left.push(rest);
  return left;
}

function order(a: Position | null, b: Position | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
