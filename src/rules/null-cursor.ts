import { jsonCount } from "../domain/report.ts";
import { rows } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** Source rows without a cursor: no window will ever hold them. */
export const nullCursor = rule(
  "null-cursor",
  ["check", "sourceCursor", "tallyIfCompared"],
  ({ check, sourceCursor, tallyIfCompared }) => {
    const { nulls } = sourceCursor;
    if (nulls === 0n) return [];
    const lacking = tallyIfCompared?.nullCursorsLacking ?? null;
    const lost = lacking === null ? "" : `; the target lacks ${lacking === 0n ? "none of them" : lacking}`;
    return [
      {
        severity: lacking !== null && lacking > 0n ? "error" : "warn",
        says: `${rows(nulls)} of the source ${nulls === 1n ? "has" : "have"} no cursor: no window will ever hold ${nulls === 1n ? "it" : "them"}${lost}`,
        rows: nulls,
        sides: ["source"],
        ...(check.cursor === null ? {} : { columns: [check.cursor.column] }),
        evidence: { rows: jsonCount(nulls), rows_lacking: lacking === null ? null : jsonCount(lacking) },
      },
    ];
  },
);
