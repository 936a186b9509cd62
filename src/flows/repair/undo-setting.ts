import { must, RefusedError, SchemaError } from "../../domain/errors.ts";
import { columnNamed, formatTableName, type TableInfo } from "../../domain/table.ts";
import type { UndoHeader } from "../../repair/undo-log.ts";
import type { SideSpec } from "../../sql/side.ts";
import type { StageShape, WriteFacts } from "../../sql/write-dialect.ts";
import type { Writer } from "../../sql/writer.ts";

/** The table that an undo writes to, as the repair's log knows it. */
export type Setting = {
  readonly header: UndoHeader;
  readonly table: TableInfo;
  readonly target: SideSpec;
  readonly shape: StageShape;
  readonly facts: WriteFacts;
};

/** The table as the log knows it; a `RefusedError` where it has changed so that its rows cannot be put back exactly. */
export async function settingOf(header: UndoHeader, table: TableInfo, writer: Writer): Promise<Setting> {
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
