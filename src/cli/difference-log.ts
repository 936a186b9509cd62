import { InvariantError } from "../domain/errors.ts";
import type { DifferenceLog } from "../flows/ports.ts";
import { differenceText, pack, type Packed, unpack } from "./difference-text.ts";
import { NamelessFile } from "./nameless-file.ts";

/** How much text is gathered before it is packed, and read at a time, in characters. */
const PIECE = 1 << 16;

/**
 * Differences kept in memory up to `limit` bytes (default: 4 MiB) and beyond it in a file of `folder` (default: the system's for temporary
 * files); read back in order, with memory that does not grow, as often as one likes. A `FileError` where the disk is full.
 */
export function differenceLog(options: { readonly limit?: number; readonly folder?: string } = {}): DifferenceLog {
  const { limit = 1 << 22, folder } = options;
  const file = new NamelessFile("differences", folder);
  const kept: Packed[] = [];
  let keptBytes = 0;
  const written: { readonly at: number; readonly length: number; readonly wide: boolean }[] = [];
  let waiting = "";
  let size = 0;
  let disposed = false;

  const flush = (): void => {
    if (waiting === "") return;
    const packed = pack(waiting);
    waiting = "";
    if (written.length === 0 && keptBytes + packed.bytes.length <= limit) {
      kept.push(packed);
      keptBytes += packed.bytes.length;
    } else {
      const { bytes, wide } = packed;
      written.push({ at: file.append(bytes), length: bytes.length, wide });
    }
  };
  const alive = (): void => {
    if (disposed) throw new InvariantError("a difference log is not used once it is disposed of");
  };
  function* pieces(): Generator<Packed> {
    // By number: what is added meanwhile belongs to a later reading.
    for (let i = 0, end = kept.length; i < end; i++) yield kept[i] as Packed;
    for (let i = 0, end = written.length; i < end; i++) {
      const { at, length, wide } = written[i] as (typeof written)[number];
      yield { bytes: file.read(at, length), wide };
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
      file[Symbol.dispose]();
    },
  };
}
