import type { AlertDefinition } from "../domain/definitions.ts";
import { TidemarkError } from "../domain/errors.ts";
import { knownAfter, type News, type ToldIncident, tidingsFor } from "../domain/news.ts";
import type { Report } from "../domain/report.ts";
import type { State } from "../domain/state.ts";
import type { Clock } from "./ports.ts";

/** Who is told, and what they must know of the report. */
export type Telling = {
  readonly alerts: readonly AlertDefinition[];
  /** Whether all of the checks was asked for: no range, no groups. Otherwise nothing is told as recovered. */
  readonly whole: boolean;
  /** Where the report can be looked at; null: nowhere. */
  readonly link: string | null;
  /** Put behind every `tidemark` command that is shown. */
  readonly commandSuffix: string;
};

/** What telling needs of the outside. */
export type AlertWorld = {
  readonly clock: Pick<Clock, "now">;
  readonly state: Pick<State, "told" | "noteTold">;
  readonly sender: {
    idOf(alert: AlertDefinition): string;
    send(alert: AlertDefinition, news: News, signal: AbortSignal): Promise<void>;
  };
  readonly signal: AbortSignal;
};

/**
 * Tells every alert what is new to it in a report of an audit: one message each at most, and none where there is nothing. What was
 * delivered is noted at once, so that it is told once; what was not is told next time. Gives what failed; one alert does not stop
 * another. Throws an `InterruptedError` once the signal is aborted, and bugs of ours.
 */
export async function tellAlerts(
  report: Report,
  telling: Telling,
  world: AlertWorld,
): Promise<readonly TidemarkError[]> {
  const told = await Promise.allSettled(telling.alerts.map((alert) => tell(alert, report, telling, world)));
  return told.flatMap((each) => {
    if (each.status === "fulfilled") return [];
    if (!(each.reason instanceof TidemarkError)) throw each.reason;
    return [each.reason];
  });
}

async function tell(
  alert: AlertDefinition,
  report: Report,
  { whole, link, commandSuffix }: Telling,
  { clock, state, sender, signal }: AlertWorld,
): Promise<void> {
  const id = sender.idOf(alert);
  const now = clock.now();
  const { items, eased } = tidingsFor(report, alert, await state.told(id), { now, whole });
  const note = async (delivered: boolean): Promise<void> => {
    const after = items.map((item) => ({ item, known: knownAfter(item, { now, whole, delivered }) }));
    const known: readonly ToldIncident[] = after.flatMap((each) => each.known ?? []);
    const over = after.flatMap((each) => (each.known === null ? [each.item] : []));
    if (known.length + over.length + eased.length > 0) await state.noteTold(id, [...eased, ...known], over);
  };
  if (items.length === 0) return await note(true);
  try {
    await sender.send(alert, { report, items, whole, link, commandSuffix }, signal);
  } catch (error) {
    await note(false);
    throw error;
  }
  await note(true);
}
