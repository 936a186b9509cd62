import { Cron } from "croner";
import { z } from "zod";
import type { HoursOfDay } from "../domain/check.ts";
import { BYTES_FORM, DURATION_FORM, type Duration, parseBytes, parseDuration } from "../domain/duration.ts";
import { parseInstant } from "../domain/position.ts";
import { readRange } from "../domain/range.ts";
import type { TableName } from "../domain/table.ts";
import { isTimezone } from "../domain/timezone.ts";

// Compiling a schema pays when it reads thousands of values; a project is read once.
z.config({ jitless: true });

/** What a setting expects, in words that end "expected …", and whether its value must never be shown. */
export const expectations = z.registry<{ readonly expected: string; readonly secret?: boolean }>();

/** A text that is read into something else; `read` returns null where it cannot be. */
function leaf<T>(
  expected: string,
  read: (text: string) => T | null,
  options: { readonly pattern?: string; readonly examples?: readonly string[]; readonly secret?: boolean } = {},
) {
  const text = z.string().meta({
    ...(options.pattern === undefined ? {} : { pattern: options.pattern }),
    ...(options.examples === undefined ? {} : { examples: [...options.examples] }),
  });
  return text
    .transform((value, context): T => {
      const result = read(value);
      if (result !== null) return result;
      context.issues.push({ code: "custom", input: value });
      return z.NEVER;
    })
    .register(expectations, { expected, secret: options.secret ?? false });
}

/** A text with something in it. */
export const words = (expected: string) => z.string().min(1).register(expectations, { expected });
export const names = (expected: string, least = 0) =>
  z.array(words("a name")).min(least).register(expectations, { expected });
export const flag = () => z.boolean().register(expectations, { expected: "true or false" });
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values).register(expectations, { expected: `one of ${values.join(", ")}` });

export const count = (least: number) =>
  z
    .number()
    .int()
    .min(least)
    .register(expectations, {
      expected: least === 0 ? "a whole number, 0 or more" : `a whole number, ${least} or more`,
    });

/** Words and numbers that stand in a ledger's columns; numbers become their text. */
export const ledgerValues = (expected: string) =>
  z
    .array(
      z
        .union([z.string(), z.number(), z.boolean()])
        .transform(String)
        .register(expectations, { expected: "a text or a number" }),
    )
    .min(1)
    .register(expectations, { expected });

const DURATION_PATTERN = "^(0|(\\d+w)?(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?(\\d+us)?|.*\\$\\{.*)$";

export const duration = () =>
  z
    .union([
      leaf(DURATION_FORM, parseDuration, { pattern: DURATION_PATTERN, examples: ["30s", "10m", "6h", "2d"] }),
      z.literal(0).transform(() => 0n as Duration),
    ])
    .register(expectations, { expected: DURATION_FORM });

export const bytes = () => leaf(BYTES_FORM, parseBytes, { examples: ["500MB", "1GB"] });

export const timezone = () =>
  leaf(
    "the IANA name of a time zone, such as UTC or Europe/Prague (a fixed offset is Etc/GMT-2 for +02:00)",
    (name) => (isTimezone(name) ? name : null),
    { examples: ["UTC", "Europe/Prague"] },
  );

export const schedule = () =>
  leaf('a cron schedule of five fields, such as "0 */2 * * *"', (text) => (isSchedule(text) ? text.trim() : null), {
    examples: ["0 */2 * * *"],
  });

export const hours = () => leaf('hours of the day, such as "22:00-06:00"', readHours, { examples: ["22:00-06:00"] });

export const moment = () =>
  leaf("a date such as 2027-01-01, or an ISO time", parseInstant, { examples: ["2027-01-01"] });

export const table = () =>
  leaf('the name of a table, such as orders, public.orders or "odd.schema".orders', readTableName, {
    examples: ["public.orders"],
  });

export const range = () =>
  leaf("a range such as 2025-01-01..2025-02-01, key:1000..2000 or run:812", (text) => {
    try {
      return readRange(text);
    } catch {
      return null;
    }
  });

/** A plain decimal that is not negative, kept as text so that 0.005 stays 0.005. */
export const tolerance = () =>
  z
    .union([
      z.number().transform((value, context) => check(plainDecimal(String(value)), context)),
      z.string().transform((value, context) => check(plainDecimal(value), context)),
    ])
    .register(expectations, { expected: "a number, 0 or more, such as 0.005" });

/** The URL of a database: a scheme, and something behind it. Its value is never shown. */
export const databaseUrl = (expected: string) =>
  leaf(expected, (url) => (/^[a-z][a-z0-9+.-]*:[^\s]/i.test(url.trim()) ? url.trim() : null), { secret: true });

export const webhookUrl = () =>
  leaf(
    "an http or https URL",
    (url) => (/^https?:\/\/[^/\s]/i.test(url.trim()) && URL.canParse(url.trim()) ? url.trim() : null),
    { secret: true },
  );

function check<T>(value: T | null, context: { readonly issues: unknown[]; readonly value: unknown }): T {
  if (value !== null) return value;
  context.issues.push({ code: "custom", input: context.value });
  return z.NEVER;
}

/** `5e-7` → `0.0000005`; null for anything negative or no number. */
export function plainDecimal(text: string): string | null {
  const match = /^\+?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim());
  if (!match) return null;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length + Math.max(0, -point + 1), "0");
  const shift = point <= 0 ? 1 : point;
  const padded = digits.padEnd(shift, "0");
  const left = padded.slice(0, shift).replace(/^0+(?=\d)/, "");
  const right = padded.slice(shift).replace(/0+$/, "");
  return right === "" ? left : `${left}.${right}`;
}

function isSchedule(text: string): boolean {
  // Croner also takes dates, which are no schedule.
  if (!/^(@[a-z]+|\S+(\s+\S+){4,5})$/i.test(text.trim())) return false;
  try {
    new Cron(text.trim(), { paused: true }).stop();
    return true;
  } catch {
    return false;
  }
}

function readHours(text: string): HoursOfDay | null {
  const match = /^(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!match) return null;
  const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = match.slice(1).map(Number);
  const from = h1 * 60 + m1;
  const to = h2 * 60 + m2;
  if (m1 > 59 || m2 > 59 || from >= 1440 || to > 1440 || from === to) return null;
  const MINUTE = 60_000_000n;
  return { from: (BigInt(from) * MINUTE) as Duration, to: (BigInt(to) * MINUTE) as Duration };
}

/** `schema.name` or `name`; a part in double quotes or backticks may hold dots. Letter case stays as written. */
export function readTableName(text: string): TableName | null {
  const part = /\s*(?:"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^".`\s]+(?: +[^".`\s]+)*))\s*/y;
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (!match) return null;
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2]?.replaceAll("``", "`") ?? match[3] ?? "");
    at = part.lastIndex;
    if (at === text.length) break;
    if (text[at] !== ".") return null;
    at++;
  }
  const [first = "", second] = parts;
  if (parts.length > 2) return null;
  return second === undefined ? { schema: null, name: first } : { schema: first, name: second };
}
