import type { Engine } from "../engine.ts";
import type { Flavour } from "./flavour.ts";

/**
 * An engine that speaks MySQL's protocol under one URL scheme. The server says what it is when it is reached, whatever the URL calls
 * it; the first of `flavours` that recognizes it decides. The driver is loaded when somebody connects.
 */
export function mysqlEngine(scheme: string, flavours: readonly Flavour[]): Engine {
  return {
    id: scheme,
    schemes: [scheme],
    connect: async (options) => {
      const [{ openDatabase }, { locate }] = await Promise.all([import("./database.ts"), import("./location.ts")]);
      return await openDatabase(options, locate(options.connection, options.url), flavours);
    },
    openWriter: async (options) => {
      const [{ openWriter }, { locate }] = await Promise.all([import("./writer.ts"), import("./location.ts")]);
      return await openWriter(options, locate(options.connection, options.url), flavours);
    },
  };
}
