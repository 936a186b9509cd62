import { keyIdentity } from "../../domain/key.ts";
import type { Writer } from "../../sql/writer.ts";
import { NotAsWritten, type Refused } from "./batch-failures.ts";
import type { Judged } from "./judge-row.ts";
import type { Layout } from "./layout.ts";
import { readTarget } from "./read-rows.ts";

/** Looks at what was written, in the same transaction; fingerprints by key. */
export async function readBack(
  layout: Layout,
  writer: Writer,
  written: readonly Judged[],
  deletes: readonly Judged[],
): Promise<ReadonlyMap<string, string>> {
  const { plan } = layout;
  const keys = [...written, ...deletes].map((j) => j.item.key);
  const now = await readTarget(writer, writer.write, layout, keys, "look back");
  const wrong: Refused[] = [];
  const after = new Map<string, string>();
  for (const { item, source } of written) {
    const id = keyIdentity(item.key);
    const row = now.get(id);
    if (row === undefined) wrong.push({ key: item.key, reason: "the target does not hold it after it was written" });
    else {
      const unlike = plan.columns
        .filter((c, i) => !c.same(source?.compared[i] ?? null, row.compared[i] ?? null))
        .map((c) => c.pair.target);
      if (unlike.length > 0)
        wrong.push({
          key: item.key,
          reason: `the target keeps another value than the one written in ${unlike.join(", ")}: it cannot hold it, or a trigger changed it`,
        });
      else after.set(id, row.fingerprint);
    }
  }
  for (const { item } of deletes)
    if (now.has(keyIdentity(item.key)))
      wrong.push({ key: item.key, reason: "the target still holds it after it was deleted" });
  if (wrong.length > 0) throw new NotAsWritten(wrong);
  return after;
}
