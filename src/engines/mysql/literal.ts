/**
 * A value as a literal of the statement. The exact text of rows comes by the text protocol only, which takes no parameters; so
 * the value is written in a form in which nothing can end it: plain ASCII in quotes, anything else as hex. That holds under
 * every `sql_mode` and character set.
 */
export function literal(value: string | null): string {
  if (value === null) return "NULL";
  return /^[ !#-&(-[\]-~]*$/.test(value) ? `'${value}'` : `_utf8mb4 X'${Buffer.from(value, "utf8").toString("hex")}'`;
}
