import { InvariantError } from "../domain/errors.ts";
import type { ColumnInfo, TableInfo } from "../domain/table.ts";
import type { Dialect } from "../sql/dialect.ts";
import type { Row, ServerFacts, Statement } from "../sql/session.ts";
import { raw } from "../sql/statement.ts";
import type { StageShape, WriteDialect, WriteFacts } from "../sql/write-dialect.ts";
import type { Passage, StagedRow, Writer } from "../sql/writer.ts";
import type { PooledSession } from "./session-pool.ts";

/** What a writer on a server is made of. */
export type WriterParts<S extends PooledSession> = {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly write: WriteDialect;
  readonly session: S;
};

/** What writers on servers have in common: one session that takes no part in a pool, and the stage that was made in it. */
export abstract class SessionWriter<S extends PooledSession> implements Writer {
  readonly connection: string;
  readonly server: ServerFacts;
  readonly dialect: Dialect;
  readonly write: WriteDialect;
  abstract readonly takesLines: boolean;
  protected readonly session: S;
  #shape: StageShape | null = null;

  constructor(parts: WriterParts<S>) {
    this.connection = parts.connection;
    this.server = parts.server;
    this.dialect = parts.dialect;
    this.write = parts.write;
    this.session = parts.session;
  }

  get broken(): boolean {
    return this.session.broken;
  }

  rows(statement: Statement): Promise<readonly Row[]> {
    return this.session.rows(statement);
  }

  stream(statement: Statement): AsyncIterable<readonly Row[]> {
    return this.session.stream(statement);
  }

  async commit(): Promise<void> {
    await this.rows({ what: "commit of a batch", sql: raw("COMMIT") });
  }

  async rollback(): Promise<void> {
    await this.session.reset();
  }

  async stage(shape: StageShape): Promise<void> {
    for (const statement of this.write.makeStage(shape)) await this.rows({ what: "staging table", sql: statement });
    this.#shape = shape;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
  }

  abstract facts(table: TableInfo, columns: readonly ColumnInfo[], deletes: boolean): Promise<WriteFacts>;
  abstract lock(name: string): Promise<boolean>;
  abstract begin(): Promise<void>;
  abstract load(rows: readonly StagedRow[]): Promise<void>;
  abstract insert(rows: Passage, meanwhile: () => void): Promise<void>;
  abstract replicaLag(): Promise<bigint | null>;

  /** The shape of the stage, which was made before. */
  protected get staged(): StageShape {
    if (this.#shape === null) throw new InvariantError("the stage is made before it is filled");
    return this.#shape;
  }
}
