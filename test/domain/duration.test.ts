import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Duration, formatDuration, parseBytes, parseDuration } from "../../src/domain/duration.ts";

describe("a duration", () => {
  it.each([
    ["30s", 30_000_000n],
    ["10m", 600_000_000n],
    ["6h", 21_600_000_000n],
    ["2d", 172_800_000_000n],
    ["1w", 604_800_000_000n],
    ["1h30m", 5_400_000_000n],
    ["1d 12h", 129_600_000_000n],
    ["250ms", 250_000n],
    ["1m250ms", 60_250_000n],
    ["7us", 7n],
    ["0", 0n],
    ["0s", 0n],
    [" 5m ", 300_000_000n],
  ])("%j is read in microseconds", (text, micros) => {
    expect(parseDuration(text)).toBe(micros);
  });

  it.each(["", " ", "10", "ten minutes", "1.5h", "-3d", "30m1h", "5x", "5 m x", "1h1h", "m", "1H"])(
    "%j is no duration",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  it("is printed with the largest units first", () => {
    expect(formatDuration(5_400_000_000n as Duration)).toBe("1h30m");
    expect(formatDuration(0n as Duration)).toBe("0s");
    expect(formatDuration(604_800_000_000n as Duration)).toBe("7d");
  });

  it("survives being printed and read again", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (micros) => {
        expect(parseDuration(formatDuration(micros as Duration))).toBe(micros);
      }),
    );
  });
});

describe("a size", () => {
  it.each([
    ["512B", 512n],
    ["64kB", 65_536n],
    ["500MB", 524_288_000n],
    ["1GB", 1_073_741_824n],
    ["1 gib", 1_073_741_824n],
    ["2TB", 2_199_023_255_552n],
  ])("%j counts in powers of 1024, as PostgreSQL does", (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each(["", "1", "1.5GB", "-1GB", "GB", "1PB", "1 G"])("%j is no size", (text) => {
    expect(parseBytes(text)).toBeNull();
  });
});
