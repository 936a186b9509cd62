import type { Engine } from "../engine.ts";

/** SQLite: a file, opened by Node itself. The file is never made. What reads it is loaded when somebody connects. */
export const sqlite: Engine = {
  id: "sqlite",
  schemes: ["sqlite"],
  connect: async (options) => {
    const [{ openDatabase }, { locate }] = await Promise.all([import("./database.ts"), import("./location.ts")]);
    return await openDatabase(options, locate(options.connection, options.url));
  },
  openWriter: async (options) => {
    const [{ openWriter }, { locate }] = await Promise.all([import("./writer.ts"), import("./location.ts")]);
    return await openWriter(options, locate(options.connection, options.url));
  },
};
