import type { Pairings } from "../../compare/mapping.ts";
import type { Scope } from "../../compare/plan.ts";
import type { Both } from "../../compare/question.ts";
import type { Check } from "../../domain/check.ts";
import type { OpenSide } from "./open-side.ts";
import type { KeyScope } from "./side-spec.ts";

/** Both sides, opened in one snapshot each; disposed of when the comparison needs fresh ones. */
export type OpenSides = Both<OpenSide> & AsyncDisposable;

/** What a comparison is asked. */
export type ComparisonRequest = {
  readonly check: Check;
  readonly pairings: Pairings;
  readonly scope: Scope;
  /** As `scope`, for later looks: by then rows may be young that were not there, or not young, at the first. */
  readonly laterScope: Scope;
  readonly keyScope: KeyScope | null;
  readonly exact: boolean;
  /** Opens both sides in fresh snapshots, for the second look. */
  readonly reopen: () => Promise<OpenSides>;
};
