import type { ExitCode } from "./exit-code.ts";
import { version } from "./version.ts";

/**
 * Runs one command line (without `node` and the script) and gives its exit code; never ends the process itself, save on a second
 * Ctrl-C. `--version` alone loads nothing else, so that it stays quick.
 */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  (await import("./small-heap.ts")).keepHeapSmall();
  const { openScreen } = await import("./screen.ts");
  const screen = openScreen({ colour: !argv.includes("--no-color") });
  const verbose = argv.includes("--verbose");
  const stop = new AbortController();

  const onSignal = (): void => {
    // The second time: whoever asks twice means it.
    if (stop.signal.aborted) process.exit(130);
    screen.say("tidemark: stopping; once more stops at once");
    stop.abort();
  };
  const endWithBug = async (error: unknown): Promise<void> => {
    const { tellBug } = await import("./tell-error.ts");
    tellBug(error, screen);
    process.exit(70);
  };
  const onBug = (error: unknown): void => {
    // What falls over while statements are being cancelled is part of the stopping.
    if (!stop.signal.aborted) void endWithBug(error);
  };
  // A reader that goes away early (`| head`) is no failure of ours.
  const onPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") onBug(error);
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  process.on("uncaughtException", onBug).on("unhandledRejection", onBug);
  process.stdout.on("error", onPipe);
  process.stderr.on("error", onPipe);
  try {
    const { run } = await import("./program.ts");
    return await run(argv, { screen, signal: stop.signal });
  } catch (error) {
    const { tellError } = await import("./tell-error.ts");
    const { InterruptedError } = await import("../domain/errors.ts");
    const code: ExitCode = tellError(stop.signal.aborted ? new InterruptedError() : error, screen, verbose);
    return code;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    process.off("uncaughtException", onBug).off("unhandledRejection", onBug);
  }
}
