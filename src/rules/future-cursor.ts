import { formatInstant } from "../domain/position.ts";
import { jsonCount } from "../domain/report.ts";
import { duration, moment, rows, seconds } from "../domain/wording.ts";
import { sampleRow } from "./row-findings.ts";
import { rule } from "./rule.ts";

/** Source rows whose cursor lies in the future: a run that takes one for its watermark reads nothing any more. */
export const futureCursor = rule(
  "future-cursor",
  ["check", "axis", "now", "sourceCursor", "mapping"],
  ({ check, axis, now, sourceCursor, mapping }) => {
    const { future, newest, futureSample } = sourceCursor;
    if (axis !== "time" || future === 0n) return [];
    return [
      {
        severity: "error",
        says: `${rows(future)} of the source ${future === 1n ? "has" : "have"} a cursor in the future${newest === null ? "" : `, up to ${moment(newest)} (${duration(newest - now)} from now)`}: a watermark taken from there skips everything before it`,
        rows: future,
        sides: ["source"],
        ...(check.cursor === null ? {} : { columns: [check.cursor.column] }),
        sample: futureSample === null ? [] : [sampleRow(futureSample.key, null, mapping)],
        evidence: {
          rows: jsonCount(future),
          newest: newest === null ? null : formatInstant(newest),
          beyond_now_seconds: newest === null ? null : seconds(newest - now),
          allowed_seconds: seconds(check.expect.future),
        },
      },
    ];
  },
);
