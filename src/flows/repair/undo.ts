import {
  InterruptedError,
  must,
  RefusedError,
  SchemaError,
  StatementError,
  TidemarkError,
  UsageError,
} from "../../domain/errors.ts";
import { keyIdentity } from "../../domain/key.ts";
import { keyJson } from "../../domain/key-bounds.ts";
import type { UndoCounts, UndoReport } from "../../domain/repair.ts";
import { columnNamed, formatTableName, type TableInfo } from "../../domain/table.ts";
import { decideUndo, isSame, type UndoDecision } from "../../repair/decide-undo.ts";
import { readUndoLine, type UndoHeader, type UndoRow } from "../../repair/undo-log.ts";
import type { SideSpec } from "../../sql/side.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { StagedRow, Writer } from "../../sql/writer.ts";
import { NotAsWritten, type Refused } from "./batch-failures.ts";
import type { RepairWorld } from "./ports.ts";
import { readImages } from "./read-rows.ts";
import { deleteKeys } from "./write-rows.ts";
import { linkTarget, lockName, type TargetLink } from "./target-link.ts";

/** What `tidemark undo` was asked for. */
export type UndoRequest = {
  readonly id: string;
  readonly apply: boolean;
  /** Asked before anything is written; false: leave it. */
  readonly confirm: (plan: UndoReport) => Promise<boolean>;
};

/** What an undo came to, and what of the world ended it. */
export type UndoOutcome = UndoReport & { readonly failure: TidemarkError | null };

/**
 * Puts back what a repair did, newest batch first: removes what it inserted, restores what it overwrote, inserts what it deleted. A row that
 * has changed since is left alone and said. Needs the target and the undo log only. Doing it twice does nothing the second time.
 */
export async function undoRepair(request: UndoRequest, world: RepairWorld): Promise<UndoOutcome> {
  const log = openLog(request.id, world);
  const { header } = log;
  // The writer first: where a repair was killed, it may be what mends the target's file, which a reader must leave as it is.
  const writer = await world.writers.open(header.connection);
  let handed = false;
  try {
    const database = await world.databases.open(header.connection);
    const table = await database.describe(header.table);
    const setting = await settingOf(header, table, writer);
    const planned = new Undoing(setting, log, world, null);
    await planned.run(writer);
    const plan = planned.report(false, null);
    const { removed, restored, reinserted } = plan.counts;
    const idle = removed + restored + reinserted === 0n;
    if (!request.apply || idle) return { ...plan, applied: request.apply, failure: null };
    if (!(await request.confirm(plan))) return { ...plan, failure: null };
    handed = true;
    await using link = await linkTarget(
      header.connection,
      lockName(table),
      writer,
      (fresh) => fresh.stage(setting.shape),
      world,
    );
    const undoing = new Undoing(setting, log, world, link);
    try {
      await undoing.run(writer);
      await forget(header, world);
      return { ...undoing.report(true, null), failure: null };
    } catch (error) {
      if (error instanceof InterruptedError || world.signal.aborted)
        return { ...undoing.report(true, "interrupted"), failure: null };
      if (!(error instanceof TidemarkError)) throw error;
      return { ...undoing.report(true, error.message), failure: error };
    }
  } finally {
    if (!handed) await writer[Symbol.asyncDispose]();
  }
}

/** A repair that was undone is not gone on with. */
async function forget({ check, id }: UndoHeader, world: RepairWorld): Promise<void> {
  const record = (await world.state.repairs(check)).find((r) => r.id === id);
  if (record !== undefined) await world.state.keepRepair({ ...record, status: "undone", updatedAt: world.clock.now() });
}

type Batch = { readonly n: number; readonly from: number; to: number; committed: boolean };
type Log = {
  readonly header: UndoHeader;
  readonly batches: readonly Batch[];
  /** Keys of batches that are not known to be committed: few, since each is followed by another start. */
  readonly unsure: ReadonlySet<string>;
  rows(batch: Batch): readonly UndoRow[];
};

/** Where the batches of a repair's log lie; their rows are read when their turn comes. */
function openLog(id: string, world: RepairWorld): Log {
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

type Setting = {
  readonly header: UndoHeader;
  readonly table: TableInfo;
  readonly target: SideSpec;
  readonly shape: StageShape;
  readonly facts: WriteFacts;
};

/** The table as the log knows it; a `RefusedError` where it has changed so that its rows cannot be put back exactly. */
async function settingOf(header: UndoHeader, table: TableInfo, writer: Writer): Promise<Setting> {
  const here = table.columns.filter((c) => !c.generated);
  const then = new Map(header.columns.map((c) => [c.name, c.type]));
  const changed = [
    ...header.columns.filter((c) => !here.some((h) => h.name === c.name)).map((c) => c.name),
    ...here.filter((h) => then.get(h.name) !== h.type).map((h) => h.name),
  ];
  if (changed.length > 0)
    throw new RefusedError(
      `${formatTableName(table.name)} has changed since the repair ${header.id}: ${[...new Set(changed)].join(", ")}`,
      { hint: "rows cannot be put back exactly into other columns; the undo log holds them as JSON" },
    );
  const columns = header.columns.map((c) => must(columnNamed(table, c.name), "the column is there"));
  const key = header.key.map(({ column, as, zone }) => {
    const info = columnNamed(table, column);
    if (info === null)
      throw new SchemaError(
        `${formatTableName(table.name)} has no column ${column}, which the repair's key was made of`,
      );
    return { info, as, zone, rounding: "cut" as const };
  });
  const { dialect } = writer;
  const target: SideSpec = {
    dialect,
    table,
    where: null,
    scope: null,
    keyScope: null,
    key,
    digested: [],
    streamed: [],
    values: [],
    copy: [null, null, null],
    digest: null,
  };
  const facts = await writer.facts(table, columns, true);
  if (facts.readOnly !== null)
    throw new RefusedError(`${formatTableName(table.name)} cannot be written to: ${facts.readOnly}`);
  const [lack] = facts.lacking;
  if (lack !== undefined)
    throw new RefusedError(
      `the connection's user lacks ${lack.privilege} on ${formatTableName(table.name)}\n  cure: ${lack.cure}`,
      { hint: "nothing was written" },
    );
  return { header, table, target, shape: { table, key: key.map((k) => k.info), columns, form: "image" }, facts };
}

/** `repeated`: a newer batch has spoken for the row. */
type Judged = { readonly row: UndoRow; readonly decision: UndoDecision | "repeated" };

const REASONS = { changed: "it has changed since the repair" } as const;
const SHOWN = 20;

/** An undo while it goes on; without a link it only looks. */
class Undoing {
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
    const { target, shape } = this.#s;
    const now = await readImages(
      writer,
      writer.write,
      target,
      shape.columns,
      rows.map((r) => r.key),
      lock,
    );
    return rows.map((row) => {
      const decision = decideUndo(row, now.get(keyIdentity(row.key)) ?? null);
      // Whoever only looks finds what the newer batch left; undoing it shows whether this attempt was committed, or never happened.
      const heeded =
        this.#link !== null && (decision === "remove" || decision === "restore" || decision === "reinsert");
      return { row, decision: !heeded && this.#isRepeated(row) ? "repeated" : decision };
    });
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
    const { target, shape } = this.#s;
    const now = await readImages(
      writer,
      writer.write,
      target,
      shape.columns,
      [...removed, ...back].map((r) => r.key),
      false,
    );
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
