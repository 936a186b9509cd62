import type { ClockReading } from "../domain/clock.ts";
import type { ArrivalGroup, CursorProfile, Facts, LedgerFacts } from "../domain/facts.ts";
import { packClocks } from "../domain/packed-clocks.ts";
import { packed } from "../domain/packed-bigints.ts";
import { PackedRuns } from "../domain/packed-runs.ts";
import type { Run } from "../domain/run.ts";

/** Items of a line: a ledger may hold a hundred thousand runs, which are never one text. */
const ITEMS = 500;

/** A part of a list of a ledger's facts, as a line of its own. */
export type ListLine = { readonly list: string; readonly items: readonly unknown[] };

/** The facts with the long lists of their ledger empty. */
export function withoutLists(facts: Facts): Facts {
  const ledger = facts.ledger ?? null;
  return ledger === null ? facts : { ...facts, ledger: filled(ledger, () => []) };
}

/** What `withoutLists` leaves out, in order, some items a line. */
export function* listLines(facts: Facts): Generator<ListLine> {
  const ledger = facts.ledger ?? null;
  if (ledger === null) return;
  for (const list of LISTS) {
    let items: unknown[] = [];
    for (const item of listOf(ledger, list)) {
      items.push(item);
      if (items.length < ITEMS) continue;
      yield { list, items };
      items = [];
    }
    if (items.length > 0) yield { list, items };
  }
}

const LISTS = [
  "runs",
  "clocks",
  "observations",
  "groups",
  ...(["source", "lacking"] as const).flatMap((profile) =>
    (["ends", "at", "between"] as const).map((part) => `${profile}.${part}` as const),
  ),
] as const;
type List = (typeof LISTS)[number];

function listOf(ledger: LedgerFacts, list: List): Iterable<unknown> {
  switch (list) {
    case "runs":
    case "clocks":
    case "observations":
      return ledger[list];
    case "groups":
      return ledger.arrivals?.groups ?? [];
    default: {
      const [profile, part] = list.split(".") as ["source" | "lacking", keyof CursorProfile];
      return ledger[profile][part];
    }
  }
}

/** A ledger with these lists in place of its own. */
function filled(ledger: LedgerFacts, items: (list: List) => readonly unknown[]): LedgerFacts {
  const profile = (of: "source" | "lacking"): CursorProfile => ({
    ends: packed(items(`${of}.ends`) as readonly bigint[]),
    at: packed(items(`${of}.at`) as readonly bigint[]),
    between: packed(items(`${of}.between`) as readonly bigint[]),
  });
  const clocks = items("clocks") as readonly (ClockReading | null)[];
  return {
    ...ledger,
    runs: items("runs") as readonly Run[],
    clocks: packClocks(clocks, clocks.length),
    observations: items("observations") as LedgerFacts["observations"],
    source: profile("source"),
    lacking: profile("lacking"),
    arrivals: ledger.arrivals && { ...ledger.arrivals, groups: items("groups") as readonly ArrivalGroup[] },
  };
}

/** Puts lists together again as their lines are read; runs are packed at once. */
export class ListReader {
  readonly #runs = new PackedRuns();
  readonly #lists = new Map<string, unknown[]>();

  add({ list, items }: ListLine): void {
    if (list === "runs") {
      for (const run of items) this.#runs.add(run as Run);
      return;
    }
    const known = this.#lists.get(list);
    if (known === undefined) this.#lists.set(list, [...items]);
    else for (const item of items) known.push(item);
  }

  /** The facts with their lists; as they are, where none was read: an older Tidemark kept all in one line. */
  fill(facts: Facts | null): Facts | null {
    const ledger = facts?.ledger ?? null;
    if (facts === null || ledger === null || (this.#lists.size === 0 && this.#runs.length === 0)) return facts;
    const runs = this.#runs.inOrder(Uint32Array.from({ length: this.#runs.length }, (_, i) => i));
    return { ...facts, ledger: filled(ledger, (list) => (list === "runs" ? runs : (this.#lists.get(list) ?? []))) };
  }
}
