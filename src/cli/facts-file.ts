import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import type { Difference } from "../domain/difference.ts";
import { FileError, UsageError } from "../domain/errors.ts";
import type { Facts } from "../domain/facts.ts";
import type { CheckReport } from "../domain/report.ts";
import type { AuditOptions, KnownFinding } from "../flows/ports.ts";
import { bigintReviver, bigintToJson } from "./bigint-json.ts";
import { type ListLine, listLines, ListReader, withoutLists } from "./facts-lists.ts";

/**
 * What `--save-facts` keeps, as JSON Lines: a line for the file (when, asked what), then for each check a line with its facts, lines with
 * the lists of its ledger, one for each difference, and one that ends it; last a line that ends the file. Version 1 had the lists among the
 * facts, and is still read. Bigints are `{"$bigint":"…"}`. It holds keys and the
 * values of cursors and versions, and no secret; of other values what the check lets be shown, and no fingerprint either: a short value
 * is soon guessed from one.
 */
export type FactsHeader = {
  readonly tidemark_facts: 1 | 2;
  readonly tool: string;
  readonly started: bigint;
  readonly options: AuditOptions;
};

/** One check of a facts file. `facts` null: it could not finish, and `report` says why. `differences` can be read again and again. */
export type SavedCheck = {
  readonly check: string;
  readonly facts: Facts | null;
  /** Its report at the time. */
  readonly report: CheckReport;
  /** What was known of its findings before the audit. */
  readonly known: readonly KnownFinding[];
  readonly differences: Iterable<Difference>;
};

/** Writes a facts file. It has its name only once `finish` was called; disposed of before, nothing is left. */
export interface FactsWriter extends Disposable {
  add(check: SavedCheck): void;
  finish(finished: bigint): void;
}

/** Opens a facts file for writing. Throws a `FileError` at once where it cannot be written. */
export function writeFacts(path: string, header: FactsHeader): FactsWriter {
  const part = `${path}.part`;
  let file: number | null = null;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new FileError(`cannot write ${path}: ${(error as NodeJS.ErrnoException).code ?? "unknown reason"}`, {
        cause: error,
      });
    }
  };
  const opened = attempt(() => openSync(part, "w", 0o600));
  file = opened;
  const line = (value: unknown): string => `${JSON.stringify(value, bigintToJson)}\n`;
  attempt(() => writeSync(opened, line({ ...header, tidemark_facts: VERSION })));
  return {
    add({ check, facts, report, known, differences }) {
      let text = line({ check, facts: facts === null ? null : withoutLists(facts), report, known });
      let many = 0;
      // At once and to the end: checks finish in any order, and their lines must not mix.
      attempt(() => {
        const add = (more: string): void => {
          text += more;
          if (text.length <= BLOCK) return;
          writeSync(opened, text);
          text = "";
        };
        if (facts !== null) for (const part of listLines(facts)) add(line(part));
        for (const difference of differences) {
          add(line(kept(difference)));
          many++;
        }
        writeSync(opened, text + line({ end: check, differences: many }));
      });
    },
    finish(finished) {
      attempt(() => {
        writeSync(opened, line({ finished }));
        closeSync(opened);
        file = null;
        renameSync(part, path);
      });
    },
    [Symbol.dispose]() {
      if (file === null) return;
      closeSync(file);
      rmSync(part, { force: true });
    },
  };
}

/** A facts file as it was read. */
export type SavedFacts = {
  readonly header: FactsHeader;
  readonly finished: bigint;
  readonly checks: readonly SavedCheck[];
};

/** Reads a facts file. A `UsageError` where it is none or not ours to read, or ends too early. Differences are read when they are asked for. */
export function readFacts(path: string): SavedFacts {
  const refuse = (why: string): UsageError =>
    new UsageError(`cannot judge ${path}: ${why}; expected what \`tidemark audit --save-facts FILE\` writes`);
  const checks: SavedCheck[] = [];
  let header: FactsHeader | null = null;
  let open: { readonly check: Omit<SavedCheck, "differences">; readonly lists: ListReader; from: number } | null = null;
  let finished: bigint | null = null;
  for (const { text, next } of linesOf(path, 0)) {
    // Differences are skipped here without being parsed.
    const isList = open !== null && text.startsWith('{"list":');
    if (open !== null && !isList && !text.startsWith('{"end":')) continue;
    const value = decoded(text);
    if (value === null) throw refuse("it is no JSON Lines");
    if (header === null) {
      if (!("tidemark_facts" in value)) throw refuse("it holds no facts");
      if (value.tidemark_facts !== 1 && value.tidemark_facts !== VERSION)
        throw refuse(
          `it is version ${JSON.stringify(value.tidemark_facts)}, and this Tidemark reads versions 1 and ${VERSION}`,
        );
      header = value as FactsHeader;
    } else if (open !== null && isList) {
      open.lists.add(value as ListLine);
      open.from = next;
    } else if ("end" in value && open !== null) {
      const { check, lists, from } = open;
      const facts = lists.fill(check.facts);
      checks.push({ ...check, facts, differences: differencesOf(path, from, Number(value.differences)) });
      open = null;
    } else if ("finished" in value) finished = value.finished as bigint;
    else open = { check: value as Omit<SavedCheck, "differences">, lists: new ListReader(), from: next };
  }
  if (header === null) throw refuse("it is empty");
  if (finished === null || open !== null) throw refuse("it ends too early, as if its writing had been cut off");
  return { header, finished, checks };
}

function differencesOf(path: string, from: number, many: number): Iterable<Difference> {
  return {
    *[Symbol.iterator]() {
      let left = many;
      if (left === 0) return;
      for (const { text } of linesOf(path, from)) {
        yield decoded(text) as unknown as Difference;
        left--;
        if (left === 0) return;
      }
    },
  };
}

const BLOCK = 1 << 16;
const VERSION = 2;

/** Lines from a byte on, each with the byte at which the next begins; a last one without its end is given too. */
function* linesOf(path: string, from: number): Generator<{ readonly text: string; readonly next: number }> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? "unknown reason"}`, {
      cause: error,
    });
  }
  try {
    const block = Buffer.alloc(BLOCK);
    let pieces: Buffer[] = [];
    let at = from;
    let length = 0;
    for (let read = readSync(file, block, 0, BLOCK, at); read > 0; read = readSync(file, block, 0, BLOCK, at)) {
      let start = 0;
      for (let end = block.indexOf(10, start); end >= 0 && end < read; end = block.indexOf(10, start)) {
        pieces.push(block.subarray(start, end));
        yield { text: Buffer.concat(pieces).toString("utf8"), next: at + end + 1 };
        pieces = [];
        length = 0;
        start = end + 1;
      }
      if (start < read) {
        pieces.push(Buffer.from(block.subarray(start, read)));
        length += read - start;
      }
      at += read;
    }
    if (length > 0) yield { text: Buffer.concat(pieces).toString("utf8"), next: at };
  } finally {
    closeSync(file);
  }
}

/** A difference without what only its own audit needs. */
function kept(difference: Difference): Difference {
  if (difference.type !== "changed") return difference;
  const { seen: _, ...rest } = difference;
  return rest;
}

function decoded(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text, bigintReviver);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
