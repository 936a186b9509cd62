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
  #bucket;
  #asked = 0n;

  constructor(check: string, settings: PaceSettings, link: TargetLink, world: RepairWorld) {
    this.#check = check;
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
    const lag = await this.#link.retrying((writer) => writer.replicaLag());
    if (lag === null || lag <= REPLICA_LAG) return false;
    this.#world.say(`${this.#check}: a replica is ${lag / 1_000_000n} s behind; waiting for it`);
    return true;
  }
}
