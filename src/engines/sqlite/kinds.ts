import type { Kind } from "../../domain/kind.ts";

/** How a column compares its texts: `binary` by bytes, anything else (NOCASE, RTRIM, a program's own) not. */
export type Collation = "binary" | "other";

const SIGNED = (bits: bigint): Kind => ({ kind: "integer", min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n });

/**
 * What a column holds by its declared type. SQLite enforces no type (but in STRICT tables), so this is what the declaration
 * promises: first the usual spellings of other databases, then SQLite's own rules of affinity
 * (https://www.sqlite.org/datatype3.html §3.1). Integers are 64 bits wide unless a narrower type is spelt out.
 */
export function kindOf(declared: string, collation: Collation): Kind {
  const type = declared.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const [, base = "", first, second] =
    /^([^(]*?)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?$/.exec(type.replace(/^([^(]*?)(\([^)]*\))(.+)$/, "$1$3$2")) ??
    [];
  const text: Kind = {
    kind: "text",
    length: first === undefined ? null : Number(first),
    bytes: null,
    padded: false,
    binary: collation === "binary",
    characters: "all",
  };
  if (/^tinyint$/.test(base) && first === "1") return { kind: "boolean", small: true };
  const spelt = SPELT[base]?.(first, second);
  if (spelt !== undefined) return spelt;
  // The order of these questions is SQLite's.
  if (/int/.test(base)) return SIGNED(64n);
  if (/char|clob|text/.test(base)) return text;
  if (/blob/.test(base)) return { kind: "bytes", length: first === undefined ? null : BigInt(first), padded: false };
  if (/real|floa|doub/.test(base)) return { kind: "float", bits: 64 };
  return { kind: "other", family: "sqlite", type: type === "" ? "a column without a type" : type };
}

type Spelling = (first: string | undefined, second: string | undefined) => Kind;

const decimal: Spelling = (precision, scale) => ({
  kind: "decimal",
  precision: precision === undefined ? null : Number(precision),
  scale: precision === undefined ? null : Number(scale ?? 0),
});
const digits = (n: string | undefined): number => Math.min(6, n === undefined ? 6 : Number(n));
const local: Spelling = (n) => ({ kind: "local", precision: digits(n) });
const instant: Spelling = (n) => ({ kind: "instant", precision: digits(n) });
const time =
  (zoned: boolean): Spelling =>
  (n) => ({ kind: "time", precision: digits(n), zoned, signed: false });

const SPELT: Readonly<Record<string, Spelling>> = {
  tinyint: () => SIGNED(8n),
  smallint: () => SIGNED(16n),
  int2: () => SIGNED(16n),
  mediumint: () => SIGNED(24n),
  int4: () => SIGNED(32n),
  boolean: () => ({ kind: "boolean", small: true }),
  bool: () => ({ kind: "boolean", small: true }),
  numeric: decimal,
  decimal,
  dec: decimal,
  number: decimal,
  money: () => ({ kind: "decimal", precision: null, scale: null }),
  date: () => ({ kind: "date" }),
  time: time(false),
  "time without time zone": time(false),
  timetz: time(true),
  "time with time zone": time(true),
  datetime: local,
  timestamp: local,
  "timestamp without time zone": local,
  timestamptz: instant,
  datetimetz: instant,
  "timestamp with time zone": instant,
  uuid: () => ({ kind: "uuid" }),
  guid: () => ({ kind: "uuid" }),
  json: () => ({ kind: "json", normalized: false }),
  jsonb: () => ({ kind: "json", normalized: false }),
  interval: () => ({ kind: "other", family: "sqlite", type: "interval" }),
  point: () => ({ kind: "other", family: "sqlite", type: "point" }),
  binary: (n) => ({ kind: "bytes", length: n === undefined ? null : BigInt(n), padded: false }),
  varbinary: (n) => ({ kind: "bytes", length: n === undefined ? null : BigInt(n), padded: false }),
  bytea: () => ({ kind: "bytes", length: null, padded: false }),
};
