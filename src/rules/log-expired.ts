import { duration, seconds } from "../domain/wording.ts";
import { rule } from "./rule.ts";

/** What the consumer still has to read is no longer in the logs, or the server keeps them shorter than the check asks for. */
export const logExpired = rule("log-expired", ["check", "cdc"], ({ check, cdc }) => {
  const { log } = cdc;
  if (log === null) return [];
  const wanted = check.cdc?.binlogRetention ?? null;
  const gone = log.holdsPosition === false;
  const short = wanted !== null && log.retention !== null && log.retention < wanted;
  if (!gone && !short) return [];
  const says = [
    ...(gone
      ? [
          `the consumer's position${log.consumerFile === null ? "" : ` (${log.consumerFile})`} is no longer in the binary logs${log.oldestFile === null ? "" : `, which begin with ${log.oldestFile}`}: compare everything`,
        ]
      : []),
    ...(short
      ? [
          `the server keeps its binary logs for ${duration(log.retention ?? 0n)}, and the check asks for ${duration(wanted ?? 0n)}`,
        ]
      : []),
  ];
  return [
    {
      severity: "error",
      says: says.join("; "),
      evidence: {
        holds_position: log.holdsPosition,
        oldest_file: log.oldestFile,
        consumer_file: log.consumerFile,
        retention_seconds: log.retention === null ? null : seconds(log.retention),
        wanted_seconds: wanted === null ? null : seconds(wanted),
      },
    },
  ];
});
