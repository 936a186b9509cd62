import { cursorStep } from "../domain/cursor-step.ts";
import type { Severity } from "../domain/finding.ts";
import { common, holes, joined, without } from "../domain/joined.ts";
import type { LedgerIndex, Windowed } from "../domain/ledger-index.ts";
import type { Axis } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import { rows } from "../domain/wording.ts";
import { span, type Window } from "../domain/window.ts";
import { type Concern, windowJson } from "./concerns.ts";
import type { Known } from "./rule.ts";

/** A stretch that no successful window covers. `failed`: the runs without success that held it; `before`, `behind`: its neighbours. */
export type Gap = {
  readonly window: Window;
  readonly failed: readonly Windowed[];
  readonly before: Windowed | null;
  readonly behind: Windowed | null;
};

/**
 * The stretches between the first and the last successful window that none covers, cut into those that some run without success held
 * and those that none did. Stretches in which no cursor value can lie (between two whole seconds of a cursor in seconds) are none.
 */
export function gapsOf({ check, source, ledger }: Pick<Known, "check" | "source" | "ledger">): readonly Gap[] {
  const step = cursorStep(check, source.table);
  const gaps = holes(ledger.successes.map((run) => run.window));
  if (gaps.length === 0) return [];
  const byTo = new Map(ledger.successes.map((run) => [run.window.to, run]));
  const byFrom = new Map(ledger.successes.map((run) => [run.window.from, run]));
  const failures = ledger.failures.toSorted((a, b) => ordered(a.window.from, b.window.from));
  let next = 0;
  let open: readonly Windowed[] = [];
  return gaps
    .flatMap((hole) => {
      // Both are in order of their left ends, so that each failure is picked up once and dropped once it lies behind.
      const entering: Windowed[] = [];
      for (
        let run = failures[next];
        run !== undefined && ordered(run.window.from, hole.to) <= 0;
        run = failures[++next]
      )
        entering.push(run);
      open = [...open, ...entering].filter(
        ({ window }) => window.to === null || hole.from === null || window.to >= hole.from,
      );
      const inside = open.flatMap((run) => {
        const part = common(hole, run.window);
        return part === null ? [] : [{ run, part }];
      });
      const held = joined(inside.map(({ part }) => part));
      return [
        ...held.map((window) => ({ window, failed: inside.filter(({ part }) => common(part, window) !== null) })),
        ...without(hole, held).map((window) => ({ window, failed: [] })),
      ];
    })
    .filter(({ window }) => canHold(window, step))
    .map(({ window, failed }) => ({
      window,
      failed: failed.map(({ run }) => run),
      before: byTo.get(window.from) ?? null,
      behind: byFrom.get(window.to) ?? null,
    }));
}

function ordered(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  return a === null || (b !== null && a < b) ? -1 : 1;
}

/** Whether some multiple of `step` lies in the window. */
function canHold(window: Window, step: bigint): boolean {
  const { first, last } = span(window);
  if (first === null || last === null) return true;
  const rest = ((first % step) + step) % step;
  return (rest === 0n ? first : first + step - rest) <= last;
}

/** A gap as a concern: an error while the target lacks rows there, a warning while the source has none there, else no more than a note. */
export function gapConcern(gap: Gap, ledger: LedgerIndex, axis: Axis): Concern & { readonly gap: Gap } {
  const { window, failed, before, behind } = gap;
  const there = ledger.rows(window);
  const lacking = ledger.lacking?.(window) ?? null;
  const severity: { readonly severity: Severity; readonly part?: string } =
    lacking !== null && lacking > 0n
      ? { severity: "error" }
      : lacking === 0n && there > 0n
        ? { severity: "info", part: "filled" }
        : { severity: "warn", part: "empty" };
  return {
    ...severity,
    windows: [window],
    gap,
    evidence: () => ({
      ...windowJson(window, axis),
      source_rows: jsonCount(there),
      rows_lacking: lacking === null ? null : jsonCount(lacking),
      run_before: before?.id ?? null,
      run_after: behind?.id ?? null,
      ...(failed.length === 0
        ? {}
        : { failed_runs: failed.slice(0, 20).map((run) => run.id), failed_total: failed.length }),
    }),
  };
}

/** What the target lacks of a gap's rows, as half a sentence. */
export function lackingWords(there: bigint, lacking: bigint | null): string {
  if (there === 0n) return "the source has no rows there yet";
  const has = `the source has ${rows(there)} there`;
  return lacking === null ? has : `${has}, the target lacks ${lacking === 0n ? "none" : lacking}`;
}
