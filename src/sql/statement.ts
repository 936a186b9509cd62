/**
 * A piece of SQL with its values apart. Pieces are composed with the `sql` tag; a `Dialect` renders them to one text and a list
 * of values when a session sends them. Nothing but `raw`, `name` and values can enter a statement.
 */
export type Sql = { readonly parts: readonly SqlPart[] };

export type SqlPart =
  | { readonly raw: string }
  /** An identifier, quoted by the dialect. */
  | { readonly name: string }
  /** A value, sent as a parameter: always text (or NULL); statements cast it where they need another type. */
  | { readonly value: string | null };

/** Composes a statement. Interpolations are pieces of SQL, or lists of pieces (joined by a comma). */
export function sql(strings: TemplateStringsArray, ...pieces: readonly (Sql | readonly Sql[])[]): Sql {
  const parts: SqlPart[] = [];
  for (const [i, text] of strings.entries()) {
    if (text !== "") parts.push({ raw: text });
    const piece = pieces[i];
    if (piece === undefined) continue;
    const joined = "parts" in piece ? piece : join(piece, ", ");
    for (const part of joined.parts) parts.push(part);
  }
  return { parts };
}

/** Text of the program's own, never of a user's: keywords, functions, numbers. The exception is a check's `where`, which is SQL by contract. */
export function raw(text: string): Sql {
  return { parts: [{ raw: text }] };
}

/** A quoted identifier. */
export function name(identifier: string): Sql {
  return { parts: [{ name: identifier }] };
}

/** A parameter. */
export function value(text: string | null): Sql {
  return { parts: [{ value: text }] };
}

/** Pieces one behind the other with a separator of the program's own between them; nothing for none. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  const parts: SqlPart[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) parts.push({ raw: separator });
    for (const part of piece.parts) parts.push(part);
  }
  return { parts };
}

/** All conditions together, each in parentheses; TRUE for none (`1 = 1`, which every engine knows). */
export function allOf(conditions: readonly (Sql | null)[]): Sql {
  const given = conditions.filter((c): c is Sql => c !== null);
  return given.length === 0
    ? raw("1 = 1")
    : join(
        given.map((c) => sql`(${c})`),
        " AND ",
      );
}

/** A statement as one text with placeholders, and its values in order. */
export type Rendered = { readonly text: string; readonly values: readonly (string | null)[] };

/** Renders a statement: `quote` writes an identifier, `placeholder` the n-th parameter (from 1). */
export function render(
  statement: Sql,
  quote: (identifier: string) => string,
  placeholder: (n: number) => string,
): Rendered {
  let text = "";
  const values: (string | null)[] = [];
  for (const part of statement.parts) {
    if ("raw" in part) text += part.raw;
    else if ("name" in part) text += quote(part.name);
    else {
      values.push(part.value);
      text += placeholder(values.length);
    }
  }
  return { text, values };
}
