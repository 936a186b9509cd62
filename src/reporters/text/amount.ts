import { TOGETHER } from "./wrap.ts";

/** `120,000`: a count with its thousands apart. Counts beyond 2^53 come as strings and keep every digit. */
export function amount(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 row`, `3 rows`, `2 copies`: a count with its noun. */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${amount(count)}${TOGETHER}${String(count) === "1" ? one : many}`;
}

/** A length of time as people say it, by its two largest units: `0.4 s`, `12 s`, `3 min 20 s`, `10 h 20 min`, `2 d 3 h`. */
export function span(seconds: number): string {
  if (seconds < 0) return `-${span(-seconds)}`;
  if (seconds < 10) return `${Number(seconds.toFixed(seconds < 0.0995 ? 2 : 1))} s`;
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const many = Math.floor(left / size);
    left -= many * size;
    if (many > 0) parts.push(`${many} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

/** `1.5 GB`: a size in powers of 1024. */
export function size(bytes: number): string {
  let left = bytes;
  for (const unit of ["B", "kB", "MB", "GB"]) {
    if (Math.abs(left) < 1024) return `${Number(left.toFixed(1))} ${unit}`;
    left /= 1024;
  }
  return `${Number(left.toFixed(1))} TB`;
}
