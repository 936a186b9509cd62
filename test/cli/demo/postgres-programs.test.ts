import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copy, makeHome } from "../../../src/cli/demo/postgres-programs.ts";
import { folderWith } from "../tidemark.ts";

test("what root copies into a server's home can be removed by whom the server runs as", ({ skip }) => {
  if (process.getuid?.() !== 0) skip("only root hands a server to somebody else");
  using folder = folderWith({});
  mkdirSync(join(folder.path, "native/share/zones"), { recursive: true });
  writeFileSync(join(folder.path, "native/share/zones/UTC"), "");
  const home = makeHome(folder.path);
  try {
    const to = copy(join(folder.path, "native"), home);
    const folders = ["", "share", "share/zones"].map((name) => statSync(join(to, name)).uid);
    expect(new Set(folders)).toEqual(new Set([home.owner?.uid]));
    expect(readdirSync(join(to, "share/zones"))).toEqual(["UTC"]);
  } finally {
    rmSync(home.folder, { recursive: true });
  }
});
