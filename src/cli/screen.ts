import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { redact, type Secret } from "../domain/secret.ts";
import { PLAIN, type Styler } from "../reporters/reporter.ts";

/**
 * The two streams a command speaks to: results go to standard output, everything else to standard error. Nothing passes that holds a
 * secret once the secrets are known.
 */
export type Screen = {
  /** Writes a part of the result, and waits until it is written. */
  readonly result: (text: string) => Promise<void>;
  /** Writes a line to standard error. */
  readonly say: (line: string) => void;
  /** From now on these are blanked. */
  readonly hide: (secrets: readonly Secret[]) => void;
  /** The text with all secrets blanked. */
  readonly clean: (text: string) => string;
  /** Whether standard output (the result) is a terminal, and how wide. */
  readonly columns: number;
  readonly styleOfResult: Styler;
  readonly styleOfTalk: Styler;
  /** Whether standard error is a terminal that can be drawn on. */
  readonly canDraw: boolean;
};

/** Characters a line has where no terminal says otherwise. */
export const COLUMNS = 80;

/** The screen of this process. `colour` false: `--no-color` was given; NO_COLOR and pipes are found out here. */
export function openScreen(options: { readonly colour: boolean }): Screen {
  const secrets: Secret[] = [];
  const clean = (text: string): string => (secrets.length === 0 ? text : redact(text, secrets));
  return {
    clean,
    hide: (more) => void secrets.push(...more),
    result: (text) => write(process.stdout, text),
    say: (line) => {
      // At once, so that a line is out before a hard stop.
      try {
        writeSync(process.stderr.fd, `${clean(line)}\n`);
      } catch {
        // Nobody reads any more, or the pipe is full for a moment: what is said there is never the result.
        process.stderr.write(`${clean(line)}\n`);
      }
    },
    columns: process.stdout.isTTY ? process.stdout.columns || COLUMNS : COLUMNS,
    styleOfResult: options.colour ? stylerOf(process.stdout) : PLAIN,
    styleOfTalk: options.colour ? stylerOf(process.stderr) : PLAIN,
    canDraw: process.stderr.isTTY && process.env.TERM !== "dumb",
  };
}

function stylerOf(stream: NodeJS.WriteStream): Styler {
  return (style, text) => styleText(style as Parameters<typeof styleText>[0], text, { stream });
}

/** Resolves when the text is with the system; a reader that went away (`| head`) is no failure. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.write(text, (error) => {
    if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") reject(error);
    else resolve();
  });
  await promise;
}
