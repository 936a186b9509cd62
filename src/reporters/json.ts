import type { Reporter } from "./reporter.ts";

/** The report as it is, version 1 (interface.md §5): other programs read it. Two blanks of indent, so that people can too. */
export const json: Reporter = (report) => `${JSON.stringify(report, null, 2)}\n`;
