import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError } from "../domain/errors.ts";

/**
 * A file that has no name once it is open, and that only its owner may read: what it holds is people's data, and no crash leaves it
 * behind. Written behind its end, read anywhere; made when it is first written to.
 */
export class NamelessFile implements Disposable {
  readonly #what: string;
  readonly #folder: string;
  #fd: number | null = null;
  #size = 0;

  /** `what` it keeps, for its errors: "rows". `folder` default: the system's for temporary files. */
  constructor(what: string, folder: string = tmpdir()) {
    this.#what = what;
    this.#folder = folder;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /** Writes bytes behind the others; where they begin. A `FileError` where the disk takes no more: nothing was added then. */
  append(bytes: Buffer): number {
    const at = this.#size;
    this.#trying(() => {
      this.#fd ??= openNameless(this.#folder);
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#fd, bytes, done, bytes.length - done, at + done);
    });
    this.#size += bytes.length;
    return at;
  }

  /** Bytes that were written. */
  read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.#trying(() => {
      for (let done = 0; done < length; ) {
        const read = this.#fd === null ? 0 : readSync(this.#fd, bytes, done, length - done, at + done);
        if (read === 0) throw new Error("the file ends early");
        done += read;
      }
    });
    return bytes;
  }

  [Symbol.dispose](): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #trying(work: () => void): void {
    try {
      work();
    } catch (cause) {
      throw new FileError(
        `${this.#what} cannot be kept in ${this.#folder}: ${cause instanceof Error ? cause.message : String(cause)}`,
        { hint: "free some space there, or point TMPDIR to a folder with more", cause },
      );
    }
  }
}

function openNameless(folder: string): number {
  const path = join(folder, `tidemark-${randomUUID()}`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}
