import type { Database, Session, Snapshot, Statement } from "../sql/session.ts";
import { render } from "../sql/statement.ts";

/** The same database, saying every statement before it is sent: what it is for and its SQL, with placeholders for values. */
export function loggedDatabase(database: Database, say: (line: string) => void): Database {
  const { connection, dialect } = database;
  const told = (statement: Statement): Statement => {
    const { text } = render(
      statement.sql,
      (name) => dialect.quote(name),
      (n) => dialect.placeholder(n),
    );
    say(`${connection}: ${statement.what}: ${text.replaceAll(/\s+/g, " ").trim()}`);
    return statement;
  };
  const logged = (session: Session): Session => ({
    rows: (statement) => session.rows(told(statement)),
    stream: (statement) => session.stream(told(statement)),
  });
  const whole: Database = {
    connection,
    dialect,
    server: database.server,
    get statements() {
      return database.statements;
    },
    describe: (table) => database.describe(table),
    replicaLag: () => database.replicaLag(),
    use: (work) => database.use((session) => work(logged(session))),
    async snapshot(sessions): Promise<Snapshot> {
      const snapshot = await database.snapshot(sessions);
      return {
        database: whole,
        use: (work) => snapshot.use((session) => work(logged(session))),
        [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
  return whole;
}
