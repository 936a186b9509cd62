import type { CheckReport } from "../domain/report.ts";
import type { Reporter } from "./reporter.ts";
import { amount, counted } from "./text/amount.ts";
import { TOGETHER, printable } from "./text/wrap.ts";

/** Annotations of one level that GitHub shows for a step. */
const SHOWN = 10;

type Level = "error" | "warning" | "notice";
type Annotation = { readonly level: Level; readonly title: string; readonly message: string };

/**
 * Workflow commands of GitHub Actions, which make annotations: an error for each error (and each check that could not finish), a warning
 * for each warning. GitHub shows ten of a level; the tenth says how many more there are. Notes and what is accepted or over is left out.
 */
export const github: Reporter = (report) => {
  const all = report.checks.flatMap(annotationsOf);
  const lines = (["error", "warning", "notice"] as const).flatMap((level) => {
    const of = all.filter((each) => each.level === level);
    if (of.length <= SHOWN) return of.map(command);
    const more = of.length - SHOWN + 1;
    const rest = `${counted(more, `more ${level}`)} in the report`.replaceAll(TOGETHER, " ");
    return [...of.slice(0, SHOWN - 1), { level, title: "tidemark", message: rest }].map(command);
  });
  const passed = report.checks.filter(({ verdict }) => verdict === "pass").length;
  const sentence = `tidemark: ${report.verdict}; ${amount(passed)} of ${counted(report.checks.length, "check")} passed`;
  return `${[...lines, sentence.replaceAll(TOGETHER, " ")].join("\n")}\n`;
};

function annotationsOf({ check, error, findings }: CheckReport): readonly Annotation[] {
  const failed =
    error === null
      ? []
      : [
          {
            level: "error",
            title: `${check}: could not finish`,
            message: [error.message, ...(error.hint === null ? [] : [error.hint])].join("\n"),
          } as const,
        ];
  return [
    ...failed,
    ...findings.flatMap((finding): readonly Annotation[] => {
      if (finding.state === "recovered" || finding.accepted === true || finding.severity === "info") return [];
      const message = [
        finding.says,
        ...finding.causes.map(({ says }) => says),
        ...(finding.fix === null ? [] : [finding.fix]),
      ];
      return [
        {
          level: finding.severity === "error" ? "error" : "warning",
          title: `${check}: ${finding.code} (${finding.state})`,
          message: message.join("\n"),
        },
      ];
    }),
  ];
}

/** https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts: what must not stand as it is in a command. */
function command({ level, title, message }: Annotation): string {
  return `::${level} title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  return printable(text.replaceAll("\r\n", "\n")).replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
