/**
 * A failure of the world, or of what was asked: never a difference (that is a finding) and never a bug.
 * `code` is stable and stands in the JSON report; `hint` is one line that says what to do; `place` says where.
 * Messages carry no secret and no row value.
 */
export abstract class TidemarkError extends Error {
  abstract readonly code: string;
  readonly hint: string | null;
  /** Which exit code a command ends with when this stopped it (interface.md §4). */
  abstract readonly exit: 2 | 3;

  constructor(message: string, options: { readonly hint?: string | null | undefined; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.hint = options.hint ?? null;
  }
}

/** Asked wrongly on the command line. */
export class UsageError extends TidemarkError {
  readonly code = "usage";
  readonly exit = 2;
}

/** One mistake in a check file, with its place as the user would type it. Lines and columns count from 1. */
export type Mistake = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** Mistakes in check files, all of them at once. The message holds one line a mistake: `file:line:column: what`. */
export class DefinitionError extends TidemarkError {
  readonly code = "definition";
  readonly exit = 2;
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map((m) => `${m.file}:${m.line}:${m.column}: ${m.message}`).join("\n"));
    this.mistakes = mistakes;
  }
}

/** What is asked for is not possible with this engine, version or column. */
export class UnsupportedError extends TidemarkError {
  readonly code = "unsupported";
  readonly exit = 3;
}

/** A table or column is not there, or nothing about it can be compared. */
export class SchemaError extends TidemarkError {
  readonly code = "schema";
  readonly exit = 3;
}

/** A server could not be reached or refused us. Names the connection and the host, never the URL. */
export class ConnectError extends TidemarkError {
  readonly code = "connect";
  readonly exit = 3;
  readonly connection: string;

  constructor(connection: string, message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, options);
    this.connection = connection;
  }
}

/** A statement failed on the server. `statement` names what it was for; its SQL holds no values. */
export class StatementError extends TidemarkError {
  readonly code = "statement";
  readonly exit = 3;
  readonly statement: string;
  readonly sql: string;
  /** Whether the same statement may well succeed when it is asked again (deadlock, lost connection, serialization). */
  readonly retryable: boolean;
  /** What the server calls it: an SQLSTATE or a number, as text. */
  readonly serverCode: string | null;

  constructor(
    statement: string,
    message: string,
    options: {
      readonly sql: string;
      readonly retryable?: boolean;
      readonly serverCode?: string | null;
      readonly hint?: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, options);
    this.statement = statement;
    this.sql = options.sql;
    this.retryable = options.retryable ?? false;
    this.serverCode = options.serverCode ?? null;
  }
}

/** The ledger could not be read at all (single lines that cannot be read are facts, not errors). */
export class LedgerError extends TidemarkError {
  readonly code = "ledger";
  readonly exit = 3;
}

/** Refused for safety: a bound, a target that is not idempotent. Names the bound, what was asked, and how to lift it. */
export class RefusedError extends TidemarkError {
  readonly code = "refused";
  readonly exit = 2;
}

/** A file of ours (facts, report, state) cannot be read or written. */
export class FileError extends TidemarkError {
  readonly code = "file";
  readonly exit = 3;
}

/** An alert could not be delivered. */
export class DeliveryError extends TidemarkError {
  readonly code = "delivery";
  readonly exit = 3;
}

/** The user pressed Ctrl-C, or the command was told to stop. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  constructor() {
    super("interrupted");
  }
}

/** A bug of ours: something that the code promised itself does not hold. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Returns `value`, or throws an `InvariantError` that names what was promised. */
export function must<T>(value: T | null | undefined, promise: string): T {
  if (value === null || value === undefined) throw new InvariantError(`broken promise: ${promise}`);
  return value;
}
