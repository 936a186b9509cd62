import pg from "pg";
import { ConnectError } from "../../domain/errors.ts";
import type { ConnectOptions } from "../engine.ts";
import type { Location } from "./location.ts";

/** A client whose session is set, and what its server said of itself then. */
export type OpenClient = { readonly client: pg.Client; readonly greeting: Greeting };

/** What a server says at the first statement. */
export type Greeting = {
  readonly version: number;
  readonly versionText: string;
  readonly encoding: string;
  readonly replica: boolean;
  readonly pid: number;
};

/** Opens a connection and sets its session. Throws a `ConnectError` that names host and database, never the URL. */
export async function openClient(options: ConnectOptions, location: Location): Promise<OpenClient> {
  if (location.tls !== "prefer") return await open(options, location, location.tls !== "disable");
  try {
    return await open(options, location, true);
  } catch (error) {
    if (error instanceof ConnectError && isWithoutTls(error.cause)) return await open(options, location, false);
    throw error;
  }
}

async function open(options: ConnectOptions, location: Location, encrypted: boolean): Promise<OpenClient> {
  const client = new pg.Client({
    connectionString: location.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeout,
    keepAlive: true,
    ssl: encrypted ? location.tlsOptions : false,
  });
  // A cut connection shows in its running or next statement; without a listener it would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return { client, greeting: await greet(client, options) };
  } catch (cause) {
    void client.end().catch(() => {});
    throw connectError(options, client, cause);
  }
}

/** Everything that changes how values print, or whether a statement may write; set by name, because poolers refuse startup options. */
function settings(options: ConnectOptions): readonly (readonly [string, string])[] {
  return [
    ["TimeZone", "UTC"],
    ["DateStyle", "ISO, YMD"],
    ["IntervalStyle", "postgres"],
    ["extra_float_digits", "3"],
    ["bytea_output", "hex"],
    ["lc_monetary", "C"],
    ["xmloption", "content"],
    ["client_encoding", "UTF8"],
    ["standard_conforming_strings", "on"],
    ["jit", "off"],
    // A comparison has its own connections in parallel: workers of each of its short statements would cost more than they give,
    // and load the server beyond what was asked for.
    ["max_parallel_workers_per_gather", "0"],
    ["default_transaction_read_only", options.access === "read-only" ? "on" : "off"],
    ["idle_in_transaction_session_timeout", "0"],
    ...(options.statementTimeout === null ? [] : [["statement_timeout", String(options.statementTimeout)] as const]),
  ];
}

/** Room for a grouping by very many runs or groups of keys, which would spill to the disk; a server that gives more keeps that. */
const MEMORY =
  "SELECT set_config('work_mem', '32MB', false) WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('32MB')";

async function greet(client: pg.Client, options: ConnectOptions): Promise<Greeting> {
  const assignments = settings(options).map(([setting, value]) => `SET ${setting} = '${value}'`);
  const results = (await client.query({
    text: [
      ...assignments,
      MEMORY,
      "SELECT current_setting('server_version_num'), current_setting('server_version'), current_setting('server_encoding'), pg_is_in_recovery()::text, pg_backend_pid()::text",
    ].join("; "),
    rowMode: "array",
  })) as unknown as readonly pg.QueryArrayResult<string[]>[];
  const [version = "", versionText = "", encoding = "", recovery = "", pid = ""] = results.at(-1)?.rows[0] ?? [];
  return { version: Number(version), versionText, encoding, replica: recovery === "true", pid: Number(pid) };
}

type ServerFailure = { readonly code?: string | undefined; readonly message: string };

function isWithoutTls(cause: unknown): boolean {
  return cause instanceof Error && /does not support SSL/i.test(cause.message);
}

/** A failed attempt in words of our own: a driver's message may quote what the URL says. */
export function connectError(options: ConnectOptions, client: pg.Client, cause: unknown): ConnectError {
  const { code, message } = failureOf(cause);
  const where = client.host.startsWith("/") ? client.host : `${client.host}:${client.port}`;
  const [what, hint] = explain(code ?? "", message, client);
  return new ConnectError(
    options.connection,
    `connection ${options.connection}: cannot connect to PostgreSQL at ${where}, database ${client.database ?? ""}: ${what}`,
    { hint, cause },
  );
}

function failureOf(cause: unknown): ServerFailure {
  if (cause instanceof AggregateError && cause.errors.length > 0) return failureOf(cause.errors[0]);
  if (!(cause instanceof Error)) return { message: String(cause) };
  return { message: cause.message, code: "code" in cause && typeof cause.code === "string" ? cause.code : undefined };
}

function explain(code: string, message: string, client: pg.Client): readonly [string, string] {
  switch (code) {
    case "ECONNREFUSED":
      return ["connection refused", "is the server running, and does it listen on this host and port?"];
    case "ENOENT":
      return ["there is no such socket", "is the server running, and is its socket in this folder?"];
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return ["no such host", "is the host's name spelled right, and does this machine's DNS know it?"];
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return ["the host does not answer", "is a firewall or a VPN in the way?"];
    case "ECONNRESET":
    case "EPIPE":
      return ["the server closed the connection", "its log says why"];
    case "28P01":
      return [
        `the password of user ${client.user ?? ""} is wrong`,
        "check the password in the environment variable of the URL",
      ];
    case "28000":
      return [
        `user ${client.user ?? ""} is not allowed in`,
        /encryption/.test(message)
          ? "the server's pg_hba.conf refuses this user with this encryption: try ?sslmode=require"
          : "the user does not exist, or the server's pg_hba.conf refuses it from here",
      ];
    case "3D000":
      return ["there is no such database", "the part of the URL behind the last / names it"];
    case "42501":
      return [`user ${client.user ?? ""} may not connect to it`, "grant it CONNECT on the database"];
    case "53300":
      return ["the server has no connection left", "lower max_connections of the connection, or raise the server's"];
    case "57P03":
      return ["the server is starting up or shutting down", "try again in a moment"];
    default:
  }
  if (/timeout expired|connection timeout/i.test(message))
    return ["no answer in time", "is a firewall or a VPN in the way?"];
  if (/does not support SSL/i.test(message))
    return ["the server has no TLS", "leave sslmode out, or set it to prefer or disable"];
  if (
    /certificate|self.signed|altname|issuer/i.test(message) ||
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code)
  )
    return [
      "its TLS certificate was not accepted",
      "name the authority's certificate in ?sslrootcert=, or encrypt without checking it by ?sslmode=require",
    ];
  if (/password must be a string|no password/i.test(message))
    return [`user ${client.user ?? ""} needs a password`, "put it into the URL, from an environment variable"];
  if (/terminated unexpectedly/i.test(message))
    return ["the server closed the connection", "is it PostgreSQL that listens on this port?"];
  return [code === "" ? "the attempt failed" : `the attempt failed (${code})`, "the server's log says more"];
}
