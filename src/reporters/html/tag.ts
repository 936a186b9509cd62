import { printable } from "../text/wrap.ts";

/** A piece of HTML (or SVG) that is safe to put into a page as it stands. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What stands in a template: text is escaped, pieces stand as they are, lists one behind the other, null and false are nothing. */
export type Part = Html | string | number | bigint | null | false | readonly Part[];

/** Puts a piece of HTML together. Everything that is no piece itself is escaped, for elements and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + textOf(parts[i - 1] ?? null) + string));
}

function textOf(part: Part): string {
  if (part === null || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return printable(String(part)).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
