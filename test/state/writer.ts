import { openState } from "../../src/state/index.ts";

/** Opens the state like an audit of its own process and writes: `node writer.ts URL NAME TIMES`. */
const [url = "", name = "", times = "0"] = process.argv.slice(2);
await using state = await openState({ url });
for (let i = 0n; i < BigInt(times); i++) {
  await state.observe("shared", { at: i * 1000n + BigInt(name), position: i });
  await state.observe(`own-${name}`, { at: i, position: null });
}
