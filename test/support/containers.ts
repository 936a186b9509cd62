import { getContainerRuntimeClient, GenericContainer } from "testcontainers";
import { MYSQL_SETTINGS, pingMysql, SERVER_ZONE } from "./private-mariadb.ts";
import { pingPostgres, POSTGRES_SETTINGS } from "./private-postgres.ts";
import { untilItAnswers, type PrivateServer } from "./private-server.ts";

/** Why no container can be started here; undefined where one can. Takes some milliseconds. */
export async function whyNoContainers(): Promise<string | undefined> {
  try {
    await getContainerRuntimeClient();
    return undefined;
  } catch (error) {
    return `no containers (${String(error instanceof Error ? error.message : error).split("\n")[0]})`;
  }
}

/** PostgreSQL in a container. */
export async function postgresContainer(): Promise<PrivateServer> {
  const container = new GenericContainer("postgres:18")
    .withEnvironment({
      POSTGRES_HOST_AUTH_METHOD: "trust",
      POSTGRES_INITDB_ARGS: "--locale-provider=icu --icu-locale=en",
    })
    .withCommand(["postgres", ...POSTGRES_SETTINGS]);
  return await start(
    container,
    5432,
    (at) => `postgres://postgres@${at}`,
    (url) => pingPostgres(`${url}/postgres`),
    "PostgreSQL 18",
  );
}

/** MariaDB in a container. */
export async function mariadbContainer(): Promise<PrivateServer> {
  const container = new GenericContainer("mariadb:11.8")
    .withEnvironment({ MARIADB_ALLOW_EMPTY_ROOT_PASSWORD: "1", TZ: SERVER_ZONE })
    .withCommand([...MYSQL_SETTINGS]);
  return await start(container, 3306, (at) => `mariadb://root@${at}`, pingMysql, "MariaDB 11.8");
}

/** MySQL in a container. */
export async function mysqlContainer(): Promise<PrivateServer> {
  const container = new GenericContainer("mysql:8.4")
    .withEnvironment({ MYSQL_ALLOW_EMPTY_PASSWORD: "1", TZ: SERVER_ZONE })
    .withCommand([...MYSQL_SETTINGS]);
  return await start(container, 3306, (at) => `mysql://root@${at}`, pingMysql, "MySQL 8.4");
}

async function start(
  container: GenericContainer,
  port: number,
  urlAt: (hostAndPort: string) => string,
  ping: (url: string) => Promise<void>,
  what: string,
): Promise<PrivateServer> {
  const started = await container.withExposedPorts(port).withStartupTimeout(180_000).start();
  const url = urlAt(`${started.getHost()}:${started.getMappedPort(port)}`);
  const stop = async (): Promise<void> => void (await started.stop());
  try {
    await untilItAnswers(
      () => ping(url),
      () => false,
      120_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, what: `${what} in a container`, stop };
}
