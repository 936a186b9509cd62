import type { WindowEnds } from "../domain/window.ts";
import { type PresetMistake, presetMistakes } from "./preset.ts";
import { PRESETS } from "./presets/index.ts";

/** What check files must be told of presets: the ends of their windows (null: none of its own), and what is wrong with one. */
export const knownPresets = {
  windowOf: (preset: string): WindowEnds | null => PRESETS.get(preset)?.window ?? null,
  mistakes: (preset: string, params: { readonly [name: string]: string }, shown: string): readonly PresetMistake[] =>
    presetMistakes({ preset, params }, PRESETS, shown),
};
