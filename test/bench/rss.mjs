// Loaded into a measured process: leaves its peak memory, in KiB, in a file when it ends.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env.BENCH_RSS;

// What getrusage says of a child begins with what its parent held when it was started: Linux's own high-water mark does not.
function peak() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

if (file) process.on("exit", () => writeFileSync(file, `${peak()}\n`, { flag: "a" }));
