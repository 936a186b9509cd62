import type { Finding } from "../../src/domain/finding.ts";
import { openState } from "../../src/state/index.ts";

/** Opens the state like an audit of its own process and writes: `node writer.ts URL NAME TIMES`. */
const [url = "", name = "", times = "0"] = process.argv.slice(2);
await using state = await openState({ url });
for (let i = 0n; i < BigInt(times); i++) {
  await state.observe("shared", { at: i * 1000n + BigInt(name), position: i });
  await state.observe(`own-${name}`, { at: i, position: null });
  // Reads what is known before it writes: a transaction that only then takes its lock may find that it cannot.
  await state.remember("shared", i, [finding(`shared/missing-rows/${name}`)], false);
}

function finding(id: string): Finding {
  return {
    id,
    code: "missing-rows",
    group: "rows",
    severity: "error",
    state: "new",
    says: "",
    rows: 1,
    range: {},
    sample: [],
    evidence: {},
    causes: [],
    fix: null,
  };
}
