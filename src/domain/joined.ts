import type { Position } from "./position.ts";
import { isEmpty, type Window } from "./window.ts";

/** Windows joined where they overlap or touch, in order. Unlike `union` their ends stay as they are, so that profiles are cut there. */
export function joined(windows: readonly Window[]): readonly Window[] {
  const sorted = windows.filter((w) => !isEmpty(w)).toSorted(byLeft);
  const found: Window[] = [];
  for (const next of sorted) {
    const open = found.at(-1);
    if (open !== undefined && meets(open, next))
      found[found.length - 1] = byRight(open, next) >= 0 ? open : { ...open, to: next.to, toClosed: next.toClosed };
    else found.push(next);
  }
  return found;
}

/** What lies between the first and the last of the windows and in none of them, in order, with the windows' own ends. */
export function holes(windows: readonly Window[]): readonly Window[] {
  const all = joined(windows);
  return all.slice(1).flatMap((next, i) => {
    const before = all[i] as Window;
    const hole = { from: before.to, fromClosed: !before.toClosed, to: next.from, toClosed: !next.fromClosed };
    return isEmpty(hole) ? [] : [hole];
  });
}

/** What both windows hold, with their own ends; null where that is nothing. */
export function common(a: Window, b: Window): Window | null {
  const left = byLeft(a, b) >= 0 ? a : b;
  const right = byRight(a, b) <= 0 ? a : b;
  const both = { from: left.from, fromClosed: left.fromClosed, to: right.to, toClosed: right.toClosed };
  return isEmpty(both) || (both.from !== null && both.to !== null && both.from > both.to) ? null : both;
}

/** What `whole` holds and none of the parts, with their own ends. */
export function without(whole: Window, parts: readonly Window[]): readonly Window[] {
  let rest: readonly Window[] = [whole];
  for (const part of joined(parts))
    rest = rest.flatMap((window) => {
      const cut = common(window, part);
      if (cut === null) return [window];
      const before = { from: window.from, fromClosed: window.fromClosed, to: cut.from, toClosed: !cut.fromClosed };
      const behind = { from: cut.to, fromClosed: !cut.toClosed, to: window.to, toClosed: window.toClosed };
      return [
        ...(cut.from === null || isEmpty(before) ? [] : [before]),
        ...(cut.to === null || isEmpty(behind) ? [] : [behind]),
      ];
    });
  return rest;
}

/** Whether the window that starts later leaves nothing between. */
function meets(a: Window, b: Window): boolean {
  return a.to === null || b.from === null || b.from < a.to || (b.from === a.to && (a.toClosed || b.fromClosed));
}

function byLeft(a: Window, b: Window): number {
  return compare(a.from, b.from, -1) || Number(b.fromClosed) - Number(a.fromClosed);
}

function byRight(a: Window, b: Window): number {
  return compare(a.to, b.to, 1) || Number(a.toClosed) - Number(b.toClosed);
}

/** `unbounded`: where a null end stands. */
function compare(a: Position | null, b: Position | null, unbounded: -1 | 1): number {
  if (a === b) return 0;
  if (a === null) return unbounded;
  if (b === null) return -unbounded;
  return a < b ? -1 : 1;
}
