import { columnNamed } from "../domain/table.ts";
import { narrower } from "./narrower.ts";
import { type FindingDraft, rule } from "./rule.ts";

/** Target columns whose declared type cannot hold every value of the source's. */
export const narrowerType = rule("narrower-type", ["source", "target", "mapping"], ({ source, target, mapping }) =>
  mapping.compared.flatMap((pair): readonly FindingDraft[] => {
    const from = columnNamed(source.table, pair.source);
    const to = columnNamed(target.table, pair.target);
    const lost = from === null || to === null ? null : narrower(from.kind, to.kind);
    if (from === null || to === null || lost === null) return [];
    return [
      {
        part: pair.source,
        severity: lost.severity,
        says: `${pair.source} is ${from.type} in the source and ${to.type} in the target, which ${lost.why}`,
        sides: ["target"],
        columns: [pair.source],
        evidence: { column: pair.source, source_type: from.type, target_type: to.type, why: lost.why },
      },
    ];
  }),
);
