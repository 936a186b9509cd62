import type { TestEngine } from "../support/databases.ts";

/** How an engine of each family declares a kind and writes a value of it. */
type Family = "postgres" | "mysql" | "sqlite";

export const familyOf = (engine: TestEngine): Family => (engine === "mariadb" || engine === "mysql" ? "mysql" : engine);

/** A kind of column that every engine can hold, with values that are hard on somebody. */
export type ColumnKind = {
  readonly name: string;
  readonly type: Readonly<Record<Family, string>>;
  readonly values: readonly string[];
  /** Whether it may be (a part of) a key. */
  readonly key: boolean;
  readonly literal: (value: string, family: Family) => string;
};

const bare = (value: string): string => value;
const quoted = (value: string, family: Family): string =>
  `'${(family === "mysql" ? value.replaceAll("\\", "\\\\") : value).replaceAll("'", "''")}'`;

/** The kinds that comparison.md §1 knows, as columns. */
export const COLUMN_KINDS: readonly ColumnKind[] = [
  {
    name: "integer",
    type: { postgres: "bigint", mysql: "bigint", sqlite: "bigint" },
    values: ["0", "-1", "7", "9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808"],
    key: true,
    literal: bare,
  },
  {
    name: "decimal",
    type: { postgres: "numeric(14,4)", mysql: "decimal(14,4)", sqlite: "decimal(14,4)" },
    values: ["0", "1.1", "-1.1", "1.0001", "12345.678", "-0.0001", "100"],
    key: true,
    literal: bare,
  },
  {
    name: "float",
    type: { postgres: "double precision", mysql: "double", sqlite: "double" },
    values: ["0", "1e-14", "4e-14", "1e26", "0.30000000000000004", "0.3", "-1.5", "1.7976931348623157e308", "5e-324"],
    key: false,
    literal: bare,
  },
  {
    name: "boolean",
    type: { postgres: "boolean", mysql: "tinyint(1)", sqlite: "boolean" },
    values: ["true", "false"],
    key: false,
    literal: bare,
  },
  {
    name: "text",
    type: { postgres: "text", mysql: "varchar(120) character set utf8mb4 collate utf8mb4_general_ci", sqlite: "text" },
    values: [
      "",
      " ",
      "a",
      "A",
      "a ",
      "á",
      "é",
      "e\u0301",
      "NULL",
      "\\N",
      "<null>",
      "a|b",
      "a,b",
      "1:a",
      "x\\y",
      "it's",
      '"q"',
      "new\nline",
      "tab\t",
      "😀",
      "🚀",
      "潮",
      "a-1",
      "a_1",
      "B",
      "b",
      "ß",
      "ss",
    ],
    key: true,
    literal: quoted,
  },
  {
    name: "char",
    type: { postgres: "char(10)", mysql: "char(10) character set utf8mb4 collate utf8mb4_bin", sqlite: "varchar(10)" },
    values: ["", "a", "ab", "B", "é"],
    key: false,
    literal: quoted,
  },
  {
    name: "bytes",
    type: { postgres: "bytea", mysql: "varbinary(40)", sqlite: "blob" },
    values: ["", "00", "0000", "ff", "deadbeef", "2c", "4e"],
    key: true,
    literal: (value, family) => (family === "postgres" ? `'\\x${value}'::bytea` : `x'${value}'`),
  },
  {
    name: "uuid",
    type: { postgres: "uuid", mysql: "char(36)", sqlite: "uuid" },
    values: [
      "00000000-0000-0000-0000-000000000001",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
      "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    ],
    key: true,
    literal: quoted,
  },
  {
    name: "date",
    type: { postgres: "date", mysql: "date", sqlite: "date" },
    values: ["1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31", "1582-10-15"],
    key: true,
    literal: quoted,
  },
  {
    name: "time",
    type: { postgres: "time(6)", mysql: "time(6)", sqlite: "time" },
    values: ["00:00:00", "23:59:59.999999", "12:30:00.5", "12:30:00.500001"],
    key: false,
    literal: quoted,
  },
  {
    name: "local",
    type: { postgres: "timestamp(6)", mysql: "datetime(6)", sqlite: "timestamp" },
    values: [
      "2026-06-01 10:00:00",
      "2026-06-01 10:00:00.000001",
      "1969-12-31 23:59:59.5",
      "9999-12-31 23:59:59",
      "1901-02-03 04:05:06.7",
      "2026-03-29 02:30:00",
    ],
    key: true,
    literal: quoted,
  },
  {
    name: "instant",
    type: { postgres: "timestamptz(6)", mysql: "timestamp(6) null", sqlite: "timestamptz" },
    values: [
      "2026-06-01 10:00:00+00:00",
      "2026-10-25 00:30:00+00:00",
      "2026-10-25 01:30:00+00:00",
      "1971-01-01 00:00:00.25+00:00",
    ],
    key: false,
    // Written in a session whose zone is UTC on MySQL, which takes no offset before 8.0.19.
    literal: (value, family) => quoted(family === "mysql" ? value.replace("+00:00", "") : value, family),
  },
  {
    name: "json",
    type: { postgres: "jsonb", mysql: "json", sqlite: "json" },
    values: [
      '{"a":1,"b":2}',
      '{"b": 2, "a": 1}',
      '{"a":1}',
      "[]",
      "[1, 2]",
      '"é"',
      '{"n":9007199254740993}',
      '{"n":9007199254740992}',
      "1.0",
      "1",
      "null",
    ],
    key: false,
    literal: quoted,
  },
];
