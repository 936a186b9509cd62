import type { Duration } from "./duration.ts";
import type { Severity } from "./finding.ts";
import type { Secret } from "./secret.ts";

/** A database that checks name. */
export type ConnectionDefinition = {
  readonly name: string;
  /** A relative path behind a scheme without `//` is already made absolute. */
  readonly url: Secret;
  /** The URL's scheme in lower case, which chooses the engine. */
  readonly scheme: string;
  /** Null: as many as `compare.parallel` needs. */
  readonly maxConnections: number | null;
  /** Null: the server's own. */
  readonly statementTimeout: Duration | null;
  /** The connection whose replica this is. */
  readonly replicaOf: string | null;
};

/** Someone to tell. */
export type AlertDefinition = {
  readonly kind: "slack" | "webhook";
  readonly url: Secret;
  /** Signs the body of a webhook (HMAC-SHA256); null: unsigned. */
  readonly secret: Secret | null;
  /** The lowest severity that is told. Default warn. */
  readonly at: Severity;
  /** When an incident that goes on is told again; null: once only. */
  readonly repeatAfter: Duration | null;
};
