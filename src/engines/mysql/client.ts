import { type Connection, createConnection, type ConnectionOptions } from "mysql2";
import { InterruptedError } from "../../domain/errors.ts";
import type { Row, TextHash } from "../../sql/session.ts";
import type { ConnectOptions } from "../engine.ts";
import { connectError, failureOf } from "./failure.ts";
import { type Flavour, readVersion, type ServerVersion } from "./flavour.ts";
import type { Location } from "./location.ts";

/** A connection whose session is set as the comparison needs it. */
export type OpenClient = {
  readonly client: Connection;
  readonly id: number;
  readonly flavour: Flavour;
  readonly version: ServerVersion;
};

/** Opens a connection and sets its session; `ConnectError` where that fails. */
export async function openClient(
  options: ConnectOptions,
  location: Location,
  flavours: readonly Flavour[],
): Promise<OpenClient> {
  if (options.signal.aborted) throw new InterruptedError();
  let client: Connection | null = null;
  try {
    client = await reach(options, location);
    const answer = await query(client, "SELECT VERSION(), CONNECTION_ID()");
    const version = readVersion(answer[0]?.[0] ?? "");
    const flavour = flavours.find((f) => f.recognizes(version.text)) ?? flavours[0];
    if (flavour === undefined) throw new Error("no flavour");
    for (const text of settings(options, flavour, version)) await query(client, text);
    return { client, id: Number(answer[0]?.[1]), flavour, version };
  } catch (error) {
    client?.destroy();
    if (options.signal.aborted) throw new InterruptedError();
    throw connectError(options.connection, location, error);
  }
}

async function reach(options: ConnectOptions, location: Location): Promise<Connection> {
  if (location.encryption !== "preferred") return await connect(options, location, location.encryption !== "disabled");
  try {
    return await connect(options, location, true);
  } catch (error) {
    if (failureOf(error).code !== "HANDSHAKE_NO_SSL_SUPPORT") throw error;
    return await connect(options, location, false);
  }
}

async function connect(options: ConnectOptions, location: Location, encrypted: boolean): Promise<Connection> {
  const { host, port, socket, user, password, database, encryption, ca, certificate, key } = location;
  const settings: ConnectionOptions = {
    ...(socket === null ? { host, port } : { socketPath: socket }),
    user,
    password,
    ...(database !== null && { database }),
    connectTimeout: options.connectTimeout,
    charset: "utf8mb4_bin",
    // No file of this machine is the server's to ask for; spaces before parentheses mean what they mean to everybody.
    flags: ["-LOCAL_FILES", "-IGNORE_SPACE", "-ODBC"],
    connectAttributes: { program_name: options.applicationName },
    // Statements come whole: the driver would search each, megabytes of rows too, for places to put values in.
    queryFormat: (text) => text,
    ...(encrypted && {
      ssl: {
        rejectUnauthorized: encryption === "verify-ca" || encryption === "verify-identity",
        verifyIdentity: encryption === "verify-identity",
        ...(ca !== null && { ca }),
        ...(certificate !== null && { cert: certificate }),
        ...(key !== null && { key }),
      },
    }),
  };
  return await new Promise((resolve, reject) => {
    const client = createConnection(settings);
    // For the connection's whole life: a cut connection without a listener would end the process.
    client.on("error", reject);
    client.on("connect", () => resolve(client));
  });
}

/** Statements that set a session: known modes, UTC, UTF-8, read-only, bounded in time. */
function settings(options: ConnectOptions, flavour: Flavour, version: ServerVersion): readonly string[] {
  const collation = flavour.exactCollation(version) ?? "utf8mb4_bin";
  const variables = [
    "time_zone = '+00:00'",
    // Strict for writes; backslashes escape, CHAR comes without its padding, zero dates are let be.
    "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
    "group_concat_max_len = 16777216",
    // While the other side works, this one waits.
    "wait_timeout = 28800",
    "net_write_timeout = 3600",
    // Digests are computed in a derived table of one number a row.
    "tmp_table_size = 134217728",
    "max_heap_table_size = 134217728",
    ...flavour.settings(version, options.statementTimeout),
  ];
  return [
    `SET NAMES utf8mb4 COLLATE ${collation}`,
    `SET ${variables.map((v) => `SESSION ${v}`).join(", ")}`,
    `SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, ${options.access === "read-only" ? "READ ONLY" : "READ WRITE"}`,
  ];
}

/** All rows of a statement of our own, as the server prints them. Rejects with the driver's error. */
export async function query(client: Connection, sql: string): Promise<readonly Row[]> {
  return await new Promise((resolve, reject) => {
    client.query({ sql, rowsAsArray: true, typeCast: false }, (error, rows) => {
      if (error) reject(error);
      else resolve(Array.isArray(rows) ? rows.map((row) => textRow(row)) : []);
    });
  });
}

/** A row of buffers, as the driver hands it over, as texts. */
export function textRow(row: unknown): Row {
  return (row as readonly (Buffer | null)[]).map((value) => (value === null ? null : value.toString("utf8")));
}

/** What a server says of itself beside its version. Rejects with the driver's error. */
export async function greet(
  client: Connection,
  flavour: Flavour,
  version: ServerVersion,
): Promise<{ readonly hashes: readonly TextHash[]; readonly replica: boolean }> {
  return { hashes: await hashesOf(client, flavour.hashes), replica: await isReplica(client, flavour, version) };
}

/** Does what is left to do before a connection is handed on; where that fails, the connection goes, and it is a `ConnectError`. */
export async function orClosed<T>(
  client: Connection,
  connection: string,
  location: Location,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    client.destroy();
    throw connectError(connection, location, error);
  }
}

/** The hashes that this server has. */
async function hashesOf(client: Connection, wanted: readonly TextHash[]): Promise<readonly TextHash[]> {
  const found: TextHash[] = [];
  for (const hash of wanted) {
    try {
      const rows = await query(client, hash === "sha256" ? "SELECT SHA2('', 256)" : "SELECT MD5('')");
      if (typeof rows[0]?.[0] === "string") found.push(hash);
    } catch (error) {
      if (failureOf(error).number === null) throw error;
    }
  }
  return found;
}

/** Whether the server says that it is a replica; one that may not be asked is taken for none. */
async function isReplica(client: Connection, flavour: Flavour, version: ServerVersion): Promise<boolean> {
  try {
    return (await query(client, flavour.replicaStatus(version))).length > 0;
  } catch (error) {
    if (failureOf(error).number === null) throw error;
    return false;
  }
}
