/**
 * Evidence whose name and value are words for machines, said for people: by its name, what makes a phrase of the value's text. Null:
 * nothing that a sentence does not say better. Names that are not here are plain enough as they are.
 */
export const EVIDENCE_WORDS: Readonly<Record<string, (value: string) => string | null>> = {
  clock: (value) => `the data clock stood at ${value}`,
  witness: (value) => WITNESSES[value] ?? `known from ${value}`,
  basis: (value) =>
    value === "observed" ? "measured on rows whose arrival is known" : "worked out from the lost rows alone",
  rows_counted: () => null,
  lag_p50_seconds: (value) => `half of the rows arrive within ${value}`,
  lag_p99_seconds: (value) => `99 % within ${value}`,
  lag_max_seconds: (value) => `the latest after ${value}`,
  lag_rows_sampled: (value) => `the first two told from a sample of ${value} rows`,
};

const WITNESSES: Readonly<Record<string, string>> = {
  ledger: "known from the run's own record",
  arrivals: "known from the arrival times of rows",
  "commit-timestamps": "known from the commit times of rows",
  observations: "known from an earlier audit",
  "source-now": "known from the source as it stands now",
};
