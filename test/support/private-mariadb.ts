import { join } from "node:path";
import mysql from "mysql2/promise";
import {
  findPrograms,
  freePort,
  makeHome,
  removeHome,
  runAs,
  startOnLeash,
  type PrivateServer,
} from "./private-server.ts";

/** What tests want of a MariaDB or MySQL: quick and forgetful, with a row-based binary log to follow. */
export const MYSQL_SETTINGS: readonly string[] = [
  "--character-set-server=utf8mb4",
  "--log-bin=binlog",
  "--binlog-format=ROW",
  "--server-id=1",
  "--sync-binlog=0",
  "--innodb-flush-log-at-trx-commit=0",
  "--innodb-buffer-pool-size=128M",
  "--max-connections=200",
  "--skip-name-resolve",
];

/** New York, spelled out: not UTC, so that a forgotten zone shows, and known to machines without a zone database. */
export const SERVER_ZONE = "EST5EDT,M3.2.0,M11.1.0";

/** Connects once and leaves. */
export async function pingMysql(url: string): Promise<void> {
  const { hostname, port, username, password } = new URL(url);
  const connection = await mysql.createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username || "root"),
    password: decodeURIComponent(password),
    connectTimeout: 5000,
  });
  connection.on("error", () => {});
  await connection.query("select 1");
  await connection.end();
}

/** A private MariaDB from the server programs of this machine, with settings of its own; undefined where there are none. */
export async function startLocalMariadb(settings: readonly string[] = []): Promise<PrivateServer | undefined> {
  const server = findPrograms(
    ["/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/opt/homebrew/opt/mariadb/bin"],
    ["mariadbd"],
  );
  const installer = findPrograms(["/usr/bin", "/opt/homebrew/opt/mariadb/bin"], ["mariadb-install-db"]);
  if (server === undefined || installer === undefined) return undefined;
  const home = makeHome("my");
  try {
    const data = join(home.folder, "data");
    await runAs(home, join(installer, "mariadb-install-db"), [
      "--no-defaults",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
      "--innodb-log-file-size=16M",
    ]);
    const port = await freePort();
    return await startOnLeash({
      home,
      file: join(server, "mariadbd"),
      args: [
        "--no-defaults",
        `--datadir=${data}`,
        `--port=${port}`,
        "--bind-address=127.0.0.1",
        `--socket=${join(home.folder, "socket")}`,
        `--pid-file=${join(home.folder, "pid")}`,
        "--innodb-log-file-size=16M",
        "--skip-innodb-doublewrite",
        // A server that starts removes all temporary tables of its folder, also those of others.
        `--tmpdir=${home.folder}`,
        ...MYSQL_SETTINGS,
        ...settings,
      ],
      env: { TZ: SERVER_ZONE },
      stopSignal: "KILL",
      url: `mariadb://root@127.0.0.1:${port}`,
      what: `MariaDB of ${server}`,
      ping: pingMysql,
    });
  } catch (error) {
    removeHome(home);
    throw error;
  }
}
