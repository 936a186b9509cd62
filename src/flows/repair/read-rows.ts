import { createHash } from "node:crypto";
import { canonicalOfPrinted } from "../../compare/reference.ts";
import type { Key } from "../../domain/key.ts";
import { keyIdentity } from "../../domain/key.ts";
import type { Copy } from "../../domain/difference.ts";
import type { ColumnInfo } from "../../domain/table.ts";
import { type BoundCursor, positionOf } from "../../sql/cursor.ts";
import type { BoundColumn, Dialect } from "../../sql/dialect.ts";
import { keysCondition, type SideSpec } from "../../sql/side.ts";
import type { Row, Session } from "../../sql/session.ts";
import { allOf, raw, type Sql, sql } from "../../sql/statement.ts";
import type { WriteDialect } from "../../sql/write-dialect.ts";
import type { Layout } from "./layout.ts";

/** A row of the source as a batch reads it. */
export type SourceRow = {
  readonly key: Key;
  readonly copy: Copy /** As it is compared, in the plan's order. */;
  readonly compared: Row /** As it is written, in the layout's order. */;
  readonly written: Row;
};

/**
 * A row of the target as a batch finds it: its images while it is locked, its fingerprint where it is looked at again. `inside`: the
 * check's own `where` holds for it.
 */
export type TargetRow = {
  readonly key: Key;
  readonly copy: Copy;
  readonly compared: Row;
  readonly images: Row;
  readonly fingerprint: string;
  readonly inside: boolean;
};

/** Keys of one statement: some servers bind each part of each. */
const KEYS_AT_ONCE = 2_000;

/** Reads the source's rows of these keys, under its `where`, by identity of their keys. */
export async function readSource(
  session: Session,
  layout: Layout,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, SourceRow>> {
  const { source, written } = layout;
  const select = selection(source.dialect);
  const of = rowReader(layout, "source", select);
  const texts = written.map((c) => select.text({ info: c.source, as: c.as, zone: c.zones.source, rounding: "cut" }));
  const found = new Map<string, SourceRow>();
  const own = source.where === null ? null : raw(`${source.where}\n`);
  for (const some of chunks(keys, KEYS_AT_ONCE)) {
    const statement = sql`SELECT ${select.columns} FROM ${source.dialect.table(source.table)} WHERE ${allOf([own, keysCondition(source, some)])}`;
    for (const row of await session.rows({ what: "rows of the source", sql: statement }))
      found.set(keyIdentity(of.key(row)), {
        key: of.key(row),
        copy: of.copy(row),
        compared: of.compared(row),
        written: texts.map((at) => at(row)),
      });
  }
  return found;
}

/** Reads the target's rows of these keys, whatever its `where` says of them. `lock`: nobody else changes them until the transaction ends. */
export async function readTarget(
  session: Session,
  write: WriteDialect,
  layout: Layout,
  keys: readonly Key[],
  why: "lock" | "look back",
): Promise<ReadonlyMap<string, TargetRow>> {
  const { target, images } = layout;
  const select = selection(target.dialect);
  const of = rowReader(layout, "target", select);
  const own = why === "lock" ? null : write.fingerprint(images);
  const mark = own === null ? null : select.column(own);
  const kept = mark === null ? images.map((column: ColumnInfo) => select.column(write.image(column))) : [];
  const inside =
    target.where === null ? null : select.column(sql`CASE WHEN (${raw(`${target.where}\n`)}) THEN '1' ELSE '0' END`);
  const found = new Map<string, TargetRow>();
  for (const some of chunks(keys, KEYS_AT_ONCE)) {
    const statement = sql`SELECT ${select.columns} FROM ${target.dialect.table(target.table)} WHERE ${keysCondition(target, some)} ${why === "lock" ? write.lockRows : raw("")}`;
    for (const row of await session.rows({ what: "rows of the target", sql: statement })) {
      const printed = kept.map((at) => at(row));
      found.set(keyIdentity(of.key(row)), {
        key: of.key(row),
        copy: of.copy(row),
        compared: of.compared(row),
        images: printed,
        fingerprint: why === "lock" ? "" : (mark?.(row) ?? fingerprintOf(printed)),
        inside: inside === null || inside(row) === "1",
      });
    }
  }
  return found;
}

/** A row's images, and its fingerprints: as made of them, and the server's own where it has one. */
export type ImagedRow = { readonly images: Row; readonly fingerprints: readonly string[] };

/** As `readTarget`, of images and fingerprints alone. */
export async function readImages(
  session: Session,
  write: WriteDialect,
  target: SideSpec,
  columns: readonly ColumnInfo[],
  keys: readonly Key[],
  lock: boolean,
): Promise<ReadonlyMap<string, ImagedRow>> {
  const select = selection(target.dialect);
  const key = target.key.map((c) => select.text(c));
  const kept = columns.map((column) => select.column(write.image(column)));
  const own = write.fingerprint(columns);
  const mark = own === null ? null : select.column(own);
  const found = new Map<string, ImagedRow>();
  for (const some of chunks(keys, KEYS_AT_ONCE)) {
    const statement = sql`SELECT ${select.columns} FROM ${target.dialect.table(target.table)} WHERE ${keysCondition(target, some)} ${lock ? write.lockRows : raw("")}`;
    for (const row of await session.rows({ what: "rows of the target", sql: statement })) {
      const images = kept.map((at) => at(row));
      const printed = mark?.(row) ?? null;
      found.set(keyIdentity(key.map((at) => at(row))), {
        images,
        fingerprints: printed === null ? [fingerprintOf(images)] : [printed, fingerprintOf(images)],
      });
    }
  }
  return found;
}

/** What tells two states of a row apart, without holding its values; where the server has no fingerprint of its own. */
function fingerprintOf(images: Row): string {
  return createHash("sha256").update(JSON.stringify(images)).digest("base64url");
}

type Pick = (row: Row) => string | null;

/** Columns of a SELECT, each expression once: most texts are wanted for more than one end. */
function selection(dialect: Dialect): {
  readonly columns: Sql[];
  column(expression: Sql): Pick;
  text(column: BoundColumn): Pick;
} {
  const columns: Sql[] = [];
  const known = new Map<string, number>();
  const column = (expression: Sql): Pick => {
    const id = JSON.stringify(expression.parts);
    let at = known.get(id);
    if (at === undefined) {
      at = columns.length;
      columns.push(expression);
      known.set(id, at);
    }
    const index = at;
    return (row) => row[index] ?? null;
  };
  return {
    columns,
    column,
    text(bound) {
      const said = dialect.text(bound);
      if (said !== null) return column(said);
      const printed = column(dialect.printed(bound.info));
      return (row) => {
        const text = printed(row);
        return text === null
          ? null
          : canonicalOfPrinted(text, bound.as, { kind: bound.info.kind, zone: bound.zone, rounding: bound.rounding });
      };
    },
  };
}

function rowReader(
  layout: Layout,
  side: "source" | "target",
  select: ReturnType<typeof selection>,
): { key(row: Row): Key; copy(row: Row): Copy; compared(row: Row): Row } {
  const spec: SideSpec = layout[side];
  const cursor: BoundCursor | null = layout.open.cursors[side];
  const key = spec.key.map((c) => select.text(c));
  const [cursorColumn, versionColumn] = spec.copy;
  const cursorText = cursorColumn ? select.text(cursorColumn) : null;
  const versionText = versionColumn ? select.text(versionColumn) : null;
  const compared = spec.values.map((c) => select.text(c));
  return {
    key: (row) => key.map((at) => at(row)),
    copy: (row) => ({
      cursor: cursor === null || cursorText === null ? null : positionOf(cursorText(row), cursor),
      version: versionText?.(row) ?? null,
      arrival: null,
      loaded: null,
    }),
    compared: (row) => compared.map((at) => at(row)),
  };
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}
