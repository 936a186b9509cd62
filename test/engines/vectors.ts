import type { AgreedKind } from "../../src/domain/kind.ts";

/**
 * How a value stands in a table of one engine: the column's type, and SQL that makes the value. `since`: the first major version that
 * holds it.
 */
export type Literal = { readonly type: string; readonly sql: string; readonly since?: number };

/** A value, what it is compared as, and the one text that every engine must give it (`AgreedKind`'s table); null is NULL. */
export type Vector = {
  readonly name: string;
  readonly as: AgreedKind;
  readonly text: string | null;
  /** The zone of naive readings; UTC where it is left out. */
  readonly zone?: string;
  /** How finer values come to the agreed precision; `cut` where it is left out. */
  readonly rounding?: "cut" | "round";
  /** An engine that cannot hold the value has none. MariaDB takes MySQL's where it has none of its own. */
  readonly literals: {
    readonly postgres?: Literal;
    readonly mysql?: Literal;
    readonly mariadb?: Literal | null;
    readonly sqlite?: Literal;
  };
};

const of = (type: string, sql: string): Literal => ({ type, sql });

const INTEGER: AgreedKind = { as: "integer" };
const TEXT: AgreedKind = { as: "text" };
const FLOAT: AgreedKind = { as: "float", bits: 64 };
const BYTES: AgreedKind = { as: "bytes" };
const UUID: AgreedKind = { as: "uuid" };
const DATE: AgreedKind = { as: "date" };
const BOOLEAN: AgreedKind = { as: "boolean" };
const JSON_KIND: AgreedKind = { as: "json" };
const decimal = (scale: number | null): AgreedKind => ({ as: "decimal", scale });
const local = (precision: number): AgreedKind => ({ as: "local", precision });
const instant = (precision: number): AgreedKind => ({ as: "instant", precision });
const time = (precision: number, zoned = false): AgreedKind => ({ as: "time", precision, zoned });

/** An integer that all engines hold. */
function integer(digits: string, postgres: string, mysql: string): Vector {
  return {
    name: `integer ${digits}`,
    as: INTEGER,
    text: digits,
    literals: { postgres: of(postgres, digits), mysql: of(mysql, digits), sqlite: of("integer", digits) },
  };
}

/** A text in all engines, made from its UTF-8 bytes so that no engine's quoting is in the way. PostgreSQL holds no NUL. */
function text(name: string, characters: string): Vector {
  const hex = Buffer.from(characters, "utf8").toString("hex");
  const mysql = hex === "" ? "''" : `convert(x'${hex}' using utf8mb4)`;
  return {
    name: `text ${name}`,
    as: TEXT,
    text: characters,
    literals: {
      ...(characters.includes("\0") ? {} : { postgres: of("text", `convert_from('\\x${hex}', 'UTF8')`) }),
      mysql: of("text character set utf8mb4", mysql),
      sqlite: of("text", `cast(x'${hex}' as text)`),
    },
  };
}

/** A double in all engines; `canonical` its shortest digits and power of ten. */
function double(digits: string, canonical: string, sqlite = digits): Vector {
  return {
    name: `double ${digits}`,
    as: FLOAT,
    text: canonical,
    literals: {
      postgres: of("double precision", `'${digits}'`),
      mysql: of("double", digits),
      sqlite: of("real", sqlite),
    },
  };
}

/** A naive time in all engines. */
function naive(reading: string, as: AgreedKind, canonical: string, more: Partial<Vector> = {}): Vector {
  return {
    name: `naive ${reading} as ${as.as} ${more.rounding ?? ""} ${more.zone ?? ""}`,
    as,
    text: canonical,
    literals: {
      postgres: of("timestamp", `'${reading}'`),
      mysql: of("datetime(6)", `'${reading}'`),
      sqlite: of("datetime", `'${reading}'`),
    },
    ...more,
  };
}

/** NULL of every kind. */
const NULLS: readonly Vector[] = (
  [
    [INTEGER, "bigint", "bigint", "integer"],
    [decimal(2), "numeric(12,2)", "decimal(12,2)", "decimal(12,2)"],
    [decimal(null), "numeric", "decimal(38,10)", "numeric"],
    [FLOAT, "double precision", "double", "real"],
    [BOOLEAN, "boolean", "tinyint(1)", "boolean"],
    [TEXT, "text", "text", "text"],
    [BYTES, "bytea", "blob", "blob"],
    [UUID, "uuid", "binary(16)", "uuid"],
    [DATE, "date", "date", "date"],
    [time(6), "time", "time(6)", "time"],
    [instant(6), "timestamptz", "timestamp(6) null", "timestamp"],
    [local(6), "timestamp", "datetime(6)", "datetime"],
    [JSON_KIND, "jsonb", "json", "json"],
  ] as const
).map(([as, postgres, mysql, sqlite]) => ({
  name: `NULL as ${as.as}`,
  as,
  text: null,
  literals: { postgres: of(postgres, "NULL"), mysql: of(mysql, "NULL"), sqlite: of(sqlite, "NULL") },
}));

const INTEGERS: readonly Vector[] = [
  integer("0", "integer", "int"),
  integer("-1", "smallint", "smallint"),
  integer("32767", "smallint", "smallint"),
  integer("-2147483648", "integer", "int"),
  integer("9007199254740992", "bigint", "bigint"),
  integer("9007199254740993", "bigint", "bigint"),
  integer("1234567890123456789", "bigint", "bigint"),
  integer("9223372036854775807", "bigint", "bigint"),
  {
    name: "integer -9223372036854775808",
    as: INTEGER,
    text: "-9223372036854775808",
    literals: {
      postgres: of("bigint", "'-9223372036854775808'"),
      mysql: of("bigint", "-9223372036854775808"),
      sqlite: of("integer", "-9223372036854775808"),
    },
  },
  {
    name: "the largest unsigned integer",
    as: INTEGER,
    text: "18446744073709551615",
    literals: { mysql: of("bigint unsigned", "18446744073709551615") },
  },
  {
    name: "the largest unsigned integer against a numeric(20,0)",
    as: decimal(0),
    text: "18446744073709551615",
    literals: {
      postgres: of("numeric(20,0)", "18446744073709551615"),
      mysql: of("bigint unsigned", "18446744073709551615"),
    },
  },
  { name: "bits as an integer", as: INTEGER, text: "5", literals: { mysql: of("bit(8)", "b'101'") } },
  {
    name: "a year",
    as: INTEGER,
    text: "2026",
    literals: { mysql: of("year", "2026"), postgres: of("smallint", "2026") },
  },
];

const DECIMALS: readonly Vector[] = [
  ...(
    [
      ["1.10", 2, "1.10"],
      ["1.1", 2, "1.10"],
      ["-0", 2, "0.00"],
      ["-0.05", 2, "-0.05"],
      ["1234567890.99", 2, "1234567890.99"],
      ["-1", 0, "-1"],
    ] as const
  ).map(
    ([digits, scale, canonical]): Vector => ({
      name: `decimal ${digits} at scale ${scale}`,
      as: decimal(scale),
      text: canonical,
      literals: {
        postgres: of(`numeric(12,${scale})`, digits),
        mysql: of(`decimal(12,${scale})`, digits),
        sqlite: of(`decimal(12,${scale})`, digits),
      },
    }),
  ),
  ...(["1234567890123456789012345678.0123456789", "1234567890123456789012345678.0123456788"] as const).map(
    (digits): Vector => ({
      name: `decimal ${digits}`,
      as: decimal(10),
      text: digits,
      literals: { postgres: of("numeric(38,10)", digits), mysql: of("decimal(38,10)", digits) },
    }),
  ),
  ...(
    [
      ["1.10", "1.1"],
      ["100", "100"],
      ["100.00", "100"],
      ["0.000", "0"],
      ["-0.0100", "-0.01"],
      ["-120.500", "-120.5"],
    ] as const
  ).map(
    ([digits, canonical]): Vector => ({
      name: `decimal ${digits} without a scale`,
      as: decimal(null),
      text: canonical,
      literals: {
        postgres: of("numeric", digits),
        mysql: of("decimal(30,10)", digits),
        sqlite: of("numeric", digits),
      },
    }),
  ),
  {
    name: "an integer as a decimal",
    as: decimal(2),
    text: "7.00",
    literals: { postgres: of("integer", "7"), mysql: of("int", "7"), sqlite: of("integer", "7") },
  },
  {
    name: "an integer as a decimal without a scale",
    as: decimal(null),
    text: "-700",
    literals: { postgres: of("bigint", "-700"), mysql: of("bigint", "-700"), sqlite: of("integer", "-700") },
  },
  {
    name: "a decimal of a smaller scale",
    as: decimal(4),
    text: "1.5000",
    literals: { postgres: of("numeric(6,2)", "1.5"), mysql: of("decimal(6,2)", "1.5") },
  },
  {
    name: "a decimal with more digits than agreed keeps them",
    as: decimal(2),
    text: "1.123",
    literals: { postgres: of("numeric", "1.1230"), mysql: of("decimal(12,4)", "1.123") },
  },
  ...(["NaN", "Infinity", "-Infinity"] as const).map(
    (named): Vector => ({
      name: `decimal ${named}`,
      as: decimal(null),
      text: named,
      literals: { postgres: { type: "numeric", sql: `'${named}'`, since: named === "NaN" ? 12 : 14 } },
    }),
  ),
];

const FLOATS: readonly Vector[] = [
  double("0", "0"),
  double("-0", "0", "-0.0"),
  double("1", "1e0"),
  double("-1.5", "-15e-1"),
  double("100", "1e2"),
  double("1e-14", "1e-14"),
  double("4e-14", "4e-14"),
  double("1e26", "1e26"),
  double("123456789012345680", "12345678901234568e1"),
  double("0.1", "1e-1"),
  double("0.3", "3e-1"),
  double("0.30000000000000004", "30000000000000004e-17"),
  double("9007199254740993", "9007199254740992e0"),
  double("5e-324", "5e-324"),
  double("1.7976931348623157e308", "17976931348623157e292"),
  double("0.00012345", "12345e-8"),
  double("1234.5", "12345e-1"),
  ...(["NaN", "Infinity", "-Infinity"] as const).map(
    (named): Vector => ({
      name: `double ${named}`,
      as: FLOAT,
      text: named,
      literals: {
        postgres: of("double precision", `'${named}'`),
        ...(named === "NaN" ? {} : { sqlite: of("real", named === "Infinity" ? "9e999" : "-9e999") }),
      },
    }),
  ),
  ...(
    [
      ["1.2345671", "12345670461654663e-16"],
      ["1.2345679", "12345678806304932e-16"],
      ["0.1", "10000000149011612e-17"],
      ["0.5", "5e-1"],
      ["16777216", "16777216e0"],
    ] as const
  ).map(
    ([digits, canonical]): Vector => ({
      name: `single ${digits}`,
      as: { as: "float", bits: 32 },
      text: canonical,
      literals: { postgres: of("real", digits), mysql: of("float", digits) },
    }),
  ),
];

const BOOLEANS: readonly Vector[] = [
  ...(["1", "0"] as const).map(
    (digit): Vector => ({
      name: `boolean ${digit}`,
      as: BOOLEAN,
      text: digit,
      literals: {
        postgres: of("boolean", digit === "1" ? "true" : "false"),
        mysql: of("tinyint(1)", digit),
        sqlite: of("boolean", digit),
      },
    }),
  ),
  {
    name: "boolean of one bit",
    as: BOOLEAN,
    text: "1",
    literals: { postgres: of("bit(1)", "B'1'"), mysql: of("bit(1)", "b'1'") },
  },
  {
    name: "a tinyint(1) that is no boolean",
    as: BOOLEAN,
    text: "2",
    literals: { mysql: of("tinyint(1)", "2"), postgres: of("smallint", "2") },
  },
];

const TEXTS: readonly Vector[] = [
  text("empty", ""),
  text("blank", " "),
  text("NULL", "NULL"),
  text("<null>", "<null>"),
  text("\\N", "\\N"),
  text("N", "N"),
  text("comma", ","),
  text("a number with a colon", "1:a"),
  text("a|b", "a|b"),
  text("a#b", "a#b"),
  text("quotes", `it's "quoted" \`so\``),
  text("backslashes", "\\ \\\\ \\n \\t"),
  text("newlines and tabs", "a\nb\r\nc\td"),
  text("control characters", "\u0001\u0008\u000b\u001b\u007f"),
  text("NUL", "a\0b"),
  text("blank at the end", "x "),
  text("tab at the end", "x\t"),
  text("composed é", "\u00e9"),
  text("combining é", "e\u0301"),
  text("emoji 😀", "😀"),
  text("emoji 🚀", "🚀"),
  text("family", "👨‍👩‍👧‍👦"),
  text("BOM and last of the BMP", "\ufeffa\uffff"),
  text("last of Unicode", "\u{10ffff}"),
  text("cyrillic and han", "Привет 漢字"),
  text("long", "ä".repeat(5000)),
  {
    name: "CHAR(10) without its padding",
    as: TEXT,
    text: "ab",
    literals: { postgres: of("char(10)", "'ab'"), mysql: of("char(10)", "'ab'") },
  },
  {
    name: "VARCHAR with a blank at its end",
    as: TEXT,
    text: "x ",
    literals: {
      postgres: of("varchar(10)", "'x '"),
      mysql: of("varchar(10)", "'x '"),
      sqlite: of("varchar(10)", "'x '"),
    },
  },
  {
    name: "latin1 text",
    as: TEXT,
    text: "é",
    literals: { mysql: of("varchar(10) character set latin1", "convert(x'c3a9' using utf8mb4)") },
  },
  {
    name: "enum",
    as: TEXT,
    text: "b c",
    literals: { mysql: of("enum('a','b c')", "'b c'"), postgres: of("tm_vector_mood", "'b c'") },
  },
  {
    name: "set in the order of its definition",
    as: TEXT,
    text: "z,a",
    literals: { mysql: of("set('z','m','a')", "'a,z'") },
  },
  { name: "domain over text", as: TEXT, text: "d", literals: { postgres: of("tm_vector_domain", "'d'") } },
  { name: "name", as: TEXT, text: "n", literals: { postgres: of("name", "'n'") } },
  {
    name: "a uuid against a text",
    as: TEXT,
    text: "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
    literals: { postgres: of("uuid", "'0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9'") },
  },
];

const BYTE_STRINGS: readonly Vector[] = [
  ...(["", "00", "5c", "0a0d09", "deadbeef", "ff00ff00"] as const).map(
    (hex): Vector => ({
      name: `bytes ${hex === "" ? "empty" : hex}`,
      as: BYTES,
      text: hex,
      literals: {
        postgres: of("bytea", `'\\x${hex}'`),
        mysql: of("varbinary(20)", hex === "" ? "''" : `x'${hex}'`),
        sqlite: of("blob", `x'${hex}'`),
      },
    }),
  ),
  {
    name: "long bytes",
    as: BYTES,
    text: "ab".repeat(3000),
    literals: {
      postgres: of("bytea", `decode(repeat('ab', 3000), 'hex')`),
      mysql: of("blob", `repeat(x'ab', 3000)`),
      sqlite: of("blob", `x'${"ab".repeat(3000)}'`),
    },
  },
];

const UUID_TEXT = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
const UUIDS: readonly Vector[] = [
  {
    name: "uuid",
    as: UUID,
    text: UUID_TEXT,
    literals: {
      postgres: of("uuid", "'0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9'"),
      mysql: of("binary(16)", `x'${UUID_TEXT}'`),
      mariadb: of("uuid", "'0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9'"),
      sqlite: of("text", "'0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9'"),
    },
  },
  {
    name: "uuid in CHAR(36), upper case",
    as: UUID,
    text: UUID_TEXT,
    literals: {
      postgres: of("char(36)", "'0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9'"),
      mysql: of("char(36)", "'0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9'"),
      sqlite: of("char(36)", "'0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9'"),
    },
  },
  {
    name: "uuid in CHAR(32)",
    as: UUID,
    text: UUID_TEXT,
    literals: {
      postgres: of("char(32)", `'${UUID_TEXT}'`),
      mysql: of("char(32)", `'${UUID_TEXT}'`),
      sqlite: of("char(32)", `'${UUID_TEXT}'`),
    },
  },
  {
    name: "uuid in bytes",
    as: UUID,
    text: UUID_TEXT,
    literals: {
      postgres: of("bytea", `'\\x${UUID_TEXT}'`),
      mysql: of("varbinary(16)", `x'${UUID_TEXT}'`),
      sqlite: of("blob", `x'${UUID_TEXT}'`),
    },
  },
];

const DATES: readonly Vector[] = [
  ...(["2026-06-01", "1970-01-01", "1582-10-10", "1000-01-01", "9999-12-31"] as const).map(
    (day): Vector => ({
      name: `date ${day}`,
      as: DATE,
      text: day,
      literals: { postgres: of("date", `'${day}'`), mysql: of("date", `'${day}'`), sqlite: of("date", `'${day}'`) },
    }),
  ),
  ...(["0044-03-15 BC", "infinity", "-infinity", "10000-01-01", "0001-01-01"] as const).map(
    (day): Vector => ({ name: `date ${day}`, as: DATE, text: day, literals: { postgres: of("date", `'${day}'`) } }),
  ),
  { name: "zero date", as: DATE, text: "0000-00-00", literals: { mysql: of("date", "'0000-00-00'") } },
  {
    name: "a date against a time",
    as: local(6),
    text: "2026-06-01 00:00:00",
    literals: {
      postgres: of("date", "'2026-06-01'"),
      mysql: of("date", "'2026-06-01'"),
      sqlite: of("date", "'2026-06-01'"),
    },
  },
  {
    name: "a date against a moment",
    as: instant(6),
    zone: "Europe/Prague",
    text: "2026-05-31 22:00:00",
    literals: {
      postgres: of("date", "'2026-06-01'"),
      mysql: of("date", "'2026-06-01'"),
      sqlite: of("date", "'2026-06-01'"),
    },
  },
];

const TIMES: readonly Vector[] = [
  ...(
    [
      ["00:00:00", "00:00:00"],
      ["23:59:59.999999", "23:59:59.999999"],
      ["10:20:30.500000", "10:20:30.5"],
      ["01:02:03", "01:02:03"],
    ] as const
  ).map(
    ([clock, canonical]): Vector => ({
      name: `time ${clock}`,
      as: time(6),
      text: canonical,
      literals: {
        postgres: of("time", `'${clock}'`),
        mysql: of("time(6)", `'${clock}'`),
        sqlite: of("time", `'${clock}'`),
      },
    }),
  ),
  {
    name: "time 24:00",
    as: time(6),
    text: "24:00:00",
    literals: { postgres: of("time", "'24:00'"), mysql: of("time", "'24:00:00'") },
  },
  { name: "time beyond a day", as: time(6), text: "838:59:59", literals: { mysql: of("time", "'838:59:59'") } },
  { name: "time below zero", as: time(6), text: "-01:30:00", literals: { mysql: of("time", "'-01:30:00'") } },
  {
    name: "time cut to milliseconds",
    as: time(3),
    text: "10:00:00.999",
    literals: { postgres: of("time", "'10:00:00.9996'"), mysql: of("time(6)", "'10:00:00.9996'") },
  },
  { name: "time 24:00 cut", as: time(3), text: "24:00:00", literals: { postgres: of("time", "'24:00'") } },
  {
    name: "time rounded to milliseconds",
    as: time(3),
    rounding: "round",
    text: "10:00:01",
    literals: { postgres: of("time", "'10:00:00.9996'"), mysql: of("time(6)", "'10:00:00.9996'") },
  },
  {
    name: "timetz",
    as: time(6, true),
    text: "10:00:00.5+05:30",
    literals: { postgres: of("timetz", "'10:00:00.5+05:30'") },
  },
  {
    name: "timetz in UTC",
    as: time(6, true),
    text: "10:00:00+00",
    literals: { postgres: of("timetz", "'10:00:00Z'") },
  },
  {
    name: "timetz cut",
    as: time(3, true),
    text: "10:00:00.999-03:30",
    literals: { postgres: of("timetz", "'10:00:00.9996-03:30'") },
  },
];

const MOMENTS: readonly Vector[] = [
  naive("2026-06-01 10:20:30.123456", local(6), "2026-06-01 10:20:30.123456"),
  naive("2026-06-01 10:20:30.120000", local(6), "2026-06-01 10:20:30.12"),
  naive("2026-06-01 10:20:30", local(6), "2026-06-01 10:20:30"),
  naive("1969-12-31 23:59:59.999999", local(6), "1969-12-31 23:59:59.999999"),
  naive("9999-12-31 23:59:59.999999", local(6), "9999-12-31 23:59:59.999999"),
  naive("2026-06-01 00:00:00.999600", local(3), "2026-06-01 00:00:00.999"),
  naive("2026-06-01 00:00:00.999600", local(3), "2026-06-01 00:00:01", { rounding: "round" }),
  naive("2026-06-01 00:00:00.129600", local(2), "2026-06-01 00:00:00.12"),
  naive("2026-06-01 00:00:59.999999", local(0), "2026-06-01 00:00:59"),
  naive("1969-12-31 23:59:59.999600", local(3), "1969-12-31 23:59:59.999"),
  naive("2026-06-01 10:00:00", instant(6), "2026-06-01 10:00:00"),
  naive("2026-06-01 10:00:00", instant(6), "2026-06-01 08:00:00", { zone: "Europe/Prague" }),
  naive("2026-01-01 00:30:00.5", instant(6), "2025-12-31 23:30:00.5", { zone: "Europe/Prague" }),
  naive("2026-06-01 10:00:00", instant(6), "2026-06-01 14:00:00", { zone: "America/New_York" }),
  // A reading that no clock showed is moved forward by the gap.
  naive("2026-03-29 02:30:00", instant(6), "2026-03-29 01:30:00", { zone: "Europe/Prague" }),
  naive("2026-03-29 03:00:00", instant(6), "2026-03-29 01:00:00", { zone: "Europe/Prague" }),
  // In the repeated hour the later moment is meant.
  naive("2026-10-25 02:30:00", instant(6), "2026-10-25 01:30:00", { zone: "Europe/Prague" }),
  ...(
    [
      ["2026-06-01 10:20:30.123456+02", "2026-06-01 10:20:30.123456+02:00", "2026-06-01 08:20:30.123456"],
      ["2026-10-25 00:30:00+00", "2026-10-25 00:30:00+00:00", "2026-10-25 00:30:00"],
      ["2026-10-25 01:30:00+00", "2026-10-25 01:30:00+00:00", "2026-10-25 01:30:00"],
      ["1970-01-01 00:00:01+00", "1970-01-01 00:00:01+00:00", "1970-01-01 00:00:01"],
    ] as const
  ).map(
    ([postgres, iso, canonical]): Vector => ({
      name: `instant ${postgres}`,
      as: instant(6),
      text: canonical,
      literals: {
        postgres: of("timestamptz", `'${postgres}'`),
        // The tests' session is not UTC; a TIMESTAMP is stored as the moment that the session's reading means.
        mysql: of("timestamp(6) null", `convert_tz('${canonical}', '+00:00', @@session.time_zone)`),
        sqlite: of("timestamp", `'${iso}'`),
      },
    }),
  ),
  {
    name: "instant cut to milliseconds",
    as: instant(3),
    text: "2026-06-01 00:00:00.999",
    literals: { postgres: of("timestamptz", "'2026-06-01 00:00:00.9996+00'") },
  },
  {
    name: "instant rounded to seconds",
    as: instant(0),
    rounding: "round",
    text: "2026-06-01 00:00:01",
    literals: { postgres: of("timestamptz", "'2026-06-01 00:00:00.9996+00'") },
  },
  ...(
    [
      ["infinity", "infinity"],
      ["-infinity", "-infinity"],
      ["0044-03-15 12:00:00.25 BC", "0044-03-15 12:00:00.25 BC"],
      ["12026-06-01 00:00:00", "12026-06-01 00:00:00"],
    ] as const
  ).flatMap(([written, canonical]): readonly Vector[] => [
    {
      name: `local ${written}`,
      as: local(6),
      text: canonical,
      literals: { postgres: of("timestamp", `'${written}'`) },
    },
    {
      name: `local ${written} cut to milliseconds`,
      as: local(3),
      text: canonical,
      literals: { postgres: of("timestamp", `'${written}'`) },
    },
    {
      name: `local ${written} cut to tenths`,
      as: local(1),
      text: canonical.replace(".25", ".2"),
      literals: { postgres: of("timestamp", `'${written}'`) },
    },
    {
      name: `instant ${written}`,
      as: instant(6),
      text: canonical,
      literals: { postgres: of("timestamptz", `timestamp '${written}' AT TIME ZONE 'UTC'`) },
    },
  ]),
  {
    name: "zero moment",
    as: local(6),
    text: "0000-00-00 00:00:00",
    literals: { mysql: of("datetime(6)", "'0000-00-00 00:00:00'") },
  },
];

/** JSON comes as the engine prints it; `text` is the canonical form of that. */
const JSONS: readonly Vector[] = (
  [
    ['{"b": 2, "a": 1}', '{"a":1,"b":2}'],
    ['{"a": 1.50, "b": [1, 2.0, -0.5]}', '{"a":15e-1,"b":[1,2,-5e-1]}'],
    ['{"n": 9007199254740993}', '{"n":9007199254740993}'],
    ['["é", "😀", "a/b", null, true, false]', '["é","😀","a/b",null,true,false]'],
    ["[[[1]], {}, []]", "[[[1]],{},[]]"],
    ['"text"', '"text"'],
    ["null", "null"],
  ] as const
).flatMap(([json, canonical]): readonly Vector[] => [
  {
    name: `json ${json}`,
    as: JSON_KIND,
    text: canonical,
    literals: { postgres: of("jsonb", `'${json}'`), mysql: of("json", `'${json}'`), sqlite: of("json", `'${json}'`) },
  },
  { name: `json as spelled ${json}`, as: JSON_KIND, text: canonical, literals: { postgres: of("json", `'${json}'`) } },
]);

/** Every value of the kinds' table and of the cases that broke others. */
export const VECTORS: readonly Vector[] = [
  ...NULLS,
  ...INTEGERS,
  ...DECIMALS,
  ...FLOATS,
  ...BOOLEANS,
  ...TEXTS,
  ...BYTE_STRINGS,
  ...UUIDS,
  ...DATES,
  ...TIMES,
  ...MOMENTS,
  ...JSONS,
];

/** The literal of a vector on an engine; null: it cannot hold the value. */
export function literalOf(vector: Vector, engine: "postgres" | "mysql" | "mariadb" | "sqlite"): Literal | null {
  if (engine === "mariadb" && vector.literals.mariadb !== undefined) return vector.literals.mariadb;
  return vector.literals[engine === "mariadb" ? "mysql" : engine] ?? null;
}
