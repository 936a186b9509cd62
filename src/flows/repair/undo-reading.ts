import { RefusedError, UsageError } from "../../domain/errors.ts";
import { keyIdentity } from "../../domain/key.ts";
import { readUndoLine, type UndoHeader, type UndoRow } from "../../repair/undo-log.ts";
import type { RepairWorld } from "./ports.ts";

/** One attempt at a batch, and where its rows stand in the log. */
export type Batch = { readonly n: number; readonly from: number; to: number; committed: boolean };
/** A repair's undo log as it is read. */
export type Log = {
  readonly header: UndoHeader;
  readonly batches: readonly Batch[];
  /** Keys of batches that are not known to be committed: few, since each is followed by another start. */
  readonly unsure: ReadonlySet<string>;
  rows(batch: Batch): readonly UndoRow[];
};

/** Where the batches of a repair's log lie; their rows are read when their turn comes. */
export function openLog(id: string, world: RepairWorld): Log {
  if (!/^[\w-]+$/.test(id))
    throw new UsageError(`${JSON.stringify(id)} is no id of a repair`, {
      hint: "a repair says its id when it ends: `tidemark undo ID`",
    });
  const lines = world.files.read("undo", id);
  if (lines === null)
    throw new UsageError(`there is no undo log ${world.files.path("undo", id)}`, {
      hint: "a repair that wrote nothing has none; is `reports` in tidemark.yaml the folder it wrote to?",
    });
  let header: UndoHeader | null = null;
  const batches: Batch[] = [];
  for (const { text, from, to } of lines) {
    const line = readUndoLine(text);
    if (line === null)
      throw new RefusedError(`${world.files.path("undo", id)} is damaged at byte ${from}`, {
        hint: "nothing was written",
      });
    if ("tidemark_undo" in line) header = line;
    else if ("committed" in line) {
      const batch = batches.find((b) => b.n === line.committed);
      if (batch !== undefined) batch.committed = true;
    } else {
      const last = batches.at(-1);
      if (last?.n === line.batch) last.to = to;
      else batches.push({ n: line.batch, from, to, committed: false });
    }
  }
  if (header === null) throw new UsageError(`${world.files.path("undo", id)} holds no repair`);
  const rowsOf = ({ from, to, n }: Batch): readonly UndoRow[] => {
    const rows: UndoRow[] = [];
    for (const line of world.files.read("undo", id, from) ?? []) {
      if (line.from >= to) break;
      const row = readUndoLine(line.text);
      if (row !== null && "batch" in row && row.batch === n) rows.push(row);
    }
    return rows;
  };
  return {
    header,
    batches,
    unsure: new Set(batches.filter((b) => !b.committed).flatMap((b) => rowsOf(b).map((r) => keyIdentity(r.key)))),
    rows: rowsOf,
  };
}
