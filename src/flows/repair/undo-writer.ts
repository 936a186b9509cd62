import type { RepairWorld } from "./ports.ts";
import type { Key } from "../../domain/key.ts";
import type { UndoHeader, UndoRow } from "../../repair/undo-log.ts";

/** Writes a repair's undo log. Nothing is made before the first row. */
export interface UndoWriter extends Disposable {
  /** Rows of one attempt at a batch; durable when this returns. */
  log(rows: readonly Omit<UndoRow, "batch">[]): void;
  /** The same of rows that were inserted, with their fingerprints. */
  logInserted(keys: readonly Key[], fingerprints: readonly string[]): void;
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
  const keep = (written: readonly string[]): void => {
    lines.write(used ? written : [JSON.stringify(header), ...written]);
    lines.sync();
    used = true;
    logged = next++;
  };
  return {
    get used() {
      return used;
    },
    log(rows) {
      keep(rows.map((row) => JSON.stringify({ batch: next, ...row } satisfies UndoRow)));
    },
    logInserted(keys, fingerprints) {
      // As `log` would write them, which takes several times as long; and nothing is committed before they are written.
      const begin = `{"batch":${next},"op":"i","key":`;
      keep(
        keys.map(
          (key, i) =>
            `${begin}${JSON.stringify(key)},"before":null,"after":${JSON.stringify(fingerprints[i] ?? null)}}`,
        ),
      );
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
