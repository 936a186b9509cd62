import { html } from "./html.ts";
import { json } from "./json.ts";
import type { Reporter } from "./reporter.ts";
import { terminal } from "./terminal.ts";

/** Every reporter, by the name that `--format` knows it by. */
export const REPORTERS: Readonly<Record<string, Reporter>> = { terminal, json, html };

/** Formats that the interface names and that this version does not write yet. */
export const LATER_FORMATS: readonly string[] = ["markdown", "junit", "github", "prometheus"];
