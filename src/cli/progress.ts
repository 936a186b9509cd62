import type { CheckReport } from "../domain/report.ts";
import type { Progress } from "../flows/ports.ts";
import { amount, counted, span } from "../reporters/text/amount.ts";
import { printable, widthOf } from "../reporters/text/wrap.ts";
import type { Screen } from "./screen.ts";

/** How an audit shows that it goes on, on standard error. */
export interface Display extends Progress, Disposable {
  begin(check: string): void;
  end(report: CheckReport): void;
  /** A line that stays, not said with `--quiet`. */
  note(line: string): void;
  /** A line that stays, said with `--verbose` only. */
  detail(line: string): void;
}

/** How much is shown. `reported`: the terminal report follows on standard output, so that failures need no line of their own. */
export type DisplayOptions = { readonly quiet: boolean; readonly verbose: boolean; readonly reported: boolean };

/** Bars where they can be drawn, else a line a check when it is done. With `quiet` only what could not finish, where no report says it. */
export function openDisplay(screen: Screen, options: DisplayOptions): Display {
  if (options.quiet) return lineDisplay({ say: () => {}, end: (report) => sayFailure(report) });
  // Statements and bars in one place would tear each other up.
  if (screen.canDraw && !options.verbose) return barDisplay(screen, options);
  return lineDisplay({ say: screen.say, end: (report) => screen.say(endLine(report)) });

  function sayFailure(report: CheckReport): void {
    if (report.error !== null && !options.reported) screen.say(endLine(report));
  }

  function lineDisplay({ say, end }: { say: (line: string) => void; end: (report: CheckReport) => void }): Display {
    const detail = (line: string): void => {
      if (options.verbose) say(line);
    };
    return {
      begin: (check) => detail(`${check}: begins`),
      end,
      note: say,
      detail,
      rows: () => {},
      step: (check, what) => detail(`${check}: ${what}`),
      [Symbol.dispose]: () => {},
    };
  }
}

/** `grades: fail, 120,000 source rows, 119,997 target rows, 1 error, 2 warnings, 1.2 s` */
export function endLine({ check, verdict, source, target, findings, seconds, error }: CheckReport): string {
  if (error !== null)
    return printable(
      `${check}: could not finish: ${error.message}${error.hint === null ? "" : ` (${error.hint})`}`,
    ).replaceAll("\n", " ");
  const standing = findings.filter(({ state }) => state !== "recovered");
  const of = (severity: string): number => standing.filter((finding) => finding.severity === severity).length;
  const parts: string[] = [verdict];
  if (source.rows !== null) parts.push(`${amount(source.rows)} source rows`);
  if (target.rows !== null) parts.push(`${amount(target.rows)} target rows`);
  if (of("error") > 0) parts.push(counted(of("error"), "error"));
  if (of("warn") > 0) parts.push(counted(of("warn"), "warning"));
  parts.push(span(seconds));
  return printable(`${check}: ${parts.join(", ")}`).replaceAll("\u00a0", " ");
}

/** How far one check is. */
type Bar = { readonly since: number; what: string; done: bigint; of: bigint | null };

const FRAME = 100;
const CLEAR_LINE = "\u001b[2K";

/** Bars that are drawn anew ten times a second, below whatever else is said. */
function barDisplay(screen: Screen, options: DisplayOptions): Display {
  const bars = new Map<string, Bar>();
  let drawn = 0;
  const write = (text: string): void => void process.stderr.write(text);
  const clear = (): void => {
    if (drawn > 0) write(`\u001b[${drawn}A${`${CLEAR_LINE}\n`.repeat(drawn)}\u001b[${drawn}A`);
    drawn = 0;
  };
  const draw = (): void => {
    const room = Math.max((process.stderr.rows || 24) - 1, 1);
    const columns = (process.stderr.columns || 80) - 1;
    const lines = [...bars].slice(0, room).map(([check, bar]) => barLine(check, bar, now(), columns));
    const text = lines.map((line) => `${CLEAR_LINE}${line}\n`).join("");
    const fewer =
      drawn > lines.length ? `${`${CLEAR_LINE}\n`.repeat(drawn - lines.length)}\u001b[${drawn - lines.length}A` : "";
    write(`${drawn > 0 ? `\u001b[${drawn}A` : ""}${text}${fewer}`);
    drawn = lines.length;
  };
  const stay = (line: string): void => {
    clear();
    screen.say(line);
  };
  const timer = setInterval(draw, FRAME);
  timer.unref();
  return {
    begin: (check) => void bars.set(check, { since: now(), what: "", done: 0n, of: null }),
    end(report) {
      bars.delete(report.check);
      if (!options.reported) stay(endLine(report));
    },
    note: stay,
    detail: () => {},
    rows(check, done, of) {
      const bar = bars.get(check);
      if (bar === undefined) return;
      bar.done = done;
      bar.of = of;
    },
    step(check, what) {
      const bar = bars.get(check);
      if (bar !== undefined) bar.what = what;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

const now = (): number => performance.now() / 1000;

/** `grades  ████████░░░░  62 %  74,400 of 120,000 rows  31,000/s  12 s left`, cut to the width. */
export function barLine(check: string, bar: Bar, at: number, columns: number): string {
  const { done, of } = bar;
  const elapsed = at - bar.since;
  const rate = elapsed > 0 ? Number(done) / elapsed : 0;
  const parts = [printable(check)];
  if (of !== null && of > 0n) {
    const share = Math.min(Number(done) / Number(of), 1);
    const full = Math.round(share * 12);
    parts.push(`${"█".repeat(full)}${"░".repeat(12 - full)}`, `${Math.floor(share * 100)} %`);
    parts.push(`${amount(done.toString())} of ${amount(of.toString())} rows`);
    if (rate > 0) parts.push(`${amount(Math.round(rate))}/s`, `${span(Math.max(Number(of - done) / rate, 0))} left`);
  } else if (done > 0n) parts.push(`${amount(done.toString())} rows`, `${amount(Math.round(rate))}/s`);
  else parts.push(bar.what === "" ? "…" : bar.what);
  return cut(parts.join("  ").replaceAll("\u00a0", " "), columns);
}

function cut(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let short = "";
  for (const character of line) {
    if (widthOf(short) + widthOf(character) > columns - 1) break;
    short += character;
  }
  return `${short}…`;
}
