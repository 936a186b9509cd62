import { readFileSync } from "node:fs";
import type { CheckDetail, ReportDetail } from "../domain/detail.ts";
import type { Report } from "../domain/report.ts";
import { bigintReviver, bigintToJson } from "./bigint-json.ts";

/**
 * What the pictures of a part's report are drawn from, beside its JSON form, so that `merge` can draw them: `part-1.pictures.json` by
 * `part-1.json`. It is bounded as the pictures are. Bigints are `{"$bigint":"…"}`.
 */
type PicturesFile = {
  readonly tidemark_pictures: 1;
  /** The start of the audit: pictures of another one are not those of this report. */
  readonly started_at: string;
  readonly checks: { readonly [check: string]: CheckDetail };
};

/** Where the pictures of a JSON report lie. */
export function picturesBeside(report: string): string {
  return `${report.replace(/\.json$/i, "")}.pictures.json`;
}

/** The text of that file. */
export function picturesText(report: Report, details: ReportDetail): string {
  const pictures: PicturesFile = {
    tidemark_pictures: 1,
    started_at: report.started_at,
    checks: Object.fromEntries(details),
  };
  return `${JSON.stringify(pictures, bigintToJson)}\n`;
}

/** What lies beside a report; or why its page has no pictures. */
export function readPictures(report: Report, reportFile: string): ReportDetail | { readonly why: string } {
  const file = picturesBeside(reportFile);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    return { why: code === "ENOENT" ? `there is no ${file}` : `${file} cannot be read: ${code}` };
  }
  const pictures = parsed(text);
  if (pictures?.tidemark_pictures !== 1 || typeof pictures.checks !== "object")
    return { why: `${file} holds none that this Tidemark reads` };
  if (pictures.started_at !== report.started_at) return { why: `${file} is of another audit` };
  return new Map(Object.entries(pictures.checks));
}

function parsed(text: string): PicturesFile | null {
  try {
    return JSON.parse(text, bigintReviver) as PicturesFile | null;
  } catch {
    return null;
  }
}
