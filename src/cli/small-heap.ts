import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** How much garbage may stand beside what is in use before it is collected, in percent of it. V8's own is up to three times as much. */
const GARBAGE = 30;
/** Where the space of the youngest objects stops growing, in bytes: V8 doubles it until it is many times this. */
const YOUNG = 4 << 20;
/** How often it is looked at until then, in milliseconds. */
const LOOK = 20;

/**
 * Keeps the process small: V8 takes whatever memory a machine has before it collects what a long audit leaves behind, and audits run beside
 * the databases that they ask. Costs 20 to 25 % of our own CPU time in an audit of a ledger, which is little beside the databases'. Both flags
 * are read anew at each collection.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE}`);
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
    if (young !== undefined && young.space_size < YOUNG) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    clearInterval(timer);
  }, LOOK);
  timer.unref();
}
