import type { Kind } from "../../domain/kind.ts";

/** A type as the catalog has it, domains resolved to what they are made of. */
export type CatalogType = {
  /** `format_type` of it: the declaration as a person writes it. */
  readonly declared: string;
  readonly name: string;
  readonly schema: string;
  /** `typtype`: b base, e enum, c composite, r range … */
  readonly sort: string;
  /** Its modifier; -1: none. */
  readonly modifier: number;
  /** Whether its collation is the order of bytes. */
  readonly binary: boolean;
};

type Characters = (Kind & { readonly kind: "text" })["characters"];

/** What a type holds. `encoding`: the database's. */
export function kindOf(type: CatalogType, encoding: string): Kind {
  const text = (length: number | null, padded = false, binary = type.binary): Kind => ({
    kind: "text",
    length,
    bytes: null,
    padded,
    binary,
    characters: charactersOf(encoding),
  });
  if (type.sort === "e") return text(63, false, false);
  if (type.name === "citext") return text(null, false, false);
  if (type.schema !== "pg_catalog" || type.sort !== "b") return other(type);
  // A length counts the four bytes of a varlena's header.
  const length = type.modifier < 4 ? null : type.modifier - 4;
  const precision = type.modifier < 0 ? 6 : type.modifier;
  switch (type.name) {
    case "int2":
      return integer(16n);
    case "int4":
      return integer(32n);
    case "int8":
      return integer(64n);
    case "oid":
      return { kind: "integer", min: 0n, max: 2n ** 32n - 1n };
    case "numeric":
      return decimal(type.modifier);
    case "float4":
      return { kind: "float", bits: 32 };
    case "float8":
      return { kind: "float", bits: 64 };
    case "bool":
      return { kind: "boolean", small: false };
    case "bit":
      return type.modifier === 1 ? { kind: "boolean", small: false } : other(type);
    case "text":
    case "varchar":
      return text(length);
    case "bpchar":
      return text(length, true);
    case "name":
      return text(63, false, true);
    case "char":
      return text(1, false, true);
    case "bytea":
      return { kind: "bytes", length: null, padded: false };
    case "uuid":
      return { kind: "uuid" };
    case "date":
      return { kind: "date" };
    case "time":
      return { kind: "time", precision, zoned: false, signed: false };
    case "timetz":
      return { kind: "time", precision, zoned: true, signed: false };
    case "timestamp":
      return { kind: "local", precision };
    case "timestamptz":
      return { kind: "instant", precision };
    case "json":
      return { kind: "json", normalized: false };
    case "jsonb":
      return { kind: "json", normalized: true };
    default:
      return other(type);
  }
}

function other(type: CatalogType): Kind {
  return { kind: "other", family: "postgres", type: type.declared };
}

function integer(bits: bigint): Kind {
  return { kind: "integer", min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
}

/** The modifier packs precision and scale; since 15 the scale has eleven bits and a sign (numeric.c, `numeric_typmod_scale`). */
function decimal(modifier: number): Kind {
  if (modifier < 4) return { kind: "decimal", precision: null, scale: null };
  const precision = ((modifier - 4) >> 16) & 0xffff;
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  return scale >= 0
    ? { kind: "decimal", precision: Math.max(precision, scale), scale }
    : { kind: "decimal", precision: precision - scale, scale: 0 };
}

const ENCODINGS: Readonly<Record<string, Characters>> = { LATIN1: "latin1" };

function charactersOf(encoding: string): Characters {
  return ENCODINGS[encoding] ?? "all";
}
