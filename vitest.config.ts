import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    reporters: ["./test/support/reporter.ts"],
    // Generous: no test measures time, and real servers share the machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // They mostly wait for servers: as many files at a time as there are CPUs, not one fewer.
    maxWorkers: "100%",
    // A focused test that slipped into a commit would hide all others.
    allowOnly: !process.env.CI && process.env.REQUIRE_DB !== "1",
  },
});
