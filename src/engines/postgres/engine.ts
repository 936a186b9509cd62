import { InterruptedError } from "../../domain/errors.ts";
import type { Engine } from "../engine.ts";

/** PostgreSQL 12 and later, and what speaks its protocol and has its catalogs. The driver is loaded when somebody connects. */
export const postgres: Engine = {
  id: "postgres",
  schemes: ["postgres", "postgresql"],
  connect: async (options) => {
    if (options.signal.aborted) throw new InterruptedError();
    const [{ openDatabase }, { locate }] = await Promise.all([import("./database.ts"), import("./location.ts")]);
    return await openDatabase(options, locate(options.connection, options.url));
  },
  openWriter: async (options) => {
    const [{ openWriter }, { locate }] = await Promise.all([import("./writer.ts"), import("./location.ts")]);
    return await openWriter(options, locate(options.connection, options.url));
  },
};
