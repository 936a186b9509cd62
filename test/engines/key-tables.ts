import fc from "fast-check";
import type { AgreedKind } from "../../src/domain/kind.ts";
import { momentText } from "../../src/compare/reference.ts";
import type { TestEngine } from "../support/databases.ts";

/** A key to try ranges of: its columns' types on each engine that has them, and canonical texts of values. */
export type KeyTable = {
  readonly name: string;
  readonly kinds: readonly AgreedKind[];
  readonly types: Partial<Readonly<Record<TestEngine, readonly string[]>>>;
  readonly values: readonly fc.Arbitrary<string>[];
};

const INTEGER: AgreedKind = { as: "integer" };
const TEXT: AgreedKind = { as: "text" };
const DECIMAL: AgreedKind = { as: "decimal", scale: 4 };

const integers = fc
  .oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
  .map(String);

const decimals = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map((n) => {
  const digits = (n < 0n ? -n : n).toString().padStart(5, "0");
  return `${n < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
});

/** Characters that collations put elsewhere than bytes do, or call equal. */
const letters = [
  "a",
  "A",
  "b",
  "B",
  "ä",
  "é",
  "e",
  "-",
  "_",
  " ",
  "1",
  ".",
  "\\",
  "'",
  '"',
  "{",
  ",",
  "\uffee",
  "😀",
  "ß",
  "Z",
];
const texts = fc.array(fc.constantFrom(...letters), { maxLength: 5 }).map((units) => units.join(""));

const micros = (min: bigint, max: bigint): fc.Arbitrary<string> =>
  fc.oneof(fc.bigInt({ min: -5_000_000n, max: 5_000_000n }), fc.bigInt({ min, max })).map(momentText);

const hex = (min: number, max: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((bytes) => Buffer.from(bytes).toString("hex"));

/** No engine's double is asked for NaN, whose order differs. */
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => {
  if (n === 0) return "0";
  const [mantissa = "", exponent = "0"] = n.toExponential().split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return `${mantissa.replace(".", "")}e${Number(exponent) - fraction.length}`;
});

const YEAR_1000 = -30_610_224_000_000_000n;
const YEAR_9999 = 253_370_764_800_000_000n;

/** The keys that every engine is tried with. */
export const KEY_TABLES: readonly KeyTable[] = [
  {
    name: "integers",
    kinds: [INTEGER],
    types: { postgres: ["bigint"], mysql: ["bigint"], mariadb: ["bigint"], sqlite: ["integer"] },
    values: [integers],
  },
  {
    name: "small integers asked for large ones",
    kinds: [INTEGER],
    types: { postgres: ["smallint"], mysql: ["smallint"], mariadb: ["smallint"], sqlite: ["integer"] },
    values: [fc.bigInt({ min: -300n, max: 300n }).map(String)],
  },
  {
    name: "decimals",
    kinds: [DECIMAL],
    types: { postgres: ["numeric(30,4)"], mysql: ["decimal(30,4)"], mariadb: ["decimal(30,4)"] },
    values: [decimals],
  },
  {
    name: "doubles",
    kinds: [{ as: "float", bits: 64 }],
    types: { postgres: ["double precision"] },
    values: [doubles],
  },
  {
    name: "texts under a collation",
    kinds: [TEXT],
    types: {
      postgres: ['varchar(20) collate "en-x-icu"'],
      mysql: ["varchar(20) character set utf8mb4 collate utf8mb4_general_ci"],
      mariadb: ["varchar(20) character set utf8mb4 collate utf8mb4_general_ci"],
      sqlite: ["text collate nocase"],
    },
    values: [texts],
  },
  {
    name: "texts by bytes",
    kinds: [TEXT],
    types: {
      postgres: ['text collate "C"'],
      mysql: ["varchar(20) character set utf8mb4 collate utf8mb4_bin"],
      mariadb: ["varchar(20) character set utf8mb4 collate utf8mb4_bin"],
      sqlite: ["text"],
    },
    values: [texts],
  },
  {
    name: "texts of the database's own order",
    kinds: [TEXT],
    types: { postgres: ["text"] },
    values: [texts],
  },
  {
    name: "padded texts",
    kinds: [TEXT],
    types: {
      postgres: ["char(12)"],
      mysql: ["char(12) character set utf8mb4"],
      mariadb: ["char(12) character set utf8mb4"],
    },
    values: [texts.map((text) => text.replace(/ +$/, ""))],
  },
  {
    name: "uuids",
    kinds: [{ as: "uuid" }],
    types: { postgres: ["uuid"], mysql: ["binary(16)"], mariadb: ["binary(16)"] },
    values: [hex(16, 16)],
  },
  {
    name: "bytes",
    kinds: [{ as: "bytes" }],
    types: { postgres: ["bytea"], mysql: ["varbinary(8)"], mariadb: ["varbinary(8)"], sqlite: ["blob"] },
    values: [hex(0, 5)],
  },
  {
    name: "naive times",
    kinds: [{ as: "local", precision: 6 }],
    types: { postgres: ["timestamp"], mysql: ["datetime(6)"], mariadb: ["datetime(6)"], sqlite: ["datetime"] },
    values: [micros(YEAR_1000, YEAR_9999)],
  },
  {
    name: "moments",
    kinds: [{ as: "instant", precision: 6 }],
    types: { postgres: ["timestamptz"] },
    values: [micros(YEAR_1000 * 3n, YEAR_9999 * 3n)],
  },
  {
    name: "dates",
    kinds: [{ as: "date" }],
    types: { postgres: ["date"], mysql: ["date"], mariadb: ["date"], sqlite: ["date"] },
    values: [micros(YEAR_1000, YEAR_9999).map((text) => text.slice(0, 10))],
  },
  {
    name: "a tenant and a text",
    kinds: [INTEGER, TEXT],
    types: {
      postgres: ["integer", 'text collate "en-x-icu"'],
      mysql: ["int", "varchar(20) character set utf8mb4 collate utf8mb4_general_ci"],
      mariadb: ["int", "varchar(20) character set utf8mb4 collate utf8mb4_general_ci"],
      sqlite: ["integer", "text collate nocase"],
    },
    values: [fc.constantFrom("-1", "0", "1"), texts],
  },
  {
    name: "a text, a decimal and an integer",
    kinds: [TEXT, DECIMAL, INTEGER],
    types: {
      postgres: ["text", "numeric(30,4)", "bigint"],
      mysql: ["varchar(20) character set utf8mb4 collate utf8mb4_bin", "decimal(30,4)", "bigint"],
      mariadb: ["varchar(20) character set utf8mb4 collate utf8mb4_bin", "decimal(30,4)", "bigint"],
    },
    values: [fc.constantFrom("", "a", "B"), fc.constantFrom("-0.5000", "0.0000", "1.2500"), integers],
  },
];

/** SQL for a canonical text; texts as their bytes, so that no engine's quoting is in the way. */
export function keyLiteral(engine: TestEngine, kind: AgreedKind, text: string | null): string {
  if (text === null) return "NULL";
  const postgres = engine === "postgres";
  const quoted = `'${text}'`;
  switch (kind.as) {
    case "text": {
      const hex = Buffer.from(text, "utf8").toString("hex");
      if (postgres) return `convert_from('\\x${hex}', 'UTF8')`;
      if (engine === "sqlite") return `cast(x'${hex}' as text)`;
      return hex === "" ? "''" : `convert(x'${hex}' using utf8mb4)`;
    }
    case "bytes":
      return postgres ? `'\\x${text}'` : text === "" && engine !== "sqlite" ? "''" : `x'${text}'`;
    case "uuid":
      return postgres ? quoted : `x'${text}'`;
    case "instant":
      return postgres && text.endsWith(" BC") ? `'${text.replace(" BC", "+00 BC")}'` : `'${text}+00'`;
    case "float":
      return postgres ? quoted : text;
    case "local":
    case "date":
      return quoted;
    default:
      return text;
  }
}
