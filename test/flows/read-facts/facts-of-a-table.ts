import type { CursorUnit } from "../../../src/domain/check.ts";
import { columnNamed } from "../../../src/domain/table.ts";
import { bindCursor } from "../../../src/sql/cursor.ts";
import type { BoundColumn } from "../../../src/sql/dialect.ts";
import type { Database, Snapshot } from "../../../src/sql/session.ts";
import type { OpenSide } from "../../../src/flows/read-facts/open-side.ts";

/** A table's side as the program opens it: key `id`, cursor `x`. */
export async function sideOf(
  database: Database,
  snapshot: Snapshot,
  table: string,
  more: {
    readonly where?: string;
    readonly cursor?: string;
    readonly unit?: CursorUnit | null;
    readonly timezone?: string;
    readonly keys?: readonly string[];
  } = {},
): Promise<OpenSide> {
  const info = await database.describe({ schema: null, name: table });
  const column = columnNamed(info, more.cursor ?? "x");
  if (column === null) throw new Error("no cursor");
  const key = (more.keys ?? ["id"]).map((name): BoundColumn => {
    const found = columnNamed(info, name);
    if (found === null) throw new Error(name);
    return {
      info: found,
      as: found.kind.kind === "text" ? { as: "text" } : { as: "integer" },
      zone: "UTC",
      rounding: "cut",
    };
  });
  return {
    relation: { connection: "tested", table: info.name, where: more.where ?? null, timezone: more.timezone ?? null },
    snapshot,
    table: info,
    key,
    cursor: bindCursor(column, more.unit ?? null, more.timezone ?? null),
  };
}
