import { github } from "./github.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { prometheus } from "./prometheus.ts";
import type { Reporter } from "./reporter.ts";
import { terminal } from "./terminal.ts";

/** Every reporter, by the name that `--format` knows it by. */
export const REPORTERS: Readonly<Record<string, Reporter>> = {
  terminal,
  json,
  markdown,
  html,
  junit,
  github,
  prometheus,
};
