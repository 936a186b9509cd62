import type { RepairWorld } from "./ports.ts";
import type { UndoHeader, UndoRow } from "../../repair/undo-log.ts";

/** Writes a repair's undo log. Nothing is made before the first row. */
export interface UndoWriter extends Disposable {
  /** Rows of one attempt at a batch; durable when this returns. */
  log(rows: readonly Omit<UndoRow, "batch">[]): void;
  /** The batch logged last is committed. */
  committed(): void;
  /** Whether anything has ever been logged. */
  readonly used: boolean;
}

/** `batch`: the number of the next one. */
export function undoWriter(header: UndoHeader, batch: number, files: RepairWorld["files"]): UndoWriter {
  const lines = files.append("undo", header.id);
  let next = batch;
  let logged: number | null = null;
  let used = !lines.fresh;
  return {
    get used() {
      return used;
    },
    log(rows) {
      const written = rows.map((row) => JSON.stringify({ batch: next, ...row } satisfies UndoRow));
      lines.write(used ? written : [JSON.stringify(header), ...written]);
      lines.sync();
      used = true;
      logged = next++;
    },
    committed() {
      if (logged !== null) lines.write([JSON.stringify({ committed: logged })]);
      logged = null;
    },
    [Symbol.dispose]() {
      lines[Symbol.dispose]();
    },
  };
}
