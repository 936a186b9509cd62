const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** A number of bytes as PostgreSQL and people say it: `512 B`, `1.5 GB` (powers of 1024, one digit, cut). */
export function size(bytes: bigint | null): string {
  if (bytes === null) return "an unknown amount";
  let unit = 0;
  let tenths = bytes * 10n;
  while (tenths >= 10_240n && unit < UNITS.length - 1) {
    tenths /= 1024n;
    unit += 1;
  }
  const text = unit === 0 || tenths % 10n === 0n ? `${tenths / 10n}` : `${tenths / 10n}.${tenths % 10n}`;
  return `${text} ${UNITS[unit]}`;
}
