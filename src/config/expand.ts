/** Where environment variables come from. An undefined one is unset. */
export type Environment = { readonly [name: string]: string | undefined };

/** A text with its variables put in, and what is wrong with it: one sentence a mistake. */
export type Expanded = { readonly text: string; readonly mistakes: readonly string[] };

const FORM = "${NAME} or ${NAME:-default}, or $${ for the characters themselves";

/**
 * Puts environment variables into a text: `${NAME}` (unset: a mistake, and empty if it is set to nothing), `${NAME:-default}` (the
 * default where it is unset or empty, as in a shell), `$${` stands for `${`. Mistakes name variables and never their values.
 */
export function expand(template: string, environment: Environment): Expanded {
  const mistakes: string[] = [];
  const text = template.replaceAll(
    /\$\$\{|\$\{([^}]*)(\}?)/g,
    (whole, inside: string | undefined, end: string | undefined) => {
      if (inside === undefined) return "${";
      const match = end === "}" ? /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside) : null;
      if (match === null) {
        mistakes.push(`a variable is not written right, expected ${FORM}`);
        return whole;
      }
      const [, name = "", fallback] = match;
      // Object.hasOwn: `${constructor}` is as unset as any other.
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
      if (value === undefined)
        mistakes.push(
          `the environment variable ${name} is not set, expected a value, or a default as in \${${name}:-default}`,
        );
      return value ?? whole;
    },
  );
  return { text, mistakes };
}
