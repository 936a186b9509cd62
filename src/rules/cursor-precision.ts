import { rule } from "./rule.ts";

/** The cursor is cut to whole seconds while its type keeps more: rows of one second cannot be told apart by it. */
export const cursorPrecision = rule(
  "cursor-precision",
  ["check", "axis", "sourceCursor"],
  ({ check, axis, sourceCursor }) =>
    axis !== "time" || sourceCursor.wholeSeconds !== true || check.cursor === null
      ? []
      : [
          {
            severity: "info",
            says: `${check.cursor.column} is cut to whole seconds although its type keeps more: rows of one second look alike to a window`,
            sides: ["source"],
            columns: [check.cursor.column],
            evidence: { column: check.cursor.column, kept: "whole seconds" },
          },
        ],
);
