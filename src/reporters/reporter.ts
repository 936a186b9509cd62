import type { FindingGroup } from "../domain/codes.ts";
import type { ReportDetail } from "../domain/detail.ts";
import type { Report } from "../domain/report.ts";

/** What a reporter makes a report into: one text, ready to be written, ending in a line break. Pure: no clock, no terminal, no file. */
export type Reporter = (report: Report, options: ReporterOptions) => string;

/** What a reporter must know of the place where its text goes. */
export type ReporterOptions = {
  /** Characters of a line. Sentences are wrapped there, commands never. */
  readonly columns: number;
  /** Paints a text; gives it back as it is where there is no colour. */
  readonly style: Styler;
  /** Put behind every `tidemark` command that is shown, so that it can be typed as it stands (` --checks demo/checks`); may be empty. */
  readonly commandSuffix: string;
  /** What the command ends with; null: nobody ends (a library). */
  readonly ending: Ending | null;
  /** What pictures are drawn from. Absent: none are (a report that was read from a file). */
  readonly details?: ReportDetail;
  /** Groups of findings that were asked for. Absent or null: all. */
  readonly only?: readonly FindingGroup[] | null;
  /** The severity from which a finding counts as a failure. Absent: error. */
  readonly failOn?: "error" | "warn" | "never";
};

/** Colours and weights; none of them is ever the only carrier of a meaning. */
export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "cyan";
export type Styler = (style: Style | readonly Style[], text: string) => string;

/** The exit code with what it means in this case, and where the report was kept (null: nowhere). */
export type Ending = { readonly exit: number; readonly means: string; readonly kept: string | null };

/** For pipes, files and `--no-color`. */
export const PLAIN: Styler = (_style, text) => text;
