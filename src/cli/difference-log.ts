import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError, InvariantError } from "../domain/errors.ts";
import type { DifferenceLog } from "../flows/ports.ts";
import { differenceText, pack, type Packed, unpack } from "./difference-text.ts";

/** How much text is gathered before it is packed, and read at a time, in characters. */
const PIECE = 1 << 16;

/**
 * Differences kept in memory up to `limit` bytes (default: 4 MiB) and beyond it in a file of `folder` (default: the system's for temporary
 * files); read back in order, with memory that does not grow, as often as one likes. The file has no name once it is open and only its
 * owner may read it: keys are people's data, and no crash leaves them behind. A `FileError` where the disk is full.
 */
export function differenceLog(options: { readonly limit?: number; readonly folder?: string } = {}): DifferenceLog {
  const { limit = 1 << 22, folder = tmpdir() } = options;
  const kept: Packed[] = [];
  let keptBytes = 0;
  const written: { readonly at: number; readonly length: number; readonly wide: boolean }[] = [];
  let file: { readonly fd: number; end: number } | null = null;
  let waiting = "";
  let size = 0;
  let disposed = false;

  const flush = (): void => {
    if (waiting === "") return;
    const packed = pack(waiting);
    waiting = "";
    if (file === null && keptBytes + packed.bytes.length <= limit) {
      kept.push(packed);
      keptBytes += packed.bytes.length;
      return;
    }
    const { bytes, wide } = packed;
    trying(folder, () => {
      file ??= { fd: openNameless(folder), end: 0 };
      const at = file.end;
      for (let done = 0; done < bytes.length; ) done += writeSync(file.fd, bytes, done, bytes.length - done, at + done);
      written.push({ at, length: bytes.length, wide });
      file.end += bytes.length;
    });
  };
  const alive = (): void => {
    if (disposed) throw new InvariantError("a difference log is not used once it is disposed of");
  };
  function* pieces(): Generator<Packed> {
    // By number: what is added meanwhile belongs to a later reading.
    for (let i = 0, end = kept.length; i < end; i++) yield kept[i] as Packed;
    for (let i = 0, end = written.length; i < end; i++) {
      const { at, length, wide } = written[i] as (typeof written)[number];
      yield { bytes: trying(folder, () => readAt((file as { fd: number }).fd, at, length)), wide };
    }
  }

  return {
    add(difference) {
      alive();
      size++;
      waiting += differenceText(difference);
      if (waiting.length >= PIECE) flush();
    },
    get size() {
      return size;
    },
    *all() {
      alive();
      flush();
      for (const piece of pieces())
        for (const difference of unpack(piece)) {
          yield difference;
          alive();
        }
    },
    [Symbol.dispose]() {
      disposed = true;
      kept.length = 0;
      waiting = "";
      if (file !== null) closeSync(file.fd);
      file = null;
    },
  };
}

function openNameless(folder: string): number {
  const path = join(folder, `tidemark-${randomUUID()}`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

function readAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) throw new Error("the file ends early");
    done += read;
  }
  return bytes;
}

function trying<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new FileError(
      `differences cannot be kept in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: "free some space there, or point TMPDIR to a folder with more",
        cause,
      },
    );
  }
}
