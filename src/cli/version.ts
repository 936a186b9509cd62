import { readFileSync } from "node:fs";

/** This package's version, by its package.json: two folders up from here, in the source as in the build. */
export function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
