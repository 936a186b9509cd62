import type { Windowed } from "../domain/ledger-index.ts";
import { isEmpty } from "../domain/window.ts";
import { count, names } from "../domain/wording.ts";
import { windowJson } from "./concerns.ts";
import { rule } from "./rule.ts";

/** Windows that two or more successful runs read. An empty one (nothing new, the watermark stays) is no repetition. */
export const repeatedWindow = rule("repeated-window", ["axis", "ledger"], ({ axis, ledger }) => {
  const full = ledger.successes.filter((run) => !isEmpty(run.window));
  const repeated = repetitions(full);
  const [first] = repeated;
  if (first === undefined) return [];
  return [
    {
      severity: "info",
      says: `${count(repeated.length, "window")} read more than once: ${repeated.length === 1 ? "" : "the first "}by runs ${names(first.map((run) => run.id))}`,
      evidence: {
        windows: repeated.slice(-20).map((runs) => ({
          ...windowJson((runs[0] as Windowed).window, axis),
          runs: runs.slice(0, 20).map((run) => run.id),
        })),
        windows_total: repeated.length,
      },
    },
  ];
});

/** Runs that share a window, in the order of the first of each; the windows are told apart without a text for each of them. */
function repetitions(runs: readonly Windowed[]): readonly (readonly Windowed[])[] {
  const order = runs.map((_, i) => i).toSorted((i, j) => compare(runs[i] as Windowed, runs[j] as Windowed) || i - j);
  const groups: number[][] = [];
  for (const [n, i] of order.entries()) {
    const before = order[n - 1];
    if (before === undefined || compare(runs[before] as Windowed, runs[i] as Windowed) !== 0) continue;
    const open = groups.at(-1);
    if (open?.at(-1) === before) open.push(i);
    else groups.push([before, i]);
  }
  return groups.toSorted(([a = 0], [b = 0]) => a - b).map((group) => group.map((i) => runs[i] as Windowed));
}

function compare({ window: a }: Windowed, { window: b }: Windowed): number {
  return ordered(a.to, b.to) || ordered(a.from, b.from);
}

function ordered(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  return a === null || (b !== null && a < b) ? -1 : 1;
}
