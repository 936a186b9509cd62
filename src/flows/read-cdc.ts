import type { CaptureSettings, Check } from "../domain/check.ts";
import type { CdcFacts } from "../domain/facts.ts";
import { UnsupportedError } from "../domain/errors.ts";
import { raw, type Sql } from "../sql/statement.ts";
import type { Row, Snapshot } from "../sql/session.ts";
import type { Clock } from "./ports.ts";

/** How long the growth of the log is watched, microseconds. */
const WATCHED = 1_000_000n;
const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

/** What `readCdc` needs beside the check. */
export type CdcReading = {
  readonly source: Snapshot;
  /** Where `cdc.position` is asked: the consumer keeps it beside what it wrote. */
  readonly target: Snapshot;
  readonly clock: Pick<Clock, "seconds" | "sleep">;
  readonly signal: AbortSignal;
};

/**
 * What the source says of the log that a check's change data capture reads: its slot (and how fast the log grows, watched for a
 * second), or its binary logs. Null: the check is none of strategy cdc. Throws an `UnsupportedError` for a slot on a server that has none.
 */
export async function readCdc(check: Check, reading: CdcReading): Promise<CdcFacts | null> {
  const { cdc } = check;
  if (cdc === null) return null;
  const slot = cdc.slot === null ? null : await readSlot(cdc.slot, reading);
  return {
    slot: slot?.slot ?? null,
    slotMissing: cdc.slot !== null && slot === null ? cdc.slot : null,
    bytesPerSecond: slot?.bytesPerSecond ?? null,
    log: await readLog(cdc, reading),
  };
}

type Slot = NonNullable<CdcFacts["slot"]>;

async function readSlot(
  name: string,
  { source, clock, signal }: CdcReading,
): Promise<{ readonly slot: Slot; readonly bytesPerSecond: number | null } | null> {
  const { slots } = source.database.dialect.facts;
  if (slots === null)
    throw new UnsupportedError(`cdc.slot: ${source.database.connection} has no replication slots`, {
      hint: "for its binary logs, give cdc.binlog_retention and cdc.position",
    });
  const written = async (): Promise<bigint> =>
    BigInt((await ask(source, "bytes of log written", slots.written))[0]?.[0] ?? "0");
  const before = await written();
  const began = clock.seconds();
  const [row] = await ask(source, "the replication slot", slots.slot(name));
  if (row === undefined) return null;
  await clock.sleep(WATCHED, signal);
  const grown = (await written()) - before;
  const seconds = clock.seconds() - began;
  const [active, walStatus = null, invalidationReason = null, restart, confirmed, inactive, safe] = row;
  const slot: Slot = {
    name,
    active: active === "1",
    walStatus,
    invalidationReason,
    restartLag: bytesOf(restart),
    confirmedLag: bytesOf(confirmed),
    inactiveFor: bytesOf(inactive),
    safeBytes: bytesOf(safe),
  };
  return { slot, bytesPerSecond: seconds > 0 ? Number(grown) / seconds : null };
}

const bytesOf = (text: string | null | undefined): bigint | null =>
  text === null || text === undefined ? null : BigInt(text);

async function readLog(cdc: CaptureSettings, { source, target }: CdcReading): Promise<CdcFacts["log"]> {
  const { binaryLogs } = source.database.dialect.facts;
  if (binaryLogs === null || (cdc.binlogRetention === null && cdc.position === null)) return null;
  const settings = new Map(
    (await ask(source, "settings of the binary logs", binaryLogs.settings)).map(([name, value]) => [
      name,
      value ?? null,
    ]),
  );
  const kept = settings.get("log_bin") === "ON";
  // Without a log there is no list of its files, but an error.
  const files = kept ? (await ask(source, "the binary logs", binaryLogs.files)).flatMap(([file]) => file ?? []) : [];
  const consumerFile = cdc.position === null ? null : await readConsumerFile(cdc.position, target);
  return {
    retention: retentionOf(settings),
    oldestFile: files[0] ?? null,
    consumerFile,
    holdsPosition: consumerFile === null ? null : files.includes(consumerFile),
  };
}

/** Whichever of the two settings is not zero; both at zero keep logs for ever. */
function retentionOf(settings: ReadonlyMap<string | null | undefined, string | null>): bigint | null {
  const of = (name: string, unit: bigint): bigint =>
    (BigInt(Math.round(Number(settings.get(name) ?? "0") * 1_000_000)) * unit) / 1_000_000n;
  const seconds = of("binlog_expire_logs_seconds", SECOND);
  const retention = seconds > 0n ? seconds : of("expire_logs_days", DAY);
  return retention > 0n ? retention : null;
}

/** The first value of the first row: `binlog.000123`, with a path before it or a position behind it (`binlog.000123:4`). */
async function readConsumerFile(query: string, target: Snapshot): Promise<string | null> {
  const [row] = await ask(target, "the consumer's position", raw(`${query.replace(/[\s;]+$/, "")}\n`));
  const text = row?.[0]?.trim() ?? "";
  const [, file = null] = /([^/\\:\s]+\.\d+)(?:[:,\s].*)?$/s.exec(text) ?? [];
  return file;
}

async function ask(snapshot: Snapshot, what: string, statement: Sql): Promise<readonly Row[]> {
  return await snapshot.use(async (session) => await session.rows({ what, sql: statement }));
}
