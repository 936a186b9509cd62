import type { Database } from "../sql/session.ts";
import type { Writer } from "../sql/writer.ts";

/** How a database is reached. The URL holds secrets: it goes to the driver and nowhere else. */
export type ConnectOptions = {
  /** The connection's name in the config: what messages call it. */
  readonly connection: string;
  readonly url: string;
  readonly maxConnections: number;
  /** Milliseconds; null: the server's own. */
  readonly statementTimeout: number | null;
  /** Milliseconds until a connection attempt is given up. */
  readonly connectTimeout: number;
  readonly applicationName: string;
  /** Read-only at the server, which is what everything but a repair's target asks for. */
  readonly access: "read-only" | "read-write";
  /** When it fires, running statements are cancelled on the server and everything rejects with `InterruptedError`. */
  readonly signal: AbortSignal;
};

/** One kind of database: a folder of the same few files under `engines/`. */
export interface Engine {
  readonly id: string;
  /** URL schemes without the colon that lead here. */
  readonly schemes: readonly string[];
  /** Connects once, so that a wrong URL or password is known at once (`ConnectError`). */
  connect(options: ConnectOptions): Promise<Database>;
  /** One read-write connection (`options.access` and `options.maxConnections` say nothing here). A `ConnectError` where it cannot be had. */
  openWriter(options: ConnectOptions): Promise<Writer>;
}
