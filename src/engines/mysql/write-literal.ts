import type { ColumnInfo } from "../../domain/table.ts";
import type { WriteForm } from "../../sql/write-dialect.ts";
import { literal } from "./literal.ts";
import { hyphenated } from "./value.ts";

/** A value as it stands in a multi-row INSERT into a column of this type; what is no value of it is left to the server to refuse. */
export type WriteLiteral = (text: string | null) => string;

/** How the values of a column are written. */
export function writeLiteral({ kind, type }: ColumnInfo, form: WriteForm): WriteLiteral {
  switch (kind.kind) {
    case "integer":
    case "boolean":
    case "decimal":
      // As a number: '5' would set the bits of the character in a BIT, and 0 is another YEAR than '0'.
      return (text) => (text !== null && NUMBER.test(text) && text.length <= 66 ? text : literal(text));
    case "float":
      return (text) => (text !== null && FLOAT.test(text) ? text.replace(/^(-?\d+)$/, "$1e0") : literal(text));
    case "bytes":
      return hex;
    case "uuid":
      return (text) => literal(text === null ? null : hyphenated(text));
    case "other":
      return form === "image" && !PRINTABLE.test(type) ? hex : literal;
    default:
      return literal;
  }
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const FLOAT = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/;
/** Types without a kind of their own that print as texts (`text.ts`). */
const PRINTABLE = /^(inet4|inet6|uuid|xmltype)$/;

function hex(text: string | null): string {
  return text !== null && /^([0-9a-fA-F]{2})*$/.test(text) ? `X'${text}'` : literal(text);
}
