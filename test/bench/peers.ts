import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { ended } from "./measure.ts";
import { connect } from "./servers.ts";
import type { BenchTable } from "./tables.ts";

/** Another program that compares two tables of one pair of servers. */
export type Peer = {
  readonly name: string;
  readonly pair: string;
  /** Compares two copies; gives how many rows it says differ. */
  readonly run: (url: string, table: BenchTable, copy: string) => Promise<number>;
};

const PEERS: readonly Peer[] = [
  {
    name: "pg_comparator",
    pair: "pg-pg",
    async run(url, table, copy) {
      await using server = await connect(url);
      await server.ask("create extension if not exists pgcmp");
      const { username, host, pathname } = new URL(url);
      const rest = table.columns.filter(({ name }) => !table.key.includes(name)).map(({ name }) => name);
      const at = (of: string): string =>
        `pgsql://${username}@${host}${pathname}/${table.name}_${of}?${table.key.join(",")}:${rest.join(",")}`;
      return await linesOf("pg_comparator", ["--use-key", "--checksum-size=8", at("source"), at(copy)]);
    },
  },
  {
    name: "pt-table-sync",
    pair: "maria-maria",
    async run(url, table, copy) {
      const { hostname, port, username, pathname } = new URL(url);
      const at = (of: string): string =>
        `h=${hostname},P=${port || "3306"},u=${username || "root"},D=${pathname.slice(1)},t=${table.name}_${of}`;
      return await linesOf("pt-table-sync", ["--print", "--charset", "utf8", at("source"), at(copy)]);
    },
  },
];

/** Peers that this machine has; `say` hears of the others. */
export function peersHere(say: (line: string) => void): readonly Peer[] {
  return PEERS.filter(({ name }) => {
    const here = (process.env["PATH"] ?? "").split(delimiter).some((folder) => isProgram(join(folder, name)));
    if (!here) say(`${name} is not on the PATH, so it is not measured`);
    return here;
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Each of them prints a line for each row that differs. */
async function linesOf(program: string, args: readonly string[]): Promise<number> {
  const { code, stdout, stderr } = await ended(program, args, {});
  const lines = stdout.split("\n").filter((line) => /^(INSERT|UPDATE|DELETE|REPLACE)\b/i.test(line)).length;
  // pt-table-sync ends with 2 where it found something.
  if (code !== 0 && lines === 0) throw new Error(`${program} ended with ${code}: ${stderr.slice(0, 500)}`);
  return lines;
}
