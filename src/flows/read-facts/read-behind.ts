import type { ArrivalGroup, LedgerFacts } from "../../domain/facts.ts";
import { must } from "../../domain/errors.ts";
import { type Edge, successfulRuns } from "../../domain/ledger-index.ts";
import { leftEdges, type LeftEdges } from "../../domain/left-edges.ts";
import { lowerBound } from "../../domain/cuts.ts";
import type { Position } from "../../domain/position.ts";
import { cursorCondition } from "../../sql/cursor-condition.ts";
import { name, raw, sql } from "../../sql/statement.ts";
import { plainGroup } from "./arrival-groups.ts";
import type { ArrivalSide } from "./arrival-side.ts";
import { countOf, dialectOf, type OpenSide, rowsWhere } from "./open-side.ts";
import { planRank } from "./rank-plan.ts";
import { firstLeft } from "./read-ledger-facts.ts";

const POLICIES = ["ledger", "wallClock", "dataClock"] as const;
type Counts = Record<(typeof POLICIES)[number], bigint>;

/**
 * Counts, for each group of arrivals, the rows that lie before the left edges of its run (`ArrivalGroup.behind`): one more pass over the
 * source, in the database. Rows are sorted among the runs' starts by their arrival and among those runs' edges by their cursor; so many
 * pairs come back as there are, which grows with the runs and not with the rows. `horizon`: cursors beyond it are in the future.
 */
export async function readBehind(
  side: OpenSide,
  arrivals: ArrivalSide,
  ledger: LedgerFacts,
  horizon: Position,
): Promise<readonly ArrivalGroup[]> {
  const cursor = must(side.cursor, "arrivals are read along a cursor");
  const dialect = dialectOf(side);
  const edges = leftEdges(ledger, cursor.axis);
  const successes = successfulRuns(ledger.runs);
  const counts = new Map<number, Counts>();
  const stretch = firstLeft(ledger.runs);
  const inside = [
    cursor.axis === "time" ? cursorCondition(cursor, "<=", horizon, dialect) : null,
    stretch === null ? null : cursorCondition(cursor, stretch.closed ? ">=" : ">", stretch.at, dialect),
  ];
  // Each run has three edges, which must fit into one rank beside its start.
  const plan = planRank(
    arrivals.arrival,
    successes.map((run) => run.started + 1n),
    dialect,
    Math.max(1, Math.floor(dialect.facts.rankLimit(cursor.column) / POLICIES.length)),
  );
  for (const batch of plan.batches) {
    const own: LeftEdges[] = [];
    const behind = Math.min(batch.reached(batch.cuts) + 1, successes.length);
    for (let i = batch.reached(batch.first ? 0 : 1); i < behind; i++) own.push(edges(i));
    const cuts = cutsOf(own);
    const last = cuts.at(-1);
    if (last === undefined) continue;
    for (const part of planRank(cursor, cuts, dialect).batches) {
      // Beyond the last edge nothing lies behind any.
      const conditions = [...inside, cursorCondition(cursor, "<", last, dialect), batch.condition, part.condition];
      const rows = sql`SELECT ${batch.rank} AS ${name("g")}, ${part.rank} AS ${name("p")} ${rowsWhere(side, conditions, arrivals.from)} ${dialect.facts.fence}`;
      const numbers = [name("g"), name("p"), raw("COUNT(*)")].map((each) => dialect.countText(each));
      const statement = sql`SELECT ${numbers} FROM (${rows}) ${name("r")} GROUP BY ${name("g")}, ${name("p")}`;
      await side.snapshot.use(async (session) => {
        for await (const found of session.stream({ what: "rows behind the runs' left edges", sql: statement }))
          for (const [g = null, p = null, n] of found)
            if (g !== null && p !== null) count(batch.reached(Number(g)), part.reached(Number(p)), countOf(n), cuts);
      });
    }
  }
  return (ledger.arrivals?.groups ?? []).map((group) =>
    group.nextRun === null
      ? group
      : { ...plainGroup(group), behind: counts.get(group.nextRun) ?? { ledger: 0n, wallClock: 0n, dataClock: 0n } },
  );

  /** Rows that reach the first `reached` of the cuts lie before all edges from there on. */
  function count(nextRun: number, reached: number, rows: bigint, cuts: readonly Position[]): void {
    if (nextRun >= successes.length) return;
    const own = edges(nextRun);
    const known = counts.get(nextRun) ?? { ledger: 0n, wallClock: 0n, dataClock: 0n };
    counts.set(nextRun, known);
    for (const policy of POLICIES) {
      const cut = cutOf(own[policy]);
      if (cut !== null && lowerBound(cuts, cut) >= reached) known[policy] += rows;
    }
  }
}

/** The first position that does not lie before an edge. */
function cutOf(edge: Edge | null): Position | null {
  return edge === null ? null : edge.closed ? edge.at : edge.at + 1n;
}

function cutsOf(edges: readonly LeftEdges[]): readonly Position[] {
  const cuts = edges.flatMap((edge) => POLICIES.map((policy) => cutOf(edge[policy]))).filter((cut) => cut !== null);
  return [...new Set(cuts)].toSorted((a, b) => (a < b ? -1 : 1));
}
