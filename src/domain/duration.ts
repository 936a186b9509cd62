/** A length of time in microseconds, never negative. Kept apart from a `Position`, which is a place and not a length. */
export type Duration = bigint & { readonly [durationBrand]: true };
declare const durationBrand: unique symbol;

/** A size in bytes, never negative. */
export type Bytes = bigint & { readonly [bytesBrand]: true };
declare const bytesBrand: unique symbol;

/** How a duration is written: whole numbers with a unit, larger units first. */
export const DURATION_FORM = "a duration such as 30s, 10m, 6h, 2d or 1h30m";

/** How a size is written. Units are powers of 1024, as PostgreSQL counts them. */
export const BYTES_FORM = "a size such as 500MB or 1GB";

const UNITS: readonly (readonly [unit: string, micros: bigint])[] = [
  ["w", 604_800_000_000n],
  ["d", 86_400_000_000n],
  ["h", 3_600_000_000n],
  ["m", 60_000_000n],
  ["s", 1_000_000n],
  ["ms", 1_000n],
  ["us", 1n],
];

const DURATION =
  /^(?:(\d+)w)?\s*(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m(?!s))?\s*(?:(\d+)s)?\s*(?:(\d+)ms)?\s*(?:(\d+)us)?$/;

/** Reads `30s`, `10m`, `6h`, `2d`, `1w`, `1h30m`, `250ms`, and `0`. Null where the text is no duration (also for a number without a unit). */
export function parseDuration(text: string): Duration | null {
  const trimmed = text.trim();
  if (trimmed === "0") return 0n as Duration;
  const match = trimmed === "" ? null : DURATION.exec(trimmed);
  if (!match) return null;
  let micros = 0n;
  UNITS.forEach(([, size], i) => {
    micros += BigInt(match[i + 1] ?? "0") * size;
  });
  return micros as Duration;
}

/** The shortest text that `parseDuration` reads back to the same length: `90s` becomes `1m30s`; weeks are written as days. */
export function formatDuration(duration: Duration): string {
  if (duration === 0n) return "0s";
  let left: bigint = duration;
  let text = "";
  for (const [unit, size] of UNITS.slice(1)) {
    if (left >= size) text += `${left / size}${unit}`;
    left %= size;
  }
  return text;
}

const SIZES: Readonly<Record<string, bigint>> = { b: 1n, kb: 1n << 10n, mb: 1n << 20n, gb: 1n << 30n, tb: 1n << 40n };

/** Reads `512B`, `64kB`, `500MB`, `1GB`, `2TB` (also `1GiB`; any case, a blank before the unit allowed). Null where the text is no size. */
export function parseBytes(text: string): Bytes | null {
  const match = /^(\d+)\s*(?:(b)|([kmgt])i?(b))$/i.exec(text.trim());
  if (!match) return null;
  const size = SIZES[`${match[3] ?? ""}${match[2] ?? match[4] ?? ""}`.toLowerCase()];
  return size === undefined ? null : ((BigInt(match[1] ?? "0") * size) as Bytes);
}
