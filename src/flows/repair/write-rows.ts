import { must } from "../../domain/errors.ts";
import type { Key } from "../../domain/key.ts";
import type { Row } from "../../sql/session.ts";
import { sql } from "../../sql/statement.ts";
import { targetText } from "../../sql/target-text.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { StagedRow, Writer } from "../../sql/writer.ts";
import type { Judged } from "./judge-row.ts";
import type { Layout } from "./layout.ts";
import { chunks, type SourceRow, type TargetRow } from "./read-rows.ts";

/** Writes a batch's rows into the target: stages what is inserted and updated, then deletes, updates and inserts. */
export async function writeRows(
  { layout, facts, shape }: { readonly layout: Layout; readonly facts: WriteFacts; readonly shape: StageShape },
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
