import { InterruptedError, must, StatementError } from "../../domain/errors.ts";
import { keyIdentity } from "../../domain/key.ts";
import { keyJson } from "../../domain/key-bounds.ts";
import type { UndoCounts, UndoReport } from "../../domain/repair.ts";
import { formatTableName } from "../../domain/table.ts";
import { decideUndo, isSame, type UndoDecision } from "../../repair/decide-undo.ts";
import type { UndoRow } from "../../repair/undo-log.ts";
import type { StageShape } from "../../sql/write-dialect.ts";
import type { StagedRow, Writer } from "../../sql/writer.ts";
import { NotAsWritten, type Refused } from "./batch-failures.ts";
import type { RepairWorld } from "./ports.ts";
import { readImages } from "./read-rows.ts";
import type { TargetLink } from "./target-link.ts";
import type { Log } from "./undo-reading.ts";
import type { Setting } from "./undo-setting.ts";
import { deleteKeys } from "./write-rows.ts";

/** `repeated`: a newer batch has spoken for the row. */
type Judged = { readonly row: UndoRow; readonly decision: UndoDecision | "repeated" };

const REASONS = { changed: "it has changed since the repair" } as const;
const SHOWN = 20;

/** An undo while it goes on; without a link it only looks. */
export class Undoing {
  readonly #s: Setting;
  readonly #log: Log;
  readonly #world: RepairWorld;
  readonly #link: TargetLink | null;
  readonly #counts = { removed: 0n, restored: 0n, reinserted: 0n, untouched: 0n, leftAlone: 0n };
  readonly #shown: Refused[] = [];
  /** Keys of batches that are not known to be committed and that a newer batch holds, too: it began anew where that one was cut off. */
  readonly #later = new Set<string>();

  constructor(setting: Setting, log: Log, world: RepairWorld, link: TargetLink | null) {
    this.#s = setting;
    this.#log = log;
    this.#world = world;
    this.#link = link;
  }

  async run(writer: Writer): Promise<void> {
    const { header } = this.#s;
    let done = 0n;
    for (const batch of this.#log.batches.toReversed()) {
      if (this.#world.signal.aborted) throw new InterruptedError();
      const rows = this.#log.rows(batch);
      if (this.#link === null) this.#tally(await this.#judge(writer, rows, false));
      else await this.#undo(rows);
      for (const { key } of rows) if (this.#log.unsure.has(keyIdentity(key))) this.#later.add(keyIdentity(key));
      done += BigInt(rows.length);
      this.#world.progress.rows(header.check, done, null);
    }
  }

  report(applied: boolean, stopped: string | null): UndoReport {
    const { header, table } = this.#s;
    const kinds = header.key.map((k) => k.as);
    const counts: UndoCounts = { ...this.#counts };
    return {
      id: header.id,
      check: header.check,
      connection: header.connection,
      table: formatTableName(table.name),
      counts,
      applied,
      stopped,
      leftAlone: this.#shown.map(({ key, reason }) => ({
        key: Object.fromEntries(keyJson(key, kinds).map((part, i) => [header.key[i]?.column ?? "", part])),
        reason,
      })),
    };
  }

  /** A row of an attempt that is not known to be committed, and that a newer batch holds, too. */
  #isRepeated(row: UndoRow): boolean {
    return this.#later.has(keyIdentity(row.key)) && this.#log.batches.some((b) => b.n === row.batch && !b.committed);
  }

  async #judge(writer: Writer, rows: readonly UndoRow[], lock: boolean): Promise<readonly Judged[]> {
    const now = await this.#images(writer, rows, lock);
    return rows.map((row) => {
      const decision = decideUndo(row, now.get(keyIdentity(row.key)) ?? null);
      // Whoever only looks finds what the newer batch left; undoing it shows whether this attempt was committed, or never happened.
      const heeded =
        this.#link !== null && (decision === "remove" || decision === "restore" || decision === "reinsert");
      return { row, decision: !heeded && this.#isRepeated(row) ? "repeated" : decision };
    });
  }

  /** What the target holds of these rows now. */
  async #images(writer: Writer, rows: readonly UndoRow[], lock: boolean): ReturnType<typeof readImages> {
    const { target, shape } = this.#s;
    const keys = rows.map((r) => r.key);
    return await readImages(writer, writer.write, target, shape.columns, keys, lock);
  }

  #tally(judged: readonly Judged[]): void {
    for (const { row, decision } of judged) {
      if (decision === "remove") this.#counts.removed++;
      else if (decision === "restore") this.#counts.restored++;
      else if (decision === "reinsert") this.#counts.reinserted++;
      else if (decision === "nothing") this.#counts.untouched++;
      else if (decision === "changed") this.#leave({ key: row.key, reason: REASONS.changed });
    }
  }

  #leave(refused: Refused): void {
    this.#counts.leftAlone++;
    if (this.#shown.length < SHOWN) this.#shown.push(refused);
  }

  /** One batch of the log, or the halves of one that the target refuses, down to the rows that cannot be put back. */
  async #undo(rows: readonly UndoRow[]): Promise<void> {
    if (rows.length === 0) return;
    const link = must(this.#link, "an undo that writes has a link");
    try {
      this.#tally(await link.retrying((writer) => this.#transaction(writer, rows)));
    } catch (error) {
      if (error instanceof NotAsWritten) {
        const bad = new Set(error.rows.map((r) => keyIdentity(r.key)));
        for (const refused of error.rows) this.#leave(refused);
        await this.#undo(rows.filter((r) => !bad.has(keyIdentity(r.key))));
        return;
      }
      if (!(error instanceof StatementError) || (await link.writer()).write.classify(error) !== "data") throw error;
      const [only] = rows;
      if (rows.length === 1 && only !== undefined) return this.#leave({ key: only.key, reason: error.message });
      const middle = Math.ceil(rows.length / 2);
      await this.#undo(rows.slice(0, middle));
      await this.#undo(rows.slice(middle));
    }
  }

  async #transaction(writer: Writer, rows: readonly UndoRow[]): Promise<readonly Judged[]> {
    const { target, shape, facts } = this.#s;
    await writer.begin();
    try {
      const judged = await this.#judge(writer, rows, true);
      const of = (decision: UndoDecision): readonly UndoRow[] =>
        judged.filter((j) => j.decision === decision).map((j) => j.row);
      const [removed, restored, reinserted] = [of("remove"), of("restore"), of("reinsert")];
      await deleteKeys(
        { target },
        writer,
        removed.map((r) => r.key),
      );
      const staged: StagedRow[] = [
        ...restored.map((r) => ({
          operation: "update" as const,
          key: keyOf(shape, r),
          values: must(r.before, "an overwritten row has a before-image"),
        })),
        ...reinserted.map((r) => ({
          operation: "insert" as const,
          key: null,
          values: must(r.before, "a deleted row has a before-image"),
        })),
      ];
      if (staged.length > 0) await writer.load(staged);
      const settable = { ...shape, columns: shape.columns };
      const update = restored.length === 0 ? null : writer.write.updateStaged(settable, facts);
      if (update !== null) await writer.rows({ what: "restoring of rows", sql: update });
      if (reinserted.length > 0)
        await writer.rows({ what: "insert of rows", sql: writer.write.insertStaged(shape, facts) });
      await this.#lookBack(writer, removed, [...restored, ...reinserted]);
      await writer.commit();
      return judged;
    } catch (error) {
      await writer.rollback();
      throw error;
    }
  }

  async #lookBack(writer: Writer, removed: readonly UndoRow[], back: readonly UndoRow[]): Promise<void> {
    if (removed.length + back.length === 0) return;
    const now = await this.#images(writer, [...removed, ...back], false);
    const wrong: Refused[] = [];
    for (const { key } of removed)
      if (now.has(keyIdentity(key))) wrong.push({ key, reason: "the target still holds it after it was removed" });
    for (const { key, before } of back) {
      const row = now.get(keyIdentity(key));
      if (row === undefined || !isSame(before, row.images))
        wrong.push({ key, reason: "the target does not keep it as it was: a trigger or the server changes it" });
    }
    if (wrong.length > 0) throw new NotAsWritten(wrong);
  }
}

function keyOf({ key, columns }: StageShape, row: UndoRow): readonly (string | null)[] {
  return key.map((k) => row.before?.[columns.findIndex((c) => c.name === k.name)] ?? null);
}
