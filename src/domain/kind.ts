/**
 * What a column holds, whatever its engine calls it. An engine says it of each column (`ColumnInfo.kind`); `compare/agree.ts`
 * brings two of them to one `AgreedKind`, which decides the one text form that both sides print.
 */
export type Kind =
  | {
      readonly kind: "integer" /** Smallest and largest value that the declared type holds. */;
      readonly min: bigint;
      readonly max: bigint;
    }
  /** `precision`/`scale` null: unbounded. */
  | { readonly kind: "decimal"; readonly precision: number | null; readonly scale: number | null }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  /** `small`: an integer type that stands for a boolean by convention (TINYINT(1)); it can hold other digits than 0 and 1. */
  | { readonly kind: "boolean"; readonly small: boolean }
  /**
   * `length` in characters, null: unbounded. `bytes`: a bound in bytes (MySQL's TEXT family), null: none. `padded`: CHAR(n), whose
   * trailing blanks are no data. `binary`: ordered and compared by bytes. `characters`: what the character set can hold.
   */
  | {
      readonly kind: "text";
      readonly length: number | null;
      readonly bytes: bigint | null;
      readonly padded: boolean;
      readonly binary: boolean;
      readonly characters: "all" | "bmp" | "latin1" | "ascii";
    }
  | { readonly kind: "bytes"; readonly length: bigint | null; readonly padded: boolean }
  | { readonly kind: "uuid" }
  | { readonly kind: "date" }
  /** `precision`: digits of a second that are kept, 0–6. `zoned`: timetz. `signed`: beyond 24 h and below zero (MySQL). */
  | { readonly kind: "time"; readonly precision: number; readonly zoned: boolean; readonly signed: boolean }
  /** A moment: the server knows its UTC time. */
  | { readonly kind: "instant"; readonly precision: number }
  /** A wall-clock reading without a zone. */
  | { readonly kind: "local"; readonly precision: number }
  | {
      readonly kind: "json" /** by value: the engine keeps no spelling (jsonb, MySQL JSON) */;
      readonly normalized: boolean;
    }
  /** Anything else: comparable only with the same type of the same engine family, by its printed form. */
  | { readonly kind: "other"; readonly family: string; readonly type: string };

export type KindName = Kind["kind"];

/**
 * The one kind that a pair of columns is compared as. The text forms (the reference is `compare/reference.ts`):
 *
 * | as | text |
 * |---|---|
 * | integer | decimal digits, `-` for negative |
 * | decimal, `scale` n | plain digits with exactly n digits after the point (none and no point for 0) |
 * | decimal, `scale` null | plain digits, no trailing zeros after the point, no `-0`; `NaN`, `Infinity`, `-Infinity` |
 * | float | `0`, or sign, digits without leading or trailing zeros, `e`, power of ten (`15e-1`): of the shortest decimal that reads back to the same double; a single is widened to a double first; names as above |
 * | boolean | `0`, `1` (or the other digits that a small integer holds) |
 * | text | the characters |
 * | bytes | lower-case hex |
 * | uuid | 32 lower-case hex digits |
 * | date | `YYYY-MM-DD`, ` BC` behind it, `infinity`, `-infinity`, `0000-00-00` |
 * | time | `HH:MM:SS`, a fraction without trailing zeros; zoned: the offset behind it |
 * | instant | `YYYY-MM-DD HH:MM:SS` in UTC, a fraction without trailing zeros, ` BC` behind it; `infinity`, `-infinity` |
 * | local | the same, of the naive reading |
 * | json | as the engine prints it; equal text means equal value, unequal text is settled by the canonical form |
 * | other | as the engine prints it |
 *
 * Microsecond forms of times would say the same; printing costs servers half of what epoch arithmetic costs.
 */
export type AgreedKind =
  | { readonly as: "integer" }
  | { readonly as: "decimal"; readonly scale: number | null }
  | { readonly as: "float"; readonly bits: 32 | 64 }
  | { readonly as: "boolean" }
  | { readonly as: "text" }
  | { readonly as: "bytes" }
  | { readonly as: "uuid" }
  | { readonly as: "date" }
  | { readonly as: "time"; readonly precision: number; readonly zoned: boolean }
  | { readonly as: "instant"; readonly precision: number }
  | { readonly as: "local"; readonly precision: number }
  | { readonly as: "json" }
  | { readonly as: "other" };

/** Whether the text of a kind cannot hold a comma or a letter `N` alone, so that it needs no length before it in a row text. */
export function isPlain(kind: AgreedKind): boolean {
  return kind.as !== "text" && kind.as !== "json" && kind.as !== "other";
}
