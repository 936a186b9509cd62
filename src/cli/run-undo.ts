import { diskFiles } from "../config/disk.ts";
import { loadProject } from "../config/load-project.ts";
import { secretsOf } from "../config/project.ts";
import { InterruptedError } from "../domain/errors.ts";
import { undoRepair } from "../flows/repair/undo.ts";
import { undoJson, undoText } from "../reporters/answers/undo.ts";
import type { UndoCommand } from "./commands/undo.ts";
import { compose, knownSchemes } from "./compose.ts";
import { composeRepair } from "./compose-repair.ts";
import { type ExitCode, worstExit } from "./exit-code.ts";
import type { Around } from "./program.ts";
import { openDisplay } from "./progress.ts";
import { commandSuffix } from "./publish.ts";
import { confirmed } from "./run-repair.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { tellError } from "./tell-error.ts";

/** Does what `tidemark undo` was asked for. Needs tidemark.yaml alone: no check file, wrong or gone, stands in its way. */
export async function runUndo(asked: UndoCommand, { screen, signal }: Around): Promise<ExitCode> {
  keepHeapSmall();
  const project = await loadProject({
    folder: asked.checks,
    cwd: process.cwd(),
    environment: process.env,
    files: {
      ...diskFiles,
      list: async (folder) => (await diskFiles.list(folder))?.filter((path) => /^tidemark\.ya?ml$/.test(path)) ?? null,
    },
    schemes: knownSchemes(),
  });
  screen.hide(secretsOf(project));
  const { quiet = false, verbose = false } = asked;
  const options = {
    columns: screen.columns,
    style: screen.styleOfResult,
    commandSuffix: commandSuffix(asked.checks),
    ending: null,
  };
  const outcome = await (async () => {
    using display = openDisplay(screen, { quiet, verbose, reported: asked.format === "terminal" });
    await using surroundings = await compose(project, { checks: [], display, verbose, signal });
    const world = composeRepair(project, surroundings.world, (line) => display.note(line));
    return await undoRepair(
      {
        id: asked.id,
        apply: asked.apply === true,
        confirm: async (plan) =>
          asked.yes === true || (await confirmed(plan, screen, (shown) => undoText(shown, options))),
      },
      world,
    );
  })();
  await screen.result(
    asked.format === "json" ? `${JSON.stringify(undoJson(outcome), null, 2)}\n` : undoText(outcome, options),
  );
  const codes: ExitCode[] = [0];
  if (outcome.failure !== null) codes.push(tellError(outcome.failure, screen, verbose));
  if (signal.aborted) return tellError(new InterruptedError(), screen, verbose);
  if (outcome.applied && outcome.counts.leftAlone > 0n) codes.push(1);
  return worstExit(codes);
}
