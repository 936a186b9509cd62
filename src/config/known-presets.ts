import type { Mistake } from "../domain/errors.ts";
import type { WindowEnds } from "../domain/window.ts";
import { type CrossFields, get, say, wordAt } from "./cross-field.ts";
import { isPlain } from "./merge.ts";
import { UNKNOWN } from "./read-yaml.ts";

/** What is known of ledgers' presets (`runs.preset`). */
export type KnownPresets = {
  /** Which ends its windows have; null: it says none. */
  readonly windowOf: (preset: string) => WindowEnds | null;
  /** What is wrong with a preset's name (`param` null) or one of its parameters. `shown`: the name as messages may say it. */
  readonly mistakes: (
    preset: string,
    params: { readonly [name: string]: string },
    shown: string,
  ) => readonly { readonly param: string | null; readonly says: string }[];
};

/** Mistakes in `runs.preset` and `runs.params`, each at the name or the parameter that it is about. */
export function presetMistakesOf(fields: CrossFields, presets: KnownPresets): readonly Mistake[] {
  const preset = get(fields, ["runs", "preset"]);
  const given = get(fields, ["runs", "params"]);
  if (typeof preset !== "string" || preset === "" || (given !== undefined && !isPlain(given))) return [];
  const params = Object.entries(given ?? {});
  const known = Object.fromEntries(params.map(([name, value]) => [name, String(value)]));
  return presets.mistakes(preset, known, wordAt(fields, ["runs", "preset"], preset)).flatMap(({ param, says }) => {
    if (param === null) return say(fields, ["runs", "preset"], says);
    // What an unset variable would have said is its own mistake.
    if (params.some(([name, value]) => name === param && value === UNKNOWN)) return [];
    const path = ["runs", "params", param];
    return get(fields, path) === undefined
      ? say(fields, ["runs", "preset"], says, "key")
      : say(fields, path, says, "key");
  });
}
