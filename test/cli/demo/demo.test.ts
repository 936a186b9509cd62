import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoChecks } from "../../../src/cli/demo/checks.ts";
import { startEmbeddedPostgres } from "../../../src/cli/demo/embedded-postgres.ts";
import { folderWith, tidemark } from "../tidemark.ts";

const repository = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

test("the demo's checks are the repository's own", () => {
  const made = demoChecks({ lms: "${LMS_URL}", crm: "${CRM_URL}" });
  expect(made["grades.yaml"]).toBe(repository("checks/grades.yaml"));
  const plain = (yaml: string | undefined): string => (yaml ?? "").replaceAll(/^#.*\n/gm, "");
  expect(plain(made["tidemark.yaml"])).toBe(plain(repository("checks/tidemark.yaml")));
});

describe("with --keep", () => {
  test("the story is told, and its tables stay to be audited again", async () => {
    using folder = folderWith({});
    const told = await tidemark(["demo", "--keep"], { cwd: folder.path });
    expect(told.code).toBe(0);
    expect(told.stdout).toContain("closed-ahead-of-clock (observed): 4 rows lost by runs 812 and 813");
    expect(told.stdout).toMatch(/^ {2}tidemark repair grades --range \S+ --checks tidemark-demo\/checks$/m);
    expect(told.stdout).toContain("exit 0: ");
    expect(told.stdout).toContain("\n  tidemark audit --checks tidemark-demo/checks\n");
    expect(existsSync(join(folder.path, "tidemark-demo/reports/latest/report.html"))).toBe(true);
    const again = await tidemark(["audit", "--checks", "tidemark-demo/checks"], { cwd: folder.path });
    expect(again.code).toBe(1);
    expect(again.stdout).toContain("missing-rows  ongoing");
  });

  test("a demo over a demo begins anew; a folder that it did not make is left alone", async () => {
    using folder = folderWith({ "mine/precious.txt": "mine" });
    for (const _ of [1, 2]) {
      const told = await tidemark(["demo", "--keep", "there"], { cwd: folder.path });
      expect(told.code).toBe(0);
      expect(told.stdout).toContain("missing-rows  new");
    }
    const refused = await tidemark(["demo", "--keep", "mine"], { cwd: folder.path });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("mine holds files that `tidemark demo` did not make");
    expect(readdirSync(join(folder.path, "mine"))).toEqual(["precious.txt"]);
  });

  test("the user's own settings do not reach into it", async () => {
    using folder = folderWith({});
    const env = {
      TIDEMARK_REPORTS: join(folder.path, "own"),
      TIDEMARK_STATE: `sqlite:${join(folder.path, "own.db")}`,
      LMS_URL: "postgres://nowhere",
    };
    expect(await tidemark(["demo", "--keep"], { cwd: folder.path, env })).toMatchObject({ code: 0 });
    expect(readdirSync(folder.path)).toEqual(["tidemark-demo"]);
  });
});

/** Whether npm's PostgreSQL is there; it is an optional thing of a development clone. */
async function whyNoServer(): Promise<string | null> {
  const server = await startEmbeddedPostgres(tmpdir());
  if ("why" in server) return server.why;
  await server.stop();
  return null;
}

describe("on a server of its own", () => {
  test("the story is told, and the server is gone afterwards", async ({ skip }) => {
    const why = await whyNoServer();
    if (why !== null) skip(why);
    using folder = folderWith({});
    const told = await tidemark(["demo"], { cwd: folder.path });
    expect(told.code).toBe(0);
    expect(told.stderr).toContain("a PostgreSQL of its own");
    expect(told.stdout).toContain("closed-ahead-of-clock (observed): 4 rows lost by runs 812 and 813");
    expect(told.stdout).toContain("tidemark demo tidemark-demo --keep");
    expect(serversOf(folder.path)).toBe(0);
    expect(await tidemark(["audit", "--checks", "tidemark-demo/checks"], { cwd: folder.path })).toMatchObject({
      code: 2,
    });
  });

  test.for(["SIGINT", "SIGTERM"] as const)("%s ends it and its server", async (signal, { skip }) => {
    const why = await whyNoServer();
    if (why !== null) skip(why);
    using folder = folderWith({});
    // As folders for temporary files are: a server that root starts runs as somebody else, who removes its folder.
    chmodSync(folder.path, 0o1777);
    let sent = false;
    const told = await tidemark(["demo", "--verbose"], {
      cwd: folder.path,
      env: { TMPDIR: folder.path },
      watch: (stderr, send) => {
        if (sent || !stderr.includes("a PostgreSQL of its own")) return;
        sent = true;
        send(signal);
      },
    });
    expect(told.code).toBe(130);
    expect(told.stdout).toBe("");
    expect(serversOf(folder.path)).toBe(0);
    rmSync(join(folder.path, "tidemark-demo"), { recursive: true });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

/** Servers whose command line names a folder. */
function serversOf(folder: string): number {
  return commandLines().filter((line) => line.includes("postgres -D") && line.includes(folder)).length;
}

/** Of all processes; a machine need not have `ps`, where it has /proc. */
function commandLines(): readonly string[] {
  if (!existsSync("/proc/self/cmdline")) return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  return readdirSync("/proc").flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      return [readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ")];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
