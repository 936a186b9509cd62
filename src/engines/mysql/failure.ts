import { ConnectError, StatementError } from "../../domain/errors.ts";
import type { Location } from "./location.ts";

/** What the driver says of a failure. `number`: the server's own; null: the connection itself failed. */
export type Failure = {
  readonly number: number | null;
  readonly code: string | null;
  readonly state: string | null;
  readonly message: string;
};

/** Reads an error of the driver. */
export function failureOf(cause: unknown): Failure {
  const error: Readonly<Record<string, unknown>> =
    cause instanceof Error ? Object.fromEntries(Object.entries(cause)) : {};
  const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
  const state = text(error.sqlState);
  // System errors have a number, too, but no SQLSTATE.
  const number = typeof error.errno === "number" && error.errno > 0 && state !== null ? error.errno : null;
  return {
    number,
    code: text(error.code),
    state,
    message: text(error.sqlMessage) ?? (cause instanceof Error ? cause.message : ""),
  };
}

/** Server errors that are said by a lost connection: killed, shut down, timed out. */
const LOST = new Set([1053, 1077, 1152, 1153, 1158, 1159, 1160, 1161, 1184, 1927, 2006, 2013, 4031]);

/** Whether the connection is gone, so that its session must not be used again. */
export function isLost({ number }: Failure): boolean {
  return number === null || LOST.has(number);
}

/** Lock wait timeout, deadlock, a row that changed since the snapshot, too many connections. */
const RETRYABLE = new Set([1205, 1213, 1020, 1040, 1203]);

/** Errors whose quotes hold names, which may be said; all others' quotes may hold values. */
const NAMES = new Set([
  1044, 1046, 1048, 1049, 1051, 1052, 1054, 1060, 1072, 1109, 1142, 1143, 1146, 1227, 1290, 1305, 1356, 1364, 1370,
  1451, 1452, 1792,
]);

const HINTS: Readonly<Record<number, string>> = {
  1044: "grant the connection's user what it lacks",
  1064: "if the check has a `where` or a `query`, look at its SQL",
  1142: "grant the connection's user what it lacks",
  1143: "grant the connection's user what it lacks",
  1317: "somebody ended the statement on the server (KILL QUERY)",
  1792: "the connection is read-only; only a repair's target may be written to",
  1969: "the statement took longer than it may: raise the statement timeout, or audit a smaller range",
  3024: "the statement took longer than it may: raise the statement timeout, or audit a smaller range",
};

/** A statement's failure with its purpose. `sql` holds placeholders for its values. */
export function statementError(connection: string, what: string, sql: string, cause: unknown): StatementError {
  const failure = failureOf(cause);
  const { number, message } = failure;
  const hint = number === null ? undefined : HINTS[number];
  const said = number === null ? "the connection to the server was lost" : NAMES.has(number) ? message : blank(message);
  return new StatementError(what, `connection ${connection}: ${what} failed: ${said}`, {
    sql,
    retryable: isLost(failure) || (number !== null && RETRYABLE.has(number)),
    serverCode: number === null ? failure.code : String(number),
    ...(hint !== undefined && { hint }),
  });
}

/** Quoted pieces of a message may be values of a row. */
function blank(message: string): string {
  return message.replaceAll(/'[^]*'/g, "'***'").replaceAll(/"[^]*"/g, '"***"');
}

/** Why a connection could not be made. Names the connection and the place, never the URL. */
export function connectError(connection: string, { shown }: Location, cause: unknown): ConnectError {
  const failure = failureOf(cause);
  const { why, hint } = explain(failure);
  return new ConnectError(connection, `connection ${connection}: ${shown}: ${why}`, hint === null ? {} : { hint });
}

type Explanation = { readonly why: string; readonly hint: string | null };

function explain({ number, code, message }: Failure): Explanation {
  switch (number) {
    case 1045:
    case 1698:
      return {
        why: "the server refused the user or the password",
        hint: "check user and password in the connection's URL",
      };
    case 1044:
      return {
        why: "the user may not use this database",
        hint: "GRANT SELECT ON the database to the connection's user",
      };
    case 1049:
      return { why: "there is no such database", hint: "check the name behind the last / of the connection's URL" };
    case 1040:
    case 1203:
      return {
        why: "the server has no connection left",
        hint: "lower max_connections of the connection, or raise the server's",
      };
    case 1129:
    case 1130:
      return {
        why: "the server does not take connections from this host",
        hint: "create the user for this host, or look for FLUSH HOSTS",
      };
    case 3159:
      return {
        why: "the server takes encrypted connections only",
        hint: "add ?ssl-mode=required to the connection's URL",
      };
    case 1862:
      return { why: "the user's password has expired", hint: "set a new password on the server" };
    default:
  }
  if (
    /unknown plugin|auth_gssapi|auth_socket|unix_socket|AUTH_SWITCH|authentication.*plugin/i.test(`${code} ${message}`)
  )
    return {
      why: "the user logs in by a plugin that is not supported",
      hint: "give the user a password (mysql_native_password or caching_sha2_password)",
    };
  switch (code) {
    case "ECONNREFUSED":
      return { why: "connection refused", hint: "is the server running, and is this its port?" };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { why: "the host's name is not known", hint: "check the host in the connection's URL" };
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return { why: "no answer", hint: "check host, port and firewalls" };
    case "ENOENT":
    case "EACCES":
      return { why: "the socket cannot be opened", hint: "check the path of the socket in the connection's URL" };
    case "HANDSHAKE_NO_SSL_SUPPORT":
      return {
        why: "the server has no encryption",
        hint: "set ssl-mode=disabled in the connection's URL if that is meant",
      };
    default:
  }
  if (/certificate|CERT_|self.signed|altname/i.test(`${code} ${message}`))
    return {
      why: "the server's certificate was not accepted",
      hint: "name its authority by ssl-ca, or set ssl-mode=required to skip the check",
    };
  return {
    why: number === null ? `the connection failed (${code ?? "cut by the server"})` : `the server said ${number}`,
    hint: null,
  };
}
