import { afterAll } from "vitest";
import { freshDatabase, type TestDatabase, type TestEngine } from "./databases.ts";

/** Databases of the test file that runs: made once, because making one costs a server more than most tests do. */
const kept = new Map<string, Promise<TestDatabase>>();

afterAll(async () => {
  for (const database of kept.values()) await (await database)[Symbol.asyncDispose]();
  kept.clear();
});

/** The database of this test file that goes by this name; what an earlier test left in it is still there. */
export function keptDatabase(engine: TestEngine, name: string): Promise<TestDatabase> {
  const known = kept.get(`${engine} ${name}`) ?? freshDatabase(engine);
  kept.set(`${engine} ${name}`, known);
  return known;
}
