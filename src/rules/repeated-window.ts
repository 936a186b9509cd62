import type { Windowed } from "../domain/ledger-index.ts";
import { isEmpty } from "../domain/window.ts";
import { count, names } from "../domain/wording.ts";
import { windowJson } from "./concerns.ts";
import { rule } from "./rule.ts";

/** Windows that two or more successful runs read. An empty one (nothing new, the watermark stays) is no repetition. */
export const repeatedWindow = rule("repeated-window", ["axis", "ledger"], ({ axis, ledger }) => {
  const full = ledger.successes.filter((run) => !isEmpty(run.window));
  const repeated = [...Map.groupBy(full, identity).values()].filter((runs) => runs.length > 1);
  const [first] = repeated;
  if (first === undefined) return [];
  return [
    {
      severity: "info",
      says: `${count(repeated.length, "window")} read more than once: ${repeated.length === 1 ? "" : "the first "}by runs ${names(first.map((run) => run.id))}`,
      evidence: {
        windows: repeated.slice(-20).map((runs) => ({
          ...windowJson((runs[0] as Windowed).window, axis),
          runs: runs.slice(0, 20).map((run) => run.id),
        })),
        windows_total: repeated.length,
      },
    },
  ];
});

function identity({ window }: Windowed): string {
  return `${window.from}/${window.to}`;
}
