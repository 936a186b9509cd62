/** URLs of the demo's databases, as its tidemark.yaml writes them. */
export type DemoUrls = { readonly lms: string; readonly crm: string };

/** The demo's check files by name. They are those of the repository's `checks` folder, but for what its comments say. */
export function demoChecks(urls: DemoUrls): Readonly<Record<string, string>> {
  return { "tidemark.yaml": tidemarkYaml(urls), "grades.yaml": GRADES };
}

const tidemarkYaml = ({ lms, crm }: DemoUrls): string => `# What all checks share. Made by \`tidemark demo\`.
connections:
  lms: { url: "${lms}" } # the nightly snapshot of the learning platform
  crm: { url: "${crm}" } # where the pipeline writes, and keeps its ledger
state: sqlite:.tidemark/state.db
reports: reports
defaults: { settle: 10m }
`;

const GRADES = `description: grades of the learning platform, from its nightly snapshot into the CRM
source: { connection: lms, table: grades, timezone: UTC }
target: { connection: crm, table: grades, timezone: UTC }
key: [id]
cursor: { column: timemodified } # what the pipeline's windows are cut by
arrival: { column: loaded_at } # when the snapshot first showed the row
runs: # where the pipeline writes down what it did
  connection: crm
  table: sync_runs
  columns:
    {
      id: run_id,
      from: watermark_from,
      to: watermark_to,
      started: started_at,
      finished: finished_at,
      status: status,
      rows: rows_extracted,
    }
  where: "pipeline = 'grades'"
  window: "(]"
expect:
  zero_rows: { streak: 3 }
`;
