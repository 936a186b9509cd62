import type { Writer } from "../../sql/writer.ts";
import type { World } from "../ports.ts";

/** Opens a connection of the config to write to it. */
export type Writers = { open(connection: string): Promise<Writer> };

/** Lines that survive a crash of this process and of its machine once `sync` has returned. Throws a `FileError`, also where the disk is full. */
export interface DurableLines extends Disposable {
  /** Whether the file held no line when it was opened. */
  readonly fresh: boolean;
  /** Appends lines. Each is whole or, after a crash, the last one is cut short: readers leave out a last line without an end. */
  write(lines: readonly string[]): void;
  /** Returns when everything written so far is on the disk. */
  sync(): void;
}

/** A line of a file and where it stands: byte offsets of its first byte and of the byte behind its end. */
export type PlacedLine = { readonly text: string; readonly from: number; readonly to: number };

/** The files of repairs, below the reports folder: `<id>.undo.jsonl` (mode 600: it holds whole rows) and `<id>.quarantine.jsonl`. */
export type RepairFiles = {
  /** Opens for appending; a line that a crash cut short is taken off. Nothing is made before the first write. */
  append(file: "undo" | "quarantine", id: string): DurableLines;
  /** The whole lines from a byte offset on; null: there is no such file. */
  read(file: "undo" | "quarantine", id: string, from?: number): Iterable<PlacedLine> | null;
  /** The file's path as one types it. */
  path(file: "undo" | "quarantine", id: string): string;
};

/** Lines kept outside of memory for a while; gone when disposed of. */
export interface Spill extends Disposable {
  write(lines: readonly string[]): void;
  lines(): Iterable<string>;
}

/** Everything of the outside that a repair needs. */
export type RepairWorld = World & {
  readonly writers: Writers;
  readonly files: RepairFiles;
  readonly spill: () => Spill;
  /** The connections that are said to be replicas of this one. */
  readonly replicasOf: (connection: string) => readonly string[];
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** Says a line that stays: retries, waits. */
  readonly say: (line: string) => void;
};
