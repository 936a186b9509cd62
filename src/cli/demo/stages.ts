import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { DemoUrls } from "./checks.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { FILES } from "./demo-folder.ts";
import type { Stage } from "./story.ts";

/** Where the story is planted, and how check files name it: with variables, whose values are in `environment`. Disposing of it ends what was started. */
export interface OpenStage extends AsyncDisposable {
  readonly stage: Omit<Stage, "now">;
  readonly urls: DemoUrls;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether its tables stay. */
  readonly stays: boolean;
}

/** Two files in the folder, which stay. */
export function openFiles(folder: string): OpenStage {
  const source = new DatabaseSync(join(folder, FILES.lms));
  const target = new DatabaseSync(join(folder, FILES.crm));
  return {
    stage: { dialect: "sqlite", source: async (sql) => source.exec(sql), target: async (sql) => target.exec(sql) },
    urls: { lms: `sqlite:${FILES.lms}`, crm: `sqlite:${FILES.crm}` },
    environment: {},
    stays: true,
    async [Symbol.asyncDispose]() {
      source.close();
      target.close();
    },
  };
}

/** Two databases on a server of its own, which is gone afterwards; or why there is none. */
export async function openServer(): Promise<OpenStage | { readonly why: string }> {
  // Not in the demo's folder: a server that root starts runs as somebody else, who may not look into root's folders.
  const server = await startEmbeddedPostgres(tmpdir());
  if ("why" in server) return server;
  const clients: pg.Client[] = [];
  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    clients.push(client);
    await client.connect();
    return client;
  };
  const end = async (): Promise<void> => {
    await Promise.allSettled(clients.map((client) => client.end()));
    await server.stop();
  };
  try {
    const admin = await connect(server.url);
    await admin.query("create database lms");
    await admin.query("create database crm");
    const urlOf = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    const source = await connect(urlOf("lms"));
    const target = await connect(urlOf("crm"));
    return {
      stage: { dialect: "postgres", source: (sql) => source.query(sql), target: (sql) => target.query(sql) },
      urls: { lms: "${LMS_URL}", crm: "${CRM_URL}" },
      environment: { LMS_URL: urlOf("lms"), CRM_URL: urlOf("crm") },
      stays: false,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
