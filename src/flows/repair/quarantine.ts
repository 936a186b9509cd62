import type { Json } from "../../domain/finding.ts";
import { compareKeys, type Key, keyIdentity } from "../../domain/key.ts";
import { keyJson } from "../../domain/key-bounds.ts";
import type { PlannedColumn } from "../../compare/plan.ts";
import type { Refused } from "./batch-failures.ts";
import type { DurableLines, RepairFiles } from "./ports.ts";

type Line = {
  readonly key: { readonly [column: string]: Json };
  readonly reason?: string;
  readonly released?: true;
};

/** The rows that a repair's target has refused, and the file that names them. Nothing is made before the first one. */
export class Quarantine implements Disposable {
  readonly #files: RepairFiles;
  readonly #id: string;
  readonly #columns: readonly PlannedColumn[];
  #lines: DurableLines | null = null;
  #waiting: Refused[] = [];

  /** `until`: the last key that an earlier run of this repair was done with; what it refused up to there waits. Null: there was none. */
  constructor(files: RepairFiles, id: string, columns: readonly PlannedColumn[], until: Key | null) {
    this.#files = files;
    this.#id = id;
    this.#columns = columns;
    if (until !== null) this.#waiting = this.#refusedBefore(until);
  }

  /** Whether any row waits for its second chance. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Puts a row aside; its line is on the disk when this returns. */
  refuse(refused: Refused): void {
    this.#write({ key: this.#named(refused.key), reason: refused.reason });
    this.#waiting.push(refused);
  }

  /** All that wait; who is refused again is given back by `wait`. */
  takeAll(): readonly Refused[] {
    return this.#waiting.splice(0);
  }

  wait(refused: Refused): void {
    this.#waiting.push(refused);
  }

  /** A row that was refused has been taken after all. */
  release(key: Key): void {
    this.#write({ key: this.#named(key), released: true });
  }

  [Symbol.dispose](): void {
    this.#lines?.[Symbol.dispose]();
    this.#lines = null;
  }

  /** A key by the source's names. */
  #named(key: Key): Line["key"] {
    const parts = keyJson(
      key,
      this.#columns.map((c) => c.pair.as),
    );
    return Object.fromEntries(this.#columns.map((c, i) => [c.pair.source, parts[i] ?? null]));
  }

  /** The inverse of `#named`. */
  #keyOf(named: Line["key"]): Key {
    return this.#columns.map((c) => {
      const part = named[c.pair.source] ?? null;
      return part === null || typeof part === "string" ? part : JSON.stringify(part);
    });
  }

  /** Rows behind that key are met again: whoever was stopped between a row's line and its checkpoint has not counted it. */
  #refusedBefore(until: Key): Refused[] {
    const kinds = this.#columns.map((c) => c.pair.as);
    const found = new Map<string, Refused>();
    for (const { text } of this.#files.read("quarantine", this.#id) ?? []) {
      const line = JSON.parse(text) as Line;
      const key = this.#keyOf(line.key);
      if (compareKeys(key, until, kinds) > 0) continue;
      if (line.released === true) found.delete(keyIdentity(key));
      else found.set(keyIdentity(key), { key, reason: line.reason ?? "" });
    }
    return [...found.values()];
  }

  #write(line: Line): void {
    this.#lines ??= this.#files.append("quarantine", this.#id);
    this.#lines.write([JSON.stringify(line)]);
    this.#lines.sync();
  }
}
