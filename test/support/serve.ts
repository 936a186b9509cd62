// Private servers for programs that are not tests: `node test/support/serve.ts postgres mariadb` prints PG_URL=… and MYSQL_URL=… , then
// `ready`, and stops the servers when its standard input ends.
import { startLocalMariadb } from "./private-mariadb.ts";
import { startEmbeddedPostgres, startLocalPostgres } from "./private-postgres.ts";

const asked = new Set(process.argv.slice(2));
const [postgres, mariadb] = await Promise.all([
  asked.has("postgres") ? startLocalPostgres().then((server) => server ?? startEmbeddedPostgres()) : undefined,
  asked.has("mariadb") ? startLocalMariadb() : undefined,
]);
if (postgres) console.log(`PG_URL=${postgres.url}`);
if (mariadb) console.log(`MYSQL_URL=${mariadb.url.replace(/^mariadb:/, "mysql:")}`);
console.log("ready");
await new Promise((resolve) => process.stdin.once("end", resolve).once("error", resolve).resume());
await Promise.all([postgres?.stop(), mariadb?.stop()]);
