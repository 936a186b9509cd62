import { must, UnsupportedError } from "../../domain/errors.ts";
import type { DigestKind } from "../../compare/plan.ts";
import type { Dialect } from "../../sql/dialect.ts";
import type { Database, Snapshot, TextHash } from "../../sql/session.ts";
import { type Sql, sql, value } from "../../sql/statement.ts";

/** A text with characters of one to four bytes, and the first 64 bits of its hashes as 0 … 2^64 − 1 (by OpenSSL). */
const PROBE = "tidemark é 潮 🌊";
const EXPECTED: Readonly<Record<TextHash, bigint>> = { sha256: 5327595940892275670n, md5: 6519324004332498696n };

/**
 * The hash that proves rows equal on both servers, tried on both before it is used: the engine family's typed hash where both sides
 * share one and can hash every column without making a text of it, else SHA-256 or MD5 over the row text.
 */
export async function negotiate(
  source: Snapshot,
  target: Snapshot,
  typed: (dialect: Dialect, side: "source" | "target") => Sql | null,
): Promise<DigestKind> {
  const [a, b] = [source.database, target.database];
  if (
    a.server.family === b.server.family &&
    typed(a.dialect, "source") &&
    typed(b.dialect, "target") &&
    (await agreeOnTyped(source, target))
  )
    return "typed";
  const common = a.server.hashes.filter((hash) => b.server.hashes.includes(hash));
  for (const hash of (["sha256", "md5"] as const).filter((h) => common.includes(h)))
    if ((await proves(source, hash)) && (await proves(target, hash))) return hash;
  throw new UnsupportedError(
    `${a.connection} (${describe(a)}) and ${b.connection} (${describe(b)}) have no hash function in common`,
    { hint: "compare with --exact, which needs none" },
  );
}

const describe = (database: Database): string => `${database.server.engine} ${database.server.version}`;

async function agreeOnTyped(source: Snapshot, target: Snapshot): Promise<boolean> {
  const probes = [source.database.dialect.typedProbe, target.database.dialect.typedProbe];
  if (probes.some((p) => p === null)) return false;
  const answers = await Promise.all(
    [source, target].map((s, i) =>
      s.use((session) => session.rows({ what: "probe of typed hashes", sql: must(probes[i], "a probe is there") })),
    ),
  );
  const [one, other] = answers.map((rows) => rows[0]?.[0] ?? null);
  return one !== null && one === other;
}

async function proves(snapshot: Snapshot, hash: TextHash): Promise<boolean> {
  const { dialect } = snapshot.database;
  const [row] = await snapshot.use((session) =>
    session.rows({ what: `probe of ${hash}`, sql: sql`SELECT ${dialect.countText(dialect.hash(hash, value(PROBE)))}` }),
  );
  const answer = row?.[0] ?? null;
  return answer !== null && BigInt.asUintN(64, BigInt(answer)) === EXPECTED[hash];
}
