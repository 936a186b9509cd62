import { StatementError } from "../../domain/errors.ts";

/** SQLSTATEs after which the same statement may well succeed: serialization, deadlock, lock timeout, shutdown, lost connection. */
const RETRYABLE = /^(40001|40P01|55P03|57P0[123]|53300|08...)$/;

const HINTS: Readonly<Record<string, string>> = {
  "57014": "the statement took longer than it may: raise the statement timeout, or audit a smaller range",
  "42501": "grant what is missing to the connection's user",
  "25006": "the connection is read-only; only a repair's target may be written to",
  "53100": "the server's disk is full",
};

/** A statement's failure with its purpose. Messages of data errors quote the value: it is blanked. */
export function statementError(connection: string, what: string, sql: string, cause: unknown): StatementError {
  const code =
    cause instanceof Error && "code" in cause && typeof cause.code === "string" && cause.code !== ""
      ? cause.code
      : null;
  const fromServer = code !== null && isSqlState(code);
  const message = cause instanceof Error ? cause.message : String(cause);
  const hint = code === null ? undefined : HINTS[code];
  return new StatementError(
    what,
    fromServer
      ? `connection ${connection}: ${what} failed: ${code.startsWith("22") ? blank(message) : message}`
      : `connection ${connection}: ${what} failed: the connection to the server was lost`,
    {
      sql,
      retryable: !fromServer || RETRYABLE.test(code),
      serverCode: code,
      // The server's own error carries whole rows in its detail.
      ...(!fromServer && { cause }),
      ...(hint !== undefined && { hint }),
    },
  );
}

/** Whether a code is the server's own: each SQLSTATE holds a digit, and so is not to be taken for the system's EPIPE. */
export function isSqlState(code: string): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code);
}

function blank(message: string): string {
  return message.replaceAll(/"[^]*"/g, '"***"');
}
