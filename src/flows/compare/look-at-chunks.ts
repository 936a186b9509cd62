import type { Both, Chunk } from "../../compare/question.ts";
import { stillStands } from "../../compare/witness.ts";
import type { DifferenceLog } from "../ports.ts";
import { converse, NOBODY } from "./converse.ts";
import { inParallel } from "./in-parallel.ts";
import type { Origins } from "./origins.ts";
import type { SecondLook } from "./recheck.ts";
import type { SideReader } from "./side-reader.ts";

/**
 * A second look at chunks in which much differs: where a chunk's checksums are what they were, all that differed in it still does, and
 * no row is fetched. What is left goes to `lookAtRest`, with the chunks that hold it. Gives `suspected` itself back where all of it stands.
 */
export async function lookAtChunks(
  suspected: DifferenceLog,
  origins: Origins,
  readers: Both<SideReader>,
  parallel: number,
  log: () => DifferenceLog,
  lookAtRest: (rest: DifferenceLog, chunks: readonly Chunk[]) => Promise<SecondLook>,
): Promise<SecondLook> {
  const standing = new Set<number>();
  await inParallel(origins.witnesses, parallel, async ([chunk, witness]) => {
    if (await converse(stillStands(witness), readers, NOBODY)) standing.add(chunk);
  });
  const chunks = origins.chunksBut(standing);
  if (chunks.length === 0) return { confirmed: suspected, moved: log() };
  const confirmed = log();
  using rest = log();
  for (const [difference, chunk] of origins.of(suspected.all()))
    (standing.has(chunk) ? confirmed : rest).add(difference);
  const look = await lookAtRest(rest, chunks);
  for (const difference of look.confirmed.all()) confirmed.add(difference);
  look.confirmed[Symbol.dispose]();
  return { confirmed, moved: look.moved };
}
