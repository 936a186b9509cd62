import { InterruptedError } from "../../domain/errors.ts";
import type { Engine } from "../engine.ts";
import { openClient } from "./client.ts";
import { PostgresDatabase } from "./database.ts";
import { locate } from "./location.ts";
import { openWriter } from "./writer.ts";

/** PostgreSQL 12 and later, and what speaks its protocol and has its catalogs. */
export const postgres: Engine = {
  id: "postgres",
  schemes: ["postgres", "postgresql"],
  connect: async (options) => {
    if (options.signal.aborted) throw new InterruptedError();
    const location = locate(options.connection, options.url);
    return new PostgresDatabase(options, location, await openClient(options, location));
  },
  openWriter: async (options) => await openWriter(options, locate(options.connection, options.url)),
};
