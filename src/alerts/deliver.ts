import { setTimeout } from "node:timers/promises";
import { InterruptedError } from "../domain/errors.ts";

/** What one attempt came to; null: delivered. */
export type Refusal = {
  readonly why: string;
  /** Whether the same message may well be taken a little later. */
  readonly again: boolean;
  /** The answer's Retry-After, as sent; null: none. */
  readonly retryAfter: string | null;
  readonly hint: string | null;
};

/** How patient a delivery is, in milliseconds. */
export type Pace = {
  readonly attempts: number;
  /** One attempt, with its answer. */
  readonly timeout: number;
  /** Before the second attempt; then twice as long each time, with up to half as much again by chance. */
  readonly wait: number;
  /** The longest wait that a Retry-After may ask for; beyond it the message waits for the next audit. */
  readonly longest: number;
};

export const PACE: Pace = { attempts: 4, timeout: 10_000, wait: 500, longest: 20_000 };

/** What went wrong in the end, and how often it was tried; null: delivered. */
export type Undelivered = Pick<Refusal, "why" | "hint"> & { readonly attempts: number };

/** Tries until a message is taken, refused for good, or the patience is over. Throws an `InterruptedError` once `signal` is aborted. */
export async function deliver(
  attempt: (signal: AbortSignal) => Promise<Refusal | null>,
  pace: Pace,
  signal: AbortSignal,
): Promise<Undelivered | null> {
  for (let n = 1; ; n++) {
    if (signal.aborted) throw new InterruptedError();
    const refusal = await attempt(AbortSignal.any([signal, AbortSignal.timeout(pace.timeout)]));
    if (refusal === null) return null;
    if (signal.aborted) throw new InterruptedError();
    const { why, hint } = refusal;
    if (!refusal.again || n === pace.attempts) return { why, hint, attempts: n };
    const asked = waitOf(refusal.retryAfter);
    if (asked !== null && asked > pace.longest)
      return { why: `${why} and asks to wait ${Math.ceil(asked / 1000)} s`, hint, attempts: n };
    // Everybody whose alert was refused at one moment should not come back at one moment.
    const own = pace.wait * 2 ** (n - 1) * (1 + Math.random() / 2);
    await pause(asked ?? own, signal);
  }
}

/** Whether an HTTP status says: not now. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Why a request had no answer, without the URL, which is a secret. All such reasons may pass. */
export function noAnswer(error: unknown, host: string, timeout: number): Refusal {
  const errors = [...chain(error)];
  const reason = errors.map(reasonOf).find((found) => found !== null);
  const why = errors.some(({ name }) => name === "TimeoutError")
    ? `no answer from ${host} within ${timeout / 1000} s`
    : `no answer from ${host}${reason === undefined ? "" : ` (${reason})`}`;
  return { why, again: true, retryAfter: null, hint: null };
}

/** `ECONNREFUSED`, `bad port`: the system's own word, or a few plain words. Anything longer may quote what must not be seen. */
function reasonOf(error: Error): string | null {
  if ("code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(error.code)) return error.code;
  return error.message !== "fetch failed" && /^[a-z]+(?: [a-z]+){0,3}$/.test(error.message) ? error.message : null;
}

/** An error and what lies behind it. */
function* chain(error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = "original" in each ? each.original : each.cause) yield each;
}

/** A Retry-After (seconds, or an HTTP date) in milliseconds from now; null: none that can be read. */
function waitOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch {
    throw new InterruptedError();
  }
}
