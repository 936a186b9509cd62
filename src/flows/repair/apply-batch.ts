import { createHash } from "node:crypto";
import { inScope, isSettled } from "../../compare/plan.ts";
import { versionOrder } from "../../compare/version.ts";
import { must } from "../../domain/errors.ts";
import { type Key, keyIdentity } from "../../domain/key.ts";
import { NO_COUNTS, type RepairCounts } from "../../domain/repair.ts";
import { type Decision, decide } from "../../repair/decide.ts";
import type { UndoRow } from "../../repair/undo-log.ts";
import type { Row } from "../../sql/session.ts";
import { sql } from "../../sql/statement.ts";
import { targetText } from "../../sql/target-text.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { StagedRow, Writer } from "../../sql/writer.ts";
import type { Layout } from "./layout.ts";
import { chunks, readSource, readTarget, type SourceRow, type TargetRow } from "./read-rows.ts";
import type { WorkItem } from "./work.ts";

/** What a batch works with. */
export type BatchContext = {
  readonly layout: Layout;
  readonly facts: WriteFacts;
  readonly shape: StageShape;
  readonly deletes: boolean;
  /** Makes the rows durable, before they are committed. */
  readonly log: (rows: readonly Omit<UndoRow, "batch">[]) => void;
};

/** A batch that was done: what became of its rows, and those that no transaction was needed to refuse. */
export type BatchDone = {
  readonly counts: RepairCounts;
  readonly refused: readonly Refused[];
  readonly wrote: boolean;
};

/** A row that could not be written, and why, without any of its values. */
export type Refused = { readonly key: Key; readonly reason: string };

/** The target holds something else than what was written there: a trigger, a type that cuts or rounds. The transaction must be rolled back. */
export class NotAsWritten extends Error {
  override readonly name = "NotAsWritten";
  readonly rows: readonly Refused[];
  constructor(rows: readonly Refused[]) {
    super("the target holds something else than what was written");
    this.rows = rows;
  }
}

/** Failed while it committed: what became of it is not known. */
export class UnsureCommit extends Error {
  override readonly name = "UnsureCommit";
  readonly counts: RepairCounts;
  constructor(counts: RepairCounts, cause: unknown) {
    super("a commit without an answer", { cause });
    this.counts = counts;
  }
}

/** The source's rows of a batch, by identity of their keys. */
export type Sources = ReadonlyMap<string, SourceRow>;
type Judged = {
  readonly item: WorkItem;
  readonly decision: Decision;
  readonly source: SourceRow | undefined;
  readonly target: TargetRow | undefined;
};

/** The source's rows of a batch, read outside of its transaction: here Ctrl-C may still stop it. */
export async function readBatch(
  { layout }: Pick<BatchContext, "layout">,
  items: readonly WorkItem[],
): Promise<Sources> {
  const database = must(layout.open.databases.get(layout.open.check.source.connection), "the source is open");
  return await database.use((session) => readSource(session, layout, items.map((i) => i.key).filter(isWhole)));
}

/**
 * One batch in one transaction of the target: lock and record what is there, decide row by row, stage, write, read back and compare,
 * make the undo log durable, commit. Throws what the server said (the transaction is rolled back), `NotAsWritten`, or `UnsureCommit`.
 */
export async function applyBatch(
  context: BatchContext,
  writer: Writer,
  items: readonly WorkItem[],
  sources: Sources,
): Promise<BatchDone> {
  const { layout } = context;
  const whole = items.filter((i) => isWhole(i.key));
  const refused: Refused[] = items
    .filter((i) => !isWhole(i.key))
    .map((i) => ({ key: i.key, reason: "its key holds NULL, which no unique index tells apart" }));
  let committing: RepairCounts | null = null;
  await writer.begin();
  try {
    const targets = await readTarget(
      writer,
      writer.write,
      layout,
      whole.map((i) => i.key),
      true,
    );
    const judged = whole.map((item) =>
      judge(context, item, sources.get(keyIdentity(item.key)), targets.get(keyIdentity(item.key))),
    );
    for (const { item, decision } of judged)
      if (decision === "refuse")
        refused.push({
          key: item.key,
          reason: "the target holds this key in a row that the check's `where` leaves out",
        });
    const of = (decision: Decision): readonly Judged[] => judged.filter((j) => j.decision === decision);
    const [inserts, updates, deletes] = [of("insert"), of("update"), of("delete")];
    const written = [...inserts, ...updates];
    if (written.length + deletes.length > 0) {
      await write(context, writer, inserts, updates, deletes);
      const after = await readBack(context, writer, written, deletes);
      context.log([
        ...inserts.map(({ item }) => ({
          op: "i" as const,
          key: item.key,
          before: null,
          after: must(after.get(keyIdentity(item.key)), "an inserted row was read back"),
        })),
        ...updates.map(({ item, target }) => ({
          op: "u" as const,
          key: item.key,
          before: must(target, "an updated row was there").images,
          after: must(after.get(keyIdentity(item.key)), "an updated row was read back"),
        })),
        ...deletes.map(({ item, target }) => ({
          op: "d" as const,
          key: item.key,
          before: must(target, "a deleted row was there").images,
          after: null,
        })),
      ]);
    }
    const counts: RepairCounts = {
      ...NO_COUNTS,
      inserted: BigInt(inserts.length),
      updated: BigInt(updates.length),
      deleted: BigInt(deletes.length),
      unchanged: BigInt(of("unchanged").length),
      keptNewer: BigInt(of("kept-newer").length),
      batches: 1n,
    };
    committing = counts;
    await writer.commit();
    return { counts, refused, wrote: written.length + deletes.length > 0 };
  } catch (error) {
    await writer.rollback();
    if (committing !== null && writer.broken) throw new UnsureCommit(committing, error);
    throw error;
  }
}

const isWhole = (key: Key): boolean => key.every((part) => part !== null);

function judge(
  { layout, deletes }: BatchContext,
  item: WorkItem,
  source: SourceRow | undefined,
  target: TargetRow | undefined,
): Judged {
  const { plan } = layout;
  const deciding = source?.copy ?? target?.copy ?? null;
  const inQuestion =
    deciding !== null &&
    inScope(deciding.cursor, plan.scope) &&
    (target === undefined || isSettled(target.copy.cursor, plan.scope));
  const same =
    source !== undefined &&
    target !== undefined &&
    plan.columns.every((c, i) => c.same(source.compared[i] ?? null, target.compared[i] ?? null));
  const order = source === undefined || target === undefined ? "none" : versionOrder(source.copy, target.copy, plan);
  const inTarget = target === undefined ? "no" : target.inside ? "yes" : "outside";
  return {
    item,
    source,
    target,
    decision: decide({ inSource: source !== undefined, inQuestion, inTarget, same, order, deletes }),
  };
}

async function write(
  { layout, facts, shape }: BatchContext,
  writer: Writer,
  inserts: readonly Judged[],
  updates: readonly Judged[],
  deletes: readonly Judged[],
): Promise<void> {
  const staged: StagedRow[] = [
    ...inserts.map((j) => ({
      operation: "insert" as const,
      key: null,
      values: valuesOf(layout, must(j.source, "an inserted row has a source")),
    })),
    ...updates.map((j) => ({
      operation: "update" as const,
      key: keyImages(layout, must(j.target, "an updated row was there")),
      values: valuesOf(layout, must(j.source, "an updated row has a source")),
    })),
  ];
  if (staged.length > 0) await writer.load(staged);
  // Deletions first: they may free what a new row needs; then updates, for the same reason.
  await deleteKeys(
    layout,
    writer,
    deletes.map((j) => j.item.key),
  );
  const update = updates.length === 0 ? null : writer.write.updateStaged(shape, facts);
  if (update !== null) await writer.rows({ what: "update of rows", sql: update });
  if (inserts.length > 0) await writer.rows({ what: "insert of rows", sql: writer.write.insertStaged(shape, facts) });
}

/** Deletes the target's rows of these keys. */
export async function deleteKeys(
  { target }: Pick<Layout, "target">,
  writer: Writer,
  keys: readonly Key[],
): Promise<void> {
  const { dialect, table } = target;
  for (const some of chunks(keys, 2_000)) {
    const whole = some.map((key) => key.map((part) => part ?? ""));
    await writer.rows({
      what: "deletion of rows",
      sql: sql`DELETE FROM ${dialect.table(table)} WHERE ${dialect.keyIn(target.key, whole)}`,
    });
  }
}

function valuesOf({ written }: Layout, source: SourceRow): Row {
  return written.map((c, i) => {
    const text = source.written[i] ?? null;
    return text === null ? null : targetText(text, c.as, c.target, c.zones.target);
  });
}

function keyImages({ images, key }: Layout, target: TargetRow): Row {
  return key.map((k) => target.images[images.findIndex((c) => c.name === k.name)] ?? null);
}

/** Looks at what was written, in the same transaction; fingerprints of the images by key. */
async function readBack(
  { layout }: BatchContext,
  writer: Writer,
  written: readonly Judged[],
  deletes: readonly Judged[],
): Promise<ReadonlyMap<string, string>> {
  const { plan } = layout;
  const keys = [...written, ...deletes].map((j) => j.item.key);
  const now = await readTarget(writer, writer.write, layout, keys, false);
  const wrong: Refused[] = [];
  const after = new Map<string, string>();
  for (const { item, source } of written) {
    const id = keyIdentity(item.key);
    const row = now.get(id);
    if (row === undefined) wrong.push({ key: item.key, reason: "the target does not hold it after it was written" });
    else {
      const unlike = plan.columns
        .filter((c, i) => !c.same(source?.compared[i] ?? null, row.compared[i] ?? null))
        .map((c) => c.pair.target);
      if (unlike.length > 0)
        wrong.push({
          key: item.key,
          reason: `the target keeps another value than the one written in ${unlike.join(", ")}: it cannot hold it, or a trigger changed it`,
        });
      else after.set(id, fingerprint(row.images));
    }
  }
  for (const { item } of deletes)
    if (now.has(keyIdentity(item.key)))
      wrong.push({ key: item.key, reason: "the target still holds it after it was deleted" });
  if (wrong.length > 0) throw new NotAsWritten(wrong);
  return after;
}

/** What tells two states of a row apart, without holding its values. */
export function fingerprint(images: Row): string {
  return createHash("sha256").update(JSON.stringify(images)).digest("base64url");
}
