/** What a secret prints as, everywhere. */
export const HIDDEN = "***";

/**
 * A value that must never be seen: a connection's URL, a webhook, a signing key. It prints as `***` in logs, JSON, templates and
 * debuggers; `reveal()` is for the one place that hands it to a driver. `structuredClone` and JSON lose the value, on purpose.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for a driver. Never for a message. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.toPrimitive](): string {
    return HIDDEN;
  }

  /** What `util.inspect` and `console.log` ask for. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return HIDDEN;
  }
}

const SECRET_PARAMETERS = /^(password|passwd|pwd|sslpassword|sslkey|secret|token|access_?token|api_?key)$/i;

/** Shorter ones are blanked only where they stand alone, or a password `a` would eat every message. */
const SHORT = 4;

/**
 * The text without any of the secrets: URLs whole, their passwords (as written and percent-decoded), secret query parameters, and the
 * paths of webhooks (http, https), each replaced by `***`. For the messages of drivers and servers, which love to quote them.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  const parts = [...new Set(secrets.flatMap((secret) => tellingParts(secret.reveal())))];
  // The longest first, so that a password inside a URL does not keep the rest of the URL from being found.
  parts.sort((a, b) => b.length - a.length);
  return parts.reduce(blank, text);
}

function blank(text: string, part: string): string {
  if (part.length >= SHORT) return text.replaceAll(part, HIDDEN);
  const literal = part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu"), HIDDEN);
}

function tellingParts(value: string): readonly string[] {
  if (value === "") return [];
  const scheme = /^([a-z][a-z0-9+.-]*):(\/\/)?/i.exec(value);
  if (scheme === null) return [value];
  // `sqlite:path` holds no secret, and its path is what a message about it must say.
  if (scheme[2] === undefined) return [];
  const parts = [value, ...spellings(userInfoPassword(value))];
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null) return parts;
  parts.push(url.href, ...spellings(url.password));
  for (const [name, parameter] of url.searchParams)
    if (SECRET_PARAMETERS.test(name)) parts.push(...spellings(parameter));
  if (/^https?$/i.test(scheme[1] ?? "")) {
    const path = url.pathname + url.search;
    if (path.length > 1) parts.push(path);
    if (url.pathname.length > 1) parts.push(url.pathname);
    // The last piece of a webhook's path is its key.
    parts.push(...url.pathname.split("/").filter((piece) => piece.length >= 16));
  }
  return parts.filter((part) => part !== "");
}

/** The password between the first `:` after the user and the last `@` before the path, also where the URL itself does not parse. */
function userInfoPassword(value: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/:@]*:(.*)@/i.exec(value)?.[1] ?? "";
}

function spellings(part: string): readonly string[] {
  if (part === "") return [];
  const decoded = decode(part);
  return [part, decoded, encodeURIComponent(decoded), JSON.stringify(decoded).slice(1, -1)];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
