import {
  ConnectError,
  InterruptedError,
  RefusedError,
  StatementError,
  type TidemarkError,
} from "../../domain/errors.ts";
import { formatTableName, type TableInfo } from "../../domain/table.ts";
import { ATTEMPTS, backoff } from "../../repair/backoff.ts";
import type { Writer } from "../../sql/writer.ts";
import type { RepairWorld } from "./ports.ts";

/** One repair (or undo) at a time of a table, whoever runs it and whatever they call the check. */
export function lockName({ name }: TableInfo): string {
  return `tidemark repair ${formatTableName(name)}`;
}

/** The way to the target: one writer that holds the repair's lock, opened anew where it is lost. */
export interface TargetLink extends AsyncDisposable {
  /** The writer, ready for a batch. */
  writer(): Promise<Writer>;
  /** Does `work`, again where it failed for a reason that may pass: each time said once. After an abort it is not tried again. */
  retrying<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
}

/** `ready` makes a fresh writer ready (its stage). Closes its writers, `first` too, also where it cannot be made. A `RefusedError` where somebody else holds the lock. */
export async function linkTarget(
  connection: string,
  lock: string,
  first: Writer,
  ready: (writer: Writer) => Promise<void>,
  world: RepairWorld,
): Promise<TargetLink> {
  let current: Writer | null = first;
  const take = async (writer: Writer): Promise<void> => {
    if (!(await writer.lock(lock))) throw new Locked();
    await ready(writer);
  };
  const open = async (): Promise<Writer> => {
    if (current !== null && !current.broken) return current;
    await current?.[Symbol.asyncDispose]();
    current = null;
    const writer = await world.writers.open(connection);
    try {
      await take(writer);
    } catch (error) {
      await writer[Symbol.asyncDispose]();
      throw error;
    }
    current = writer;
    return writer;
  };
  try {
    await takeSoon(take, first, world);
  } catch (error) {
    // It is ours from the call on: left open, it would keep the process alive.
    await first[Symbol.asyncDispose]();
    if (error instanceof Locked)
      throw new RefusedError("another repair of this table is running: it holds the lock in the target database", {
        hint: "wait for it to end",
      });
    throw error;
  }
  return {
    writer: open,
    async retrying(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work(await open());
        } catch (error) {
          const failure = error instanceof Error && error.name === "UnsureCommit" ? error.cause : error;
          if (!mayPass(failure, current) || attempt >= ATTEMPTS || world.signal.aborted)
            throw failure instanceof Locked ? lost() : failure;
          const wait = backoff(attempt + 1, world.random());
          world.say(
            `${(failure as Error).message}; trying again in ${(Number(wait) / 1e6).toFixed(1)} s (attempt ${attempt + 1} of ${ATTEMPTS})`,
          );
          await world.clock.sleep(wait, world.signal);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await current?.[Symbol.asyncDispose]();
    },
  };
}

/** How long the lock is waited for, and how often it is asked for, in microseconds: a server notices only after a while that a process was killed. */
const LOCK_WAIT = 5_000_000n;
const LOCK_QUESTION = 250_000n;

async function takeSoon(
  take: (writer: Writer) => Promise<void>,
  writer: Writer,
  { clock, signal }: RepairWorld,
): Promise<void> {
  for (const until = clock.now() + LOCK_WAIT; ; ) {
    try {
      return await take(writer);
    } catch (error) {
      if (!(error instanceof Locked) || clock.now() >= until) throw error;
      await clock.sleep(LOCK_QUESTION, signal);
    }
  }
}

/** The lock is somebody else's: for a moment it may still be that of our own lost connection. */
class Locked extends Error {
  constructor() {
    super("the lock of the repair is still held");
  }
}

function lost(): TidemarkError {
  return new RefusedError("the connection was lost, and another repair of this table has begun meanwhile", {
    hint: "wait for it to end, then go on with --resume",
  });
}

function mayPass(error: unknown, writer: Writer | null): boolean {
  if (error instanceof InterruptedError) return false;
  if (error instanceof Locked || error instanceof ConnectError) return true;
  if (!(error instanceof StatementError)) return false;
  return error.retryable || writer?.write.classify(error) === "again";
}
