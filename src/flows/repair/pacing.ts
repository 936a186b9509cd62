import { InterruptedError } from "../../domain/errors.ts";
import { moment } from "../../domain/wording.ts";
import { nextOpening } from "../../repair/hours.ts";
import { fullBucket, take } from "../../repair/throttle.ts";
import type { RepairWorld } from "./ports.ts";
import type { TargetLink } from "./target-link.ts";

/** Replicas may lag this far before a repair waits for them, in microseconds; asked once in so many. */
const REPLICA_LAG = 10_000_000n;
const REPLICA_QUESTION = 5_000_000n;

/** What a repair's pace is set by. */
export type PaceSettings = {
  readonly rowsPerSecond: number;
  readonly between: Parameters<typeof nextOpening>[1];
  readonly timezone: string;
};

/** Waits before each batch for the hours, for replicas, and for the throttle. */
export class Pacing {
  readonly #check: string;
  readonly #settings: PaceSettings;
  readonly #link: TargetLink;
  readonly #world: RepairWorld;
  readonly #target: string;
  readonly #mute = new Set<string>();
  #bucket;
  #asked = 0n;

  /** `target`: the connection that is written to. */
  constructor(check: string, target: string, settings: PaceSettings, link: TargetLink, world: RepairWorld) {
    this.#check = check;
    this.#target = target;
    this.#settings = settings;
    this.#link = link;
    this.#world = world;
    this.#bucket = fullBucket(settings.rowsPerSecond, world.clock.now());
  }

  /** Returns when so many rows may be written. An `InterruptedError` where Ctrl-C ends the waiting. */
  async mayGoOn(rows: number): Promise<void> {
    const { clock, signal, say } = this.#world;
    const { between, timezone } = this.#settings;
    if (signal.aborted) throw new InterruptedError();
    for (
      let opens = nextOpening(clock.now(), between, timezone);
      opens > clock.now();
      opens = nextOpening(clock.now(), between, timezone)
    ) {
      say(`${this.#check}: outside of its hours; waiting until ${moment(opens)}`);
      await clock.sleep(opens - clock.now(), signal);
    }
    while (await this.#replicasLag()) await clock.sleep(REPLICA_QUESTION, signal);
    const { bucket, wait } = take(this.#bucket, rows, clock.now());
    this.#bucket = bucket;
    if (wait > 0n) await clock.sleep(wait, signal);
  }

  async #replicasLag(): Promise<boolean> {
    const now = this.#world.clock.now();
    if (now < this.#asked + REPLICA_QUESTION) return false;
    this.#asked = now;
    const known = await this.#link.retrying((writer) => writer.replicaLag());
    const told = await Promise.all(this.#world.replicasOf(this.#target).map((replica) => this.#lagOf(replica)));
    const lag = [known, ...told].reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
    if (lag === null || lag <= REPLICA_LAG) return false;
    this.#world.say(`${this.#check}: a replica is ${lag / 1_000_000n} s behind; waiting for it`);
    return true;
  }

  /** As a replica says itself. One that cannot be asked is no reason not to write: that is said once. */
  async #lagOf(replica: string): Promise<bigint | null> {
    try {
      const database = await this.#world.databases.open(replica);
      return await database.replicaLag();
    } catch (error) {
      if (error instanceof InterruptedError || this.#world.signal.aborted || !(error instanceof Error)) throw error;
      if (!this.#mute.has(replica))
        this.#world.say(
          `${this.#check}: how far ${replica} is behind is not known, and is not waited for: ${error.message}`,
        );
      this.#mute.add(replica);
      return null;
    }
  }
}
