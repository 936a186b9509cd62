import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { InvariantError } from "../../domain/errors.ts";
import { NO_HASH } from "../../sql/digest.ts";
import { canonicalText, type Form, printed } from "./canonical.ts";

/**
 * SQLite runs in our process, so what it cannot say in SQL it asks us: these functions are on every connection.
 *
 * | function | is |
 * |---|---|
 * | `tidemark_text(form, x)` | the canonical text of x; `form` is a `Form` as JSON |
 * | `tidemark_printed(x)` | x as text without loss |
 * | `tidemark_hash(algorithm, bytes)` | the first 64 bits of the hash, as a signed number |
 * | `tidemark_hex(algorithm, bytes)` | the whole hash in lower-case hex |
 * | `tidemark_sum(n)` | the exact sum as text (SUM itself fails beyond 64 bits), NULL counting as `NO_HASH` |
 *
 * All but the last give NULL for NULL. `tick` is called now and then: it may throw to end a statement that takes too long, which
 * nothing else can, since the statement runs on the thread that would stop it.
 */
export function addFunctions(db: DatabaseSync, tick: () => void): void {
  const options = { deterministic: true, useBigIntArguments: true } as const;
  let calls = 0;
  const count = (): void => {
    if ((++calls & 0x3ff) === 0) tick();
  };
  db.function("tidemark_text", options, (form, x) => {
    count();
    return x === null ? null : canonicalText(x, formOf(form as string));
  });
  db.function("tidemark_printed", options, (x) => {
    count();
    return x === null ? null : printed(x);
  });
  db.function("tidemark_hash", options, (algorithm, bytes) => {
    count();
    return bytes === null ? null : hash(algorithm as string, asBytes(bytes), "buffer").readBigInt64BE(0);
  });
  db.function("tidemark_hex", options, (algorithm, bytes) => {
    count();
    return bytes === null ? null : hash(algorithm as string, asBytes(bytes), "hex");
  });
  db.aggregate<bigint>("tidemark_sum", {
    start: () => 0n,
    useBigIntArguments: true,
    step: (sum, n) => sum + (n === null ? NO_HASH : (n as bigint)),
    result: (sum) => sum.toString(),
  });
}

function asBytes(x: unknown): Buffer {
  if (x instanceof Uint8Array) return Buffer.from(x.buffer, x.byteOffset, x.byteLength);
  throw new InvariantError("a hash is made of bytes: the dialect casts its text to a blob");
}

const forms = new Map<string, Form>();

function formOf(json: string): Form {
  let form = forms.get(json);
  if (form === undefined) {
    form = JSON.parse(json) as Form;
    forms.set(json, form);
  }
  return form;
}
