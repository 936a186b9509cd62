import type { ColumnInfo } from "../../domain/table.ts";
import type { WriteForm } from "../../sql/write-dialect.ts";
import type { Stored } from "./canonical.ts";
import { hyphenated } from "./write-dialect.ts";

/**
 * A stored value as an image: SQLite keeps any value in any column, so the image says its storage class: `i` integer, `r` real, `t` text,
 * `b` blob in hex.
 */
export function imageOf(x: Stored): string {
  if (typeof x === "bigint") return `i${x}`;
  if (typeof x === "number") return `r${Object.is(x, -0) ? "-0" : x}`;
  return typeof x === "string" ? `t${x}` : `b${Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString("hex")}`;
}

/** The stored value of an image. */
export function ofImage(image: string): Stored {
  const rest = image.slice(1);
  switch (image[0]) {
    case "i":
      return BigInt(rest);
    case "r":
      return Number(rest);
    case "b":
      return Buffer.from(rest, "hex");
    default:
      return rest;
  }
}

/** How a value is stored that comes in this form; what is no value of the column's kind is stored as the text that it is. */
export function storedOf({ kind }: ColumnInfo, form: WriteForm): (text: string) => Stored {
  if (form === "image") return ofImage;
  switch (kind.kind) {
    case "integer":
    case "boolean":
      return (text) => (/^-?\d{1,19}$/.test(text) && isInt64(BigInt(text)) ? BigInt(text) : text);
    case "decimal":
      // The column's affinity makes a number of it where that loses nothing.
      return (text) => text;
    case "float":
      return (text) =>
        /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)
          ? Number(text)
          : text === "Infinity"
            ? Infinity
            : text === "-Infinity"
              ? -Infinity
              : text;
    case "bytes":
      return (text) => (/^([0-9a-f]{2})*$/.test(text) ? Buffer.from(text, "hex") : text);
    case "uuid":
      return hyphenated;
    default:
      return (text) => text;
  }
}

function isInt64(n: bigint): boolean {
  return n >= -(2n ** 63n) && n < 2n ** 63n;
}
