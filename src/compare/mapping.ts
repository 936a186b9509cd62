import type { Check } from "../domain/check.ts";
import type { ColumnPair, Mapping } from "../domain/facts.ts";
import type { AgreedKind } from "../domain/kind.ts";
import { SchemaError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { type ColumnInfo, formatTableName, type TableInfo } from "../domain/table.ts";
import { agree, type Agreement } from "./agree.ts";

/** A compared column pair with all that the comparison needs to know of it. */
export type Pairing = {
  readonly source: ColumnInfo;
  readonly target: ColumnInfo;
  readonly agreement: Agreement;
};

/** All column pairs of a check: the key's in its order, and every compared one (the key's included) in the source's order. */
export type Pairings = {
  readonly key: readonly Pairing[];
  readonly compared: readonly Pairing[];
  /** Every pair with a common text form, compared or not: the cursor and the version may be among those left out. */
  readonly all: readonly Pairing[];
  readonly mapping: Mapping;
};

/**
 * Finds a column by the name a person wrote: exactly, else by the only name that differs in letter case alone; null where there
 * is none.
 */
export function findColumn(table: TableInfo, name: string): ColumnInfo | null {
  const exact = table.columns.find((c) => c.name === name);
  if (exact) return exact;
  const alike = table.columns.filter((c) => c.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

/** As `findColumn`; a `SchemaError` that names the role, the table and the nearest column where there is none. */
export function columnOf(table: TableInfo, name: string, role: string): ColumnInfo {
  const column = findColumn(table, name);
  if (column) return column;
  throw new SchemaError(`${formatTableName(table.name)} has no column ${name} (${role})`, {
    hint: `its columns are ${columnsOf(table)}`,
  });
}

/** The columns that a check names. A `SchemaError` tells all at once that are not there. */
function demandColumns(check: Check, source: TableInfo, target: TableInfo): void {
  const { columns, cursor, version, arrival, loaded } = check;
  const named = (names: readonly string[], role: string): readonly (readonly [string, string])[] =>
    names.map((name) => [name, role]);
  const wanted = {
    source: [
      ...named(check.key ?? [], "key"),
      ...named(Object.keys(columns.rename), "columns.rename"),
      ...named(columns.only ?? [], "columns.only"),
      ...named(Object.keys(columns.tolerance), "columns.tolerance"),
      ...named(Object.keys(columns.treat), "columns.treat"),
      ...named(cursor === null ? [] : [cursor.column], "cursor"),
      ...named(version === null ? [] : [version], "version"),
      ...named(arrival?.by === "column" ? [arrival.column] : [], "arrival"),
    ],
    target: [
      ...Object.entries(columns.rename).map(([from, to]) => [to, `columns.rename of ${from}`] as const),
      ...named(loaded === null ? [] : [loaded], "loaded"),
    ],
  };
  const lacking = [
    { table: source, missing: missingOf(source, wanted.source) },
    { table: target, missing: missingOf(target, wanted.target) },
  ].filter(({ missing }) => missing.length > 0);
  if (lacking.length === 0) return;
  throw new SchemaError(
    lacking
      .map(({ table, missing }) => `${formatTableName(table.name)} has no column ${missing.join("; no column ")}`)
      .join("; "),
    {
      hint: lacking
        .map(({ table }) => `the columns of ${formatTableName(table.name)} are ${columnsOf(table)}`)
        .join("; "),
    },
  );
}

/** Each with all of its roles, and the nearest name where one is near. */
function missingOf(table: TableInfo, wanted: readonly (readonly [string, string])[]): readonly string[] {
  const roles = new Map<string, string[]>();
  for (const [name, role] of wanted)
    if (findColumn(table, name) === null) roles.set(name, [...(roles.get(name) ?? []), role]);
  return [...roles].map(([name, all]) => {
    const [close] = nearest(
      name,
      table.columns.map((column) => column.name),
    );
    return `${name} (${all.join(", ")})${close === undefined ? "" : `, did you mean ${close}?`}`;
  });
}

function columnsOf(table: TableInfo): string {
  const there = table.columns.map((c) => c.name);
  return `${there.slice(0, 12).join(", ")}${there.length > 12 ? ", …" : ""}`;
}

/** Pairs the columns of both tables as the check says. Throws a `SchemaError` where a named one is not there, and where the key or nothing at all can be compared. */
export function pairColumns(check: Check, source: TableInfo, target: TableInfo): Pairings {
  demandColumns(check, source, target);
  const zones = { source: check.source.timezone, target: check.target.timezone };
  const partners = findPartners(check, source, target);
  const key = keyColumns(check, source, target, partners).map((column): Pairing => {
    const partner = partners.get(column);
    if (!partner)
      throw new SchemaError(`the key column ${column.name} has no partner in ${formatTableName(target.name)}`, {
        hint: `add columns: { rename: { ${column.name}: … } }`,
      });
    const agreement = agree(column.kind, partner.kind, zones);
    if ("why" in agreement) throw new SchemaError(`the key column ${column.name} cannot be compared: ${agreement.why}`);
    return { source: column, target: partner, agreement };
  });
  const compared: Pairing[] = [];
  const all: Pairing[] = [];
  const notCompared: Mapping["notCompared"][number][] = [];
  for (const column of source.columns) {
    const partner = partners.get(column);
    if (!partner) continue;
    const agreement = agree(column.kind, partner.kind, zones);
    if (!("why" in agreement)) all.push({ source: column, target: partner, agreement });
    if (!key.some((k) => k.source === column) && !isChosen(check, column.name)) continue;
    if ("why" in agreement) notCompared.push({ column: column.name, side: "both", why: agreement.why });
    else compared.push({ source: column, target: partner, agreement: treated(check, column, agreement) });
  }
  const taken = new Set([...partners.values()].map((c) => c.name));
  const unpaired = source.columns.filter(
    (c) => !partners.has(c) && isChosen(check, c.name) && !isArrival(check, c.name),
  );
  const strangers = target.columns.filter(
    (c) => !taken.has(c.name) && !same(check.loaded, c.name) && !listed(check.columns.exclude, c.name),
  );
  for (const c of unpaired) notCompared.push({ column: c.name, side: "source", why: "the target has no such column" });
  for (const c of strangers) notCompared.push({ column: c.name, side: "target", why: "the source has no such column" });
  const mapping: Mapping = {
    key: key.map(toColumnPair),
    compared: compared.map(toColumnPair),
    notCompared,
    missingInTarget: unpaired.map((c) => c.name),
    missingInSource: check.columns.only === null ? strangers.map((c) => c.name) : [],
  };
  return { key, compared, all, mapping };
}

const same = (a: string | null, b: string): boolean => a !== null && a.toLowerCase() === b.toLowerCase();
const listed = (names: readonly string[], name: string): boolean => names.some((n) => same(n, name));
const isArrival = (check: Check, name: string): boolean =>
  check.arrival?.by === "column" && same(check.arrival.column, name);

function isChosen(check: Check, name: string): boolean {
  if (listed(check.columns.exclude, name)) return false;
  return check.columns.only === null || listed(check.columns.only, name);
}

function findPartners(check: Check, source: TableInfo, target: TableInfo): Map<ColumnInfo, ColumnInfo> {
  const rename = new Map<ColumnInfo, string>();
  for (const [from, to] of Object.entries(check.columns.rename))
    rename.set(columnOf(source, from, "columns.rename"), to);
  for (const name of [
    ...(check.columns.only ?? []),
    ...Object.keys(check.columns.tolerance),
    ...Object.keys(check.columns.treat),
  ])
    columnOf(source, name, "columns");
  const partners = new Map<ColumnInfo, ColumnInfo>();
  for (const [column, to] of rename) partners.set(column, columnOf(target, to, `columns.rename of ${column.name}`));
  const taken = new Set(partners.values());
  for (const column of source.columns) {
    if (rename.has(column)) continue;
    const partner = findColumn(target, column.name);
    if (partner && !taken.has(partner)) partners.set(column, partner);
  }
  return partners;
}

function keyColumns(
  check: Check,
  source: TableInfo,
  target: TableInfo,
  partners: ReadonlyMap<ColumnInfo, ColumnInfo>,
): readonly ColumnInfo[] {
  if (check.key !== null) return check.key.map((name) => columnOf(source, name, "key"));
  if (source.primaryKey.length > 0) return source.primaryKey.map((name) => columnOf(source, name, "primary key"));
  const back = new Map([...partners].map(([s, t]) => [t.name, s]));
  const candidates = [
    ...source.indexes.filter((i) => i.unique).map((i) => i.columns.map((c) => columnOf(source, c, "unique index"))),
    ...[target.primaryKey, ...target.indexes.filter((i) => i.unique).map((i) => i.columns)].map((names) =>
      names.map((n) => back.get(n)),
    ),
  ];
  for (const columns of candidates) {
    const known = columns.filter((c): c is ColumnInfo => c !== undefined);
    if (known.length > 0 && known.length === columns.length && known.every((c) => !c.nullable)) return known;
  }
  throw new SchemaError(`${formatTableName(source.name)} has no primary key, and the check names none`, {
    hint: "add key: [column, …] to the check: the columns that tell its rows apart",
  });
}

/** What `treat` and `tolerance` make of an agreement: equality is then settled by the values, and times are cut. */
function treated(check: Check, column: ColumnInfo, agreement: Agreement): Agreement {
  const treat = lookUp(check.columns.treat, column.name) ?? [];
  const tolerance = lookUp(check.columns.tolerance, column.name);
  if (treat.length === 0 && tolerance === undefined) return agreement;
  const limit = treat.includes("second") ? 0 : treat.includes("millisecond") ? 3 : 6;
  const as: AgreedKind =
    "precision" in agreement.as
      ? { ...agreement.as, precision: Math.min(limit, agreement.as.precision) }
      : treat.includes("json")
        ? { as: "json" }
        : agreement.as;
  const cut = "precision" in agreement.as && limit < 6;
  const onlyCut = cut && treat.every((t) => t === "second" || t === "millisecond") && tolerance === undefined;
  return { as, exact: onlyCut && agreement.exact, note: agreement.note, rounded: cut ? false : agreement.rounded };
}

/** The entry of a map whose keys are column names as a person wrote them. */
export function lookUp<T>(byName: { readonly [column: string]: T }, name: string): T | undefined {
  return byName[name] ?? Object.entries(byName).find(([k]) => k.toLowerCase() === name.toLowerCase())?.[1];
}

function toColumnPair(p: Pairing): ColumnPair {
  return { source: p.source.name, target: p.target.name, as: p.agreement.as, note: p.agreement.note };
}
