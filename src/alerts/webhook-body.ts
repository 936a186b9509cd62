import { createHash, createHmac } from "node:crypto";
import type { CheckReport } from "../domain/report.ts";
import type { Finding } from "../domain/finding.ts";
import type { News, NewsItem } from "../domain/news.ts";
import { groupOf } from "../domain/codes.ts";
import { jsonCount } from "../domain/report.ts";

/**
 * The JSON report (version 1) as this receiver has to hear it: what could not be delivered to it before stands there as `new`, `worse`
 * or `recovered` again, although the audit itself has seen it already. Otherwise it is the report, word for word.
 */
export function webhookBody({ report, items }: News): string {
  const checks = report.checks.map((check) =>
    heard(
      check,
      items.filter((item) => item.check === check.check),
    ),
  );
  return `${JSON.stringify({ ...report, checks }, null, 2)}\n`;
}

/**
 * What is sent beside a body: `Tidemark-Signature: sha256=` and the HMAC-SHA256 of the body's bytes under the secret, in hexadecimal,
 * where there is a secret; `Tidemark-Delivery`, which is the same in every retry of one body.
 */
export function webhookHeaders(body: string, secret: string | null, version: string): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": `tidemark/${version}`,
    "tidemark-delivery": createHash("sha256").update(body).digest("hex").slice(0, 32),
    ...(secret === null ? {} : { "tidemark-signature": `sha256=${signature(body, secret)}` }),
  };
}

function signature(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function heard(check: CheckReport, items: readonly NewsItem[]): CheckReport {
  const byId = new Map(items.map((item) => [item.id, item]));
  const findings = check.findings.map((finding) => {
    const kind = byId.get(finding.id)?.kind;
    const untold = finding.state === "ongoing" && (kind === "new" || kind === "worse");
    return untold ? { ...finding, state: kind } : finding;
  });
  const inReport = new Set(check.findings.map(({ id }) => id));
  const over = items.filter(({ kind, id }) => kind === "recovered" && !inReport.has(id));
  return { ...check, findings: [...findings, ...over.flatMap(recovered)] };
}

/** A finding that recovered in an audit of which this receiver could not be told. */
function recovered({ id, code, rows, severity }: NewsItem): readonly Finding[] {
  if (code === "incomplete") return [];
  return [
    {
      id,
      code,
      group: groupOf(code),
      severity: "info",
      state: "recovered",
      says: `${code} has recovered`,
      rows: rows === null ? null : 0,
      range: {},
      sample: [],
      evidence: { was: { severity, rows: rows === null ? null : jsonCount(rows) } },
      causes: [],
      fix: null,
    },
  ];
}
