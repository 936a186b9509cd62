import { boundary } from "./boundary.ts";
import type { Cause } from "./cause.ts";
import { closedAheadOfClock } from "./closed-ahead-of-clock.ts";
import { droppedInPipeline } from "./dropped-in-pipeline.ts";
import { failedRun } from "./failed-run.ts";
import { hardDelete } from "./hard-delete.ts";
import { lateCommit } from "./late-commit.ts";
import { notDue } from "./not-due.ts";
import { nullCursor } from "./null-cursor.ts";
import { oldDated } from "./old-dated.ts";
import { outOfOrderWrite } from "./out-of-order-write.ts";
import { precision } from "./precision.ts";
import { uncoveredWindow } from "./uncovered-window.ts";
import { undetermined } from "./undetermined.ts";
import { unstampedUpdate } from "./unstamped-update.ts";

/** Every cause in the order in which it is asked (findings.md §2): the first that holds is the cause. The last always holds. */
export const CAUSES: readonly Cause[] = [
  nullCursor,
  notDue,
  failedRun,
  uncoveredWindow,
  boundary,
  closedAheadOfClock,
  oldDated,
  lateCommit,
  precision,
  outOfOrderWrite,
  droppedInPipeline,
  unstampedUpdate,
  hardDelete,
  undetermined,
];
