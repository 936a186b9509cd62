import type { Engine } from "../engine.ts";
import { openDatabase } from "./database.ts";
import type { Flavour } from "./flavour.ts";
import { locate } from "./location.ts";
import { openWriter } from "./writer.ts";

/**
 * An engine that speaks MySQL's protocol under one URL scheme. The server says what it is when it is reached, whatever the URL calls
 * it; the first of `flavours` that recognizes it decides.
 */
export function mysqlEngine(scheme: string, flavours: readonly Flavour[]): Engine {
  return {
    id: scheme,
    schemes: [scheme],
    connect: async (options) => await openDatabase(options, locate(options.connection, options.url), flavours),
    openWriter: async (options) => await openWriter(options, locate(options.connection, options.url), flavours),
  };
}
