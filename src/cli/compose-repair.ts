import type { Project } from "../config/project.ts";
import { must } from "../domain/errors.ts";
import { engineFor } from "../engines/index.ts";
import type { World } from "../flows/ports.ts";
import type { RepairWorld } from "../flows/repair/ports.ts";
import { repairFiles, spillFile } from "./repair-files.ts";
import { version } from "./version.ts";

/** How long one waits for a server before giving up, in milliseconds. */
const CONNECT_TIMEOUT = 15_000;

/** A world that may also write: to the target of a repair, and into the reports folder. */
export function composeRepair(project: Project, world: World, say: (line: string) => void): RepairWorld {
  return {
    ...world,
    writers: {
      async open(connection) {
        const { url, scheme, statementTimeout } = must(
          project.connections.get(connection),
          "checks name known connections",
        );
        return await must(engineFor(scheme), "schemes are known once a project is loaded").openWriter({
          connection,
          url: url.reveal(),
          maxConnections: 1,
          statementTimeout: statementTimeout === null ? null : Number(statementTimeout / 1000n),
          connectTimeout: CONNECT_TIMEOUT,
          applicationName: `tidemark ${version()} repair`,
          access: "read-write",
          signal: world.signal,
        });
      },
    },
    files: repairFiles(project.reports.folder),
    spill: spillFile,
    replicasOf: (connection) =>
      [...project.connections].flatMap(([name, { replicaOf }]) => (replicaOf === connection ? [name] : [])),
    random: Math.random,
    say,
  };
}
