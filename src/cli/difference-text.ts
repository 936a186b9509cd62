import type { Copy, Difference, ShownValues } from "../domain/difference.ts";
import type { Key } from "../domain/key.ts";
import type { Position } from "../domain/position.ts";

type Changed = Extract<Difference, { type: "changed" }>;

/** A copy's parts in order; positions as text, since JSON has no 64-bit integers. */
type CopyParts = readonly [string | null, string | null, string | null, string | null];

type Line =
  | readonly ["missing" | "extra", Key, CopyParts]
  | readonly [
      "changed",
      Key,
      CopyParts,
      CopyParts,
      Changed["order"],
      readonly string[] | null,
      string | null,
      readonly ShownValues[] | null,
    ];

/** A difference as one line of JSON, without names: there may be as many as the table has rows, and each is read more than once. */
export function differenceText(difference: Difference): string {
  return JSON.stringify(lineOf(difference));
}

/** The inverse of `differenceText`. */
export function readDifference(text: string): Difference {
  const line = JSON.parse(text) as Line;
  switch (line[0]) {
    case "missing":
      return { type: "missing", key: line[1], source: copyOf(line[2]) };
    case "extra":
      return { type: "extra", key: line[1], target: copyOf(line[2]) };
    case "changed": {
      const [type, key, source, target, order, columns, seen, values] = line;
      return {
        type,
        key,
        source: copyOf(source),
        target: copyOf(target),
        order,
        columns,
        ...(seen === null ? {} : { seen }),
        ...(values === null ? {} : { values }),
      };
    }
  }
}

function lineOf(difference: Difference): Line {
  switch (difference.type) {
    case "missing":
      return ["missing", difference.key, partsOf(difference.source)];
    case "extra":
      return ["extra", difference.key, partsOf(difference.target)];
    case "changed": {
      const { key, source, target, order, columns, seen, values } = difference;
      return ["changed", key, partsOf(source), partsOf(target), order, columns, seen ?? null, values ?? null];
    }
  }
}

function partsOf({ cursor, version, arrival, loaded }: Copy): CopyParts {
  return [cursor?.toString() ?? null, version, arrival?.toString() ?? null, loaded?.toString() ?? null];
}

function copyOf([cursor, version, arrival, loaded]: CopyParts): Copy {
  return { cursor: positionOf(cursor), version, arrival: positionOf(arrival), loaded: positionOf(loaded) };
}

const positionOf = (text: string | null): Position | null => (text === null ? null : BigInt(text));
