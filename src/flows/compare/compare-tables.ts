import { planComparison } from "../../compare/plan-comparison.ts";
import type { ComparisonPlan, DigestKind } from "../../compare/plan.ts";
import type { Both } from "../../compare/question.ts";
import type { Check } from "../../domain/check.ts";
import type { DuplicateKeys } from "../../domain/difference.ts";
import type { TidemarkError } from "../../domain/errors.ts";
import type { ComparisonFacts } from "../../domain/facts.ts";
import { uniqueOn } from "../../domain/table.ts";
import type { DifferenceLog, World } from "../ports.ts";
import { compareAll } from "./all-chunks.ts";
import { calibrateTables } from "./calibrate-tables.ts";
import { confirmOrDrop } from "./confirm.ts";
import { negotiate } from "./negotiate.ts";
import { Origins } from "./origins.ts";
import type { OpenSide } from "./open-side.ts";
import type { ComparisonRequest, OpenSides } from "./request.ts";
import { paceOf } from "./pace.ts";
import { showerOf } from "./show-values.ts";
import { sideReader, type SideReader } from "./side-reader.ts";
import { bind, sideSpec } from "./side-spec.ts";
import { newTally, ofTheWorld, receive, type Tally } from "./tally.ts";

/** What it came to. The log is the caller's to dispose of. */
export type Comparison = {
  readonly facts: ComparisonFacts;
  readonly rows: Both<bigint>;
  readonly differences: DifferenceLog;
  /** What ended it early; what was found before, and confirmed by a second look, is there all the same. Null: it finished. */
  readonly failure: TidemarkError | null;
};

/** Compares both sides of a check: checksums per chunk down to rows and columns, then a second look at all that differs. */
export async function compareTables(request: ComparisonRequest, first: OpenSides, world: World): Promise<Comparison> {
  const began = world.clock.seconds();
  const tally = newTally();
  const found = world.differenceLog();
  const origins = new Origins();
  const { plan, duplicates, systematic } = await compareOnce(request, first, world, tally, found, origins, began);
  await first[Symbol.asyncDispose]();
  const looked = world.clock.now();
  const settled = await confirmOrDrop(request, plan, found, origins, looked, world, tally);
  const notes = plan.columns.flatMap((c) => (c.pair.note === null ? [] : [`${c.pair.source}: ${c.pair.note}`]));
  if (settled.moved > 0) notes.push(`${settled.moved} rows were still changing between looks and are not judged`);
  const facts: ComparisonFacts = {
    chunks: tally.chunks,
    chunksDifferent: tally.different,
    rowsFetched: tally.fetched,
    statements: tally.statements,
    seconds: world.clock.seconds() - began,
    digest: plan.digest,
    systematic: systematic.map((s) => ({ ...s, rows: BigInt(tally.explained.get(s.column) ?? 0) })),
    duplicates,
    stopped: tally.stopped,
    ...(tally.strip.size === 0 ? {} : { strip: tally.strip.spans() }),
    notes,
  };
  return { facts, rows: tally.rows, differences: settled.log, failure: tally.failure };
}

type Once = {
  readonly plan: ComparisonPlan;
  readonly duplicates: readonly DuplicateKeys[];
  readonly systematic: readonly Omit<ComparisonFacts["systematic"][number], "rows">[];
};

async function compareOnce(
  request: ComparisonRequest,
  sides: OpenSides,
  world: World,
  tally: Tally,
  found: DifferenceLog,
  origins: Origins,
  began: number,
): Promise<Once> {
  const { check } = request;
  const show = await showerOf(check, world.state);
  const base = {
    ...(show === null ? {} : { show }),
    check,
    pairings: request.pairings,
    source: sides.source.table,
    target: sides.target.table,
    scope: request.scope,
    laterScope: request.laterScope,
  };
  const draft = planComparison({ ...base, digest: "values", unsayable: new Set(), calibrations: [] });
  const unsayable = new Set(
    draft.columns
      .filter((c) =>
        (["source", "target"] as const).some(
          (s) => sides[s].snapshot.database.dialect.text(bind(c, s, "digest")) === null,
        ),
      )
      .map((c) => c.pair.source),
  );
  const digest: DigestKind = request.exact
    ? "values"
    : await negotiate(sides.source.snapshot, sides.target.snapshot, (dialect, s) =>
        dialect.typedHash(draft.columns.filter((c) => !unsayable.has(c.pair.source)).map((c) => bind(c, s, "digest"))),
      );
  const pace = paceOf(check, world);
  const readersFor = (plan: ComparisonPlan): Both<SideReader> => ({
    source: sideReader(sides.source, sideSpec(sides.source, plan, check, request.keyScope), tally, pace),
    target: sideReader(sides.target, sideSpec(sides.target, plan, check, request.keyScope), tally, pace),
  });
  const blind = planComparison({ ...base, digest, unsayable, calibrations: [] });
  const calibrations = await calibrateTables(readersFor(blind), blind);
  const plan = planComparison({ ...base, digest, unsayable, calibrations });
  const readers = readersFor(plan);
  world.progress.step(check.name, "comparing");
  const expected =
    request.scope.range !== null
      ? await readers.source.count()
      : largest(sides.source.table.estimatedRows, sides.target.table.estimatedRows);
  const receiver = receive(found, tally);
  let duplicates: readonly DuplicateKeys[] = [];
  try {
    const course = {
      expected,
      tables: { source: sides.source.table, target: sides.target.table },
      world,
      pace,
      reached: () => stopped(check, tally, found, world.clock.seconds() - began),
    };
    await compareAll(request, plan, readers, receiver, tally, course, origins);
    duplicates = await findDuplicates(sides, readers, plan);
  } catch (error) {
    tally.failure = ofTheWorld(error, world);
  }
  const systematic = calibrations.flatMap((c) =>
    c.systematic === null
      ? []
      : [
          {
            column: c.column.pair.source,
            transformation: c.systematic.transformation.says,
            sampled: c.sampled,
            explained: c.systematic.explained,
            accept: (c.systematic.transformation.accept ?? "columns: { exclude: [COLUMN] }").replace(
              "COLUMN",
              c.column.pair.source,
            ),
          },
        ],
  );
  return { plan, duplicates, systematic };
}

const largest = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null || a > b ? a : b);

function stopped(check: Check, tally: Tally, found: DifferenceLog, seconds: number): boolean {
  const { differences, time } = check.compare.stopAfter;
  if (differences !== null && found.size >= differences)
    tally.stopped ??= `stop_after: ${differences} differences were reached`;
  if (time !== null && seconds * 1e6 >= Number(time)) tally.stopped ??= "stop_after: the time was up";
  return tally.stopped !== null;
}

async function findDuplicates(
  sides: Both<OpenSide>,
  readers: Both<SideReader>,
  plan: ComparisonPlan,
): Promise<readonly DuplicateKeys[]> {
  const found: DuplicateKeys[] = [];
  for (const side of ["source", "target"] as const) {
    const columns = plan.key.map((k) => k[side]);
    const unique =
      uniqueOn(
        sides[side].table,
        columns.map((c) => c.name),
      ) !== null && columns.every((c) => !c.nullable);
    const duplicates = unique ? null : await readers[side].duplicates(20);
    if (duplicates) found.push(duplicates);
  }
  return found;
}
