import type { Check } from "../../domain/check.ts";
import { UsageError } from "../../domain/errors.ts";
import type { RepairRange, RepairRecord } from "../../domain/repair.ts";
import type { RepairWorld } from "./ports.ts";
import type { RepairRequest } from "./repair.ts";

/** The check's repair that has not come to its end; null: there is none. */
export async function unfinished(
  check: Check,
  request: RepairRequest,
  world: RepairWorld,
): Promise<RepairRecord | null> {
  const [last] = await world.state.repairs(check.name);
  if (last === undefined || last.status === "finished" || last.status === "undone") {
    world.say(`${check.name}: no repair is unfinished; this one begins at its start`);
    return null;
  }
  if (last.range.by === "report" && request.report === null)
    throw new UsageError(`the unfinished repair ${last.id} is one of a report's rows`, {
      hint: `name it again: --report ${last.range.text} --resume`,
    });
  return last;
}

/** Rows that are asked for by name must be those that were begun with: a checkpoint says nothing of any others. */
export function refuseOther(begun: RepairRecord, { range, report }: RepairRequest, asked: RepairRange): void {
  if ((range === null && report === null) || JSON.stringify(asked) === JSON.stringify(begun.range)) return;
  const words = (r: RepairRange): string => (r.by === "whole" ? "the whole check" : r.text);
  throw new UsageError(
    `the unfinished repair ${begun.id} is about ${words(begun.range)}, and this asks for ${words(asked)}`,
    {
      hint: "go on with it by --resume alone, or begin another without --resume",
    },
  );
}
