import type { Kind } from "../../domain/kind.ts";
import type { ColumnInfo } from "../../domain/table.ts";
import type { DeclaredColumn, Flavour } from "./flavour.ts";

/** A column with what the dialect must know beyond its kind. */
export type MysqlColumn = ColumnInfo & { readonly charset: string | null; readonly collation: string | null };

/** The character set of a column of this engine; null: it has none, or the column is none of ours. */
export function charsetOf(column: ColumnInfo): string | null {
  return "charset" in column && typeof column.charset === "string" ? column.charset : null;
}

/** The collation of a column of this engine; null as for `charsetOf`. */
export function collationOf(column: ColumnInfo): string | null {
  return "collation" in column && typeof column.collation === "string" ? column.collation : null;
}

const BITS: Readonly<Record<string, bigint>> = { tinyint: 8n, smallint: 16n, mediumint: 24n, int: 32n, bigint: 64n };
const BLOBS: Readonly<Record<string, bigint>> = {
  tinyblob: 255n,
  blob: 65_535n,
  mediumblob: 16_777_215n,
  longblob: 4_294_967_295n,
};
const TEXTS = new Set(["tinytext", "text", "mediumtext", "longtext"]);

/** What a declared column holds. */
export function kindOf(column: DeclaredColumn, flavour: Flavour): Kind {
  return flavour.kindOf(column) ?? numberKind(column) ?? timeKind(column) ?? stringKind(column) ?? otherKind(column);
}

function numberKind({ dataType, columnType, precision, scale }: DeclaredColumn): Kind | null {
  const bits = BITS[dataType];
  if (bits !== undefined) {
    // The display width 1 is what BOOL and BOOLEAN declare.
    if (columnType === "tinyint(1)") return { kind: "boolean", small: true };
    return columnType.includes("unsigned")
      ? { kind: "integer", min: 0n, max: 2n ** bits - 1n }
      : { kind: "integer", min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
  }
  switch (dataType) {
    case "year":
      return { kind: "integer", min: 0n, max: 2155n };
    case "bit":
      return precision === 1
        ? { kind: "boolean", small: true }
        : { kind: "integer", min: 0n, max: 2n ** BigInt(precision ?? 64) - 1n };
    case "decimal":
      return { kind: "decimal", precision, scale };
    case "float":
      return { kind: "float", bits: 32 };
    case "double":
      return { kind: "float", bits: 64 };
    default:
      return null;
  }
}

function timeKind({ dataType, timePrecision: precision }: DeclaredColumn): Kind | null {
  switch (dataType) {
    case "date":
      return { kind: "date" };
    case "time":
      return { kind: "time", precision, zoned: false, signed: true };
    case "datetime":
      return { kind: "local", precision };
    case "timestamp":
      return { kind: "instant", precision };
    default:
      return null;
  }
}

function stringKind(column: DeclaredColumn): Kind | null {
  const { dataType, characters, bytes, charset, collation } = column;
  const text = (length: bigint | null, limit: bigint | null, padded = false): Kind => ({
    kind: "text",
    length: length === null ? null : Number(length),
    bytes: limit,
    padded,
    binary: isBinary(collation) && dataType !== "enum" && dataType !== "set",
    characters: charactersOf(charset),
  });
  if (TEXTS.has(dataType)) return text(null, bytes);
  switch (dataType) {
    case "char":
      return text(characters, null, true);
    case "varchar":
      return text(characters, null);
    case "enum":
    case "set":
      return text(characters, null);
    case "json":
      return { kind: "json", normalized: true };
    case "binary":
    case "varbinary":
      return { kind: "bytes", length: bytes, padded: dataType === "binary" };
    default: {
      const limit = BLOBS[dataType];
      return limit === undefined ? null : { kind: "bytes", length: limit, padded: false };
    }
  }
}

function otherKind({ dataType, columnType }: DeclaredColumn): Kind {
  return { kind: "other", family: "mysql", type: dataType === "" ? columnType : dataType };
}

/**
 * Whether a collation orders texts by their bytes. Most of those called `_bin` do not: they pad, so that `a` equals `a `, and a
 * tab, which stands below the blank, comes before the end of a text.
 */
function isBinary(collation: string | null): boolean {
  return collation !== null && /^binary$|_nopad_bin$|_0900_bin$/.test(collation);
}

function charactersOf(charset: string | null): "all" | "bmp" | "latin1" | "ascii" {
  switch (charset) {
    case "utf8mb4":
    case "utf16":
    case "utf16le":
    case "utf32":
    case "gb18030":
      return "all";
    case "utf8mb3":
    case "utf8":
    case "ucs2":
      return "bmp";
    case "latin1":
      return "latin1";
    default:
      // Of the others only this much is sure.
      return "ascii";
  }
}

/** Character sets whose bytes are those of UTF-8. */
const UTF8 = new Set(["utf8mb4", "utf8mb3", "utf8", "ascii"]);

/** Whether a collation compares character by character by code points, padded or not, and the code points by their UTF-8 bytes. */
export function isCodePoints(column: ColumnInfo): boolean {
  return (collationOf(column) ?? "").endsWith("_bin") && UTF8.has(charsetOf(column) ?? "");
}

/** Whether an index on the column is in the order of its UTF-8 bytes (numbers and times: of their values). */
export function isByteOrdered(column: MysqlColumn): boolean {
  switch (column.kind.kind) {
    case "text":
      return column.kind.binary && UTF8.has(column.charset ?? "");
    // MariaDB orders uuids by their parts; JSON and the others have no order that two engines share.
    case "uuid":
    case "json":
    case "other":
      return false;
    default:
      return true;
  }
}
