// Loaded into a measured process: leaves its peak memory in a file when it ends.
import { writeFileSync } from "node:fs";

const file = process.env.BENCH_RSS;
// The door starts a newer Node where this one is old; the last of them to end is the one that did the work's waiting, so keep the largest.
if (file) process.on("exit", () => writeFileSync(file, `${process.resourceUsage().maxRSS}\n`, { flag: "a" }));
