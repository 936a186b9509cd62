import { InterruptedError } from "../../domain/errors.ts";
import type { Engine } from "../engine.ts";
import { openDatabase } from "./database.ts";
import { locate } from "./location.ts";
import { openWriter } from "./writer.ts";

/** PostgreSQL 12 and later, and what speaks its protocol and has its catalogs. */
export const postgres: Engine = {
  id: "postgres",
  schemes: ["postgres", "postgresql"],
  connect: async (options) => {
    if (options.signal.aborted) throw new InterruptedError();
    return await openDatabase(options, locate(options.connection, options.url));
  },
  openWriter: async (options) => await openWriter(options, locate(options.connection, options.url)),
};
