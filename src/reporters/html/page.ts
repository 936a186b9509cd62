import { createHash } from "node:crypto";
import { PAGE_STYLE } from "./style.ts";
import { html, Html } from "./tag.ts";

/** The icon of the pages: a mark on a gauge. */
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 12q3.5-5 7 0t7 0v4H1z" fill="#0757ba"/><path d="M2 4h9M2 8h5" stroke="#a40e26" stroke-width="2"/></svg>')}`;

/**
 * A whole page in one file: no script, no request, and a policy that would let none through. Only this style sheet, known by its hash,
 * and the icon, which is part of the page, are allowed.
 */
export function page(title: string, body: Html): string {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(PAGE_STYLE, "utf8").digest("base64")}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}
