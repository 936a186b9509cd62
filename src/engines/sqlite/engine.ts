import type { Engine } from "../engine.ts";
import { openDatabase } from "./database.ts";
import { locate } from "./location.ts";
import { openWriter } from "./writer.ts";

/** SQLite: a file, opened by Node itself. The file is never made. */
export const sqlite: Engine = {
  id: "sqlite",
  schemes: ["sqlite"],
  connect: async (options) => await openDatabase(options, locate(options.connection, options.url)),
  openWriter: async (options) => await openWriter(options, locate(options.connection, options.url)),
};
