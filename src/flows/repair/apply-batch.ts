import { must } from "../../domain/errors.ts";
import { type Key, keyIdentity } from "../../domain/key.ts";
import { NO_COUNTS, type RepairCounts } from "../../domain/repair.ts";
import type { Decision } from "../../repair/decide.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { Writer } from "../../sql/writer.ts";
import { type Refused, UnsureCommit } from "./batch-failures.ts";
import type { Bulk, BulkRows } from "./bulk.ts";
import { type Judged, judge } from "./judge-row.ts";
import type { Layout } from "./layout.ts";
import { readBack } from "./read-back.ts";
import { readSource, readTarget, type SourceRow } from "./read-rows.ts";
import type { UndoWriter } from "./undo-writer.ts";
import type { WorkItem } from "./work.ts";
import { writeRows } from "./write-rows.ts";

/** What a batch works with. */
export type BatchContext = {
  readonly layout: Layout;
  readonly facts: WriteFacts;
  readonly shape: StageShape;
  readonly deletes: boolean;
};

/** Where rows are made durable before they are committed. */
export type UndoLines = Pick<UndoWriter, "log" | "logInserted">;

/** A batch that was done: what became of its rows, and those that no transaction was needed to refuse. */
export type BatchDone = {
  readonly counts: RepairCounts;
  readonly refused: readonly Refused[];
  readonly wrote: boolean;
};

/** The source's rows of a batch, by identity of their keys. */
export type Sources = ReadonlyMap<string, SourceRow>;

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
  undo: UndoLines,
  writer: Writer,
  items: readonly WorkItem[],
  sources: Sources,
): Promise<BatchDone> {
  return must(
    await inTransaction(writer, async () => await rowByRow(context, undo, writer, items, sources)),
    "a batch that is looked at row by row comes to its end",
  );
}

/**
 * One batch of rows that the target is thought to lack, in one transaction: insert, read back and compare, make the undo log durable,
 * commit. Null: some row is not like that, and nothing was done. Throws as `applyBatch`, but for `NotAsWritten`. `meanwhile` is called while
 * the target is busy with the rows.
 */
export async function applyBulk(
  bulk: Bulk,
  undo: UndoLines,
  writer: Writer,
  items: readonly WorkItem[],
  rows: BulkRows,
  meanwhile: () => void,
): Promise<BatchDone | null> {
  return await inTransaction(writer, async () => {
    const fingerprints = await bulk.insert(writer, items, rows, meanwhile);
    if (fingerprints === null) return null;
    undo.logInserted(
      items.map((item) => item.key),
      fingerprints,
    );
    return { counts: { ...NO_COUNTS, inserted: BigInt(items.length), batches: 1n }, refused: [], wrote: true };
  });
}

/** Commits what `work` did, and rolls back where it gives null or throws. */
async function inTransaction(writer: Writer, work: () => Promise<BatchDone | null>): Promise<BatchDone | null> {
  let committing: RepairCounts | null = null;
  await writer.begin();
  try {
    const done = await work();
    if (done === null) {
      await writer.rollback();
      return null;
    }
    committing = done.counts;
    await writer.commit();
    return done;
  } catch (error) {
    await writer.rollback();
    if (committing !== null && writer.broken) throw new UnsureCommit(committing, error);
    throw error;
  }
}

async function rowByRow(
  context: BatchContext,
  undo: UndoLines,
  writer: Writer,
  items: readonly WorkItem[],
  sources: Sources,
): Promise<BatchDone> {
  const { layout } = context;
  const whole = items.filter((i) => isWhole(i.key));
  const refused: Refused[] = items
    .filter((i) => !isWhole(i.key))
    .map((i) => ({ key: i.key, reason: "its key holds NULL, which no unique index tells apart" }));
  const targets = await readTarget(
    writer,
    writer.write,
    layout,
    whole.map((i) => i.key),
    "lock",
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
  const wrote = written.length + deletes.length > 0;
  if (wrote) {
    await writeRows(context, writer, inserts, updates, deletes);
    const after = await readBack(layout, writer, written, deletes);
    undo.log([
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
  return { counts, refused, wrote };
}

const isWhole = (key: Key): boolean => key.every((part) => part !== null);
