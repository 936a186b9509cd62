import { RefusedError } from "../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../domain/table.ts";
import { formatTableName, uniqueOn } from "../domain/table.ts";
import { names } from "../domain/wording.ts";

/** What a preflight looks at; facts, no connection. */
export type PreflightFacts = {
  readonly check: string;
  readonly target: TableInfo;
  /** The key on both sides, in order, with what each side's unique index takes for equal (`Dialect.equality`). */
  readonly key: readonly {
    readonly source: ColumnInfo;
    readonly target: ColumnInfo;
    readonly sourceEquality: string;
    readonly targetEquality: string;
  }[];
  /** Target columns that an inserted row gets a value in. */
  readonly written: readonly ColumnInfo[];
  readonly lacking: readonly { readonly privilege: string; readonly cure: string }[];
  readonly notTransactional: string | null;
  readonly readOnly: string | null;
  /** Whether the source holds a key that ends in a blank; asked only where it matters. */
  readonly blankKeys: boolean;
  /** Keys that stand more than once in the source; null: none do, or not known yet. */
  readonly sourceDuplicates: bigint | null;
  /** Quotes an identifier as the target's SQL does. */
  readonly quote: (identifier: string) => string;
};

/** A reason not to repair, and the SQL (or the line) that would cure it; null: nothing we could write down. */
export type Refusal = { readonly reason: string; readonly cure: string | null };

/** Every reason why this target must not be repaired; empty: none. What concerns single rows is no reason: they go to quarantine. */
export function preflight(facts: PreflightFacts): readonly Refusal[] {
  return [
    ...readOnly(facts),
    ...index(facts),
    ...equality(facts),
    ...privileges(facts),
    ...unfilled(facts),
    ...engine(facts),
    ...duplicates(facts),
  ];
}

/** Throws a `RefusedError` with all reasons, each with its cure, where there are any. */
export function refuseBy(refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return;
  const lines = refusals.map(({ reason, cure }) => `refused: ${reason}${cure === null ? "" : `\n  cure: ${cure}`}`);
  throw new RefusedError(lines.join("\n"), { hint: "nothing was written" });
}

function readOnly({ readOnly: why, target }: PreflightFacts): readonly Refusal[] {
  return why === null ? [] : [{ reason: `${formatTableName(target.name)} cannot be written to: ${why}`, cure: null }];
}

function index({ key, target, quote }: PreflightFacts): readonly Refusal[] {
  const columns = key.map((k) => k.target.name);
  if (uniqueOn(target, columns) !== null) return [];
  const table = formatTableName(target.name);
  const quoted = (target.name.schema === null ? "" : `${quote(target.name.schema)}.`) + quote(target.name.name);
  return [
    {
      reason: `not-idempotent: no unique index or constraint of ${table} covers exactly ${names(columns, columns.length, 9)}; a repair could write rows twice: do not do this`,
      cure:
        target.relation === "view"
          ? "name the table behind the view as the check's target: a view has no indexes"
          : `CREATE UNIQUE INDEX ${quote(`${target.name.name}_${columns.join("_")}_key`.slice(0, 60))} ON ${quoted} (${columns.map(quote).join(", ")})`,
    },
  ];
}

function equality({ key, target, blankKeys }: PreflightFacts): readonly Refusal[] {
  return key.flatMap((k): readonly Refusal[] => {
    if (k.target.kind.kind !== "text" || k.source.kind.kind !== "text") return [];
    if (k.targetEquality === "bytes" || k.targetEquality === k.sourceEquality) return [];
    if (k.targetEquality === "blanks" && !blankKeys) return [];
    const merged =
      k.targetEquality === "blanks"
        ? "keys that differ in blanks at their end"
        : `keys that ${k.targetEquality} takes for equal (such as a and A)`;
    return [
      {
        reason: `the unique index of ${formatTableName(target.name)} on ${k.target.name} would merge ${merged}, which the source tells apart`,
        cure: `give ${k.target.name} a collation that compares by bytes and in which blanks count`,
      },
    ];
  });
}

function privileges({ lacking, target }: PreflightFacts): readonly Refusal[] {
  return lacking.map(({ privilege, cure }) => ({
    reason:
      privilege === "TEMPORARY"
        ? "the connection's user may not make temporary tables, in which rows are staged"
        : `the connection's user may not ${privilege} on ${formatTableName(target.name)}`,
    cure,
  }));
}

function unfilled({ target, written, check }: PreflightFacts): readonly Refusal[] {
  const filled = new Set(written.map((c) => c.name));
  const open = target.columns
    .filter((c) => !c.nullable && !c.hasDefault && !c.generated && !filled.has(c.name))
    .map((c) => c.name);
  if (open.length === 0) return [];
  return [
    {
      reason: `${names(open, open.length, 9)} of ${formatTableName(target.name)} must not be NULL, ${open.length === 1 ? "has" : "have"} no default, and ${check} does not fill ${open.length === 1 ? "it" : "them"}`,
      cure: `ALTER TABLE … ALTER COLUMN ${open[0] ?? ""} SET DEFAULT …, or compare the column in the check`,
    },
  ];
}

function engine({ notTransactional, target }: PreflightFacts): readonly Refusal[] {
  return notTransactional === null
    ? []
    : [
        {
          reason: `${formatTableName(target.name)} cannot be written to safely: ${notTransactional}, so that a batch that fails half-way would stay half-way`,
          cure: `ALTER TABLE ${formatTableName(target.name)} ENGINE = InnoDB`,
        },
      ];
}

function duplicates({ sourceDuplicates, check }: PreflightFacts): readonly Refusal[] {
  return sourceDuplicates === null
    ? []
    : [
        {
          reason: `${sourceDuplicates} keys stand more than once in the source of ${check}: which copy is right, nobody can tell`,
          cure: "name a key in the check that tells its rows apart, or narrow the source by `where`",
        },
      ];
}
