import type { Mistake } from "../domain/errors.ts";
import { isPlain } from "./merge.ts";
import type { Written } from "./mistakes.ts";
import { suggestion } from "../domain/nearest.ts";
import { UNKNOWN } from "./read-yaml.ts";
import { keySpotOf, type Path, spotOf } from "./yaml-node.ts";

/** Schemes that some engine or store answers to; absent: any is taken. */
export type KnownSchemes = {
  readonly connections?: readonly string[] | undefined;
  readonly state?: readonly string[] | undefined;
};

/** Rules between the fields of tidemark.yaml, told beside what the schema finds. */
export function projectMistakes(written: Written, schemes: KnownSchemes): readonly Mistake[] {
  const value = isPlain(written.root.value) ? written.root.value : {};
  const connections = isPlain(value.connections) ? value.connections : {};
  const names = Object.keys(connections);
  const say = (spot: typeof spotOf, path: Path, message: string): Mistake => ({
    file: written.file,
    ...spot(written.root, path),
    message,
  });
  const mistakes: Mistake[] = [];

  const scheme = (url: unknown, path: Path, known: readonly string[] | undefined): void => {
    if (known === undefined || typeof url !== "string") return;
    const match = /^([a-z][a-z0-9+.-]*):(\/\/)?/i.exec(url.trim());
    if (match === null || known.includes((match[1] ?? "").toLowerCase())) return;
    // Without `//` the first word may be a user's name, or anything else that is nobody's business.
    const said = match[2] === undefined ? "has an unknown scheme" : `begins with ${match[1]}://`;
    mistakes.push(say(spotOf, path, `${path.join(".")} ${said}, expected one of ${known.join(", ")}`));
  };
  for (const [name, connection] of Object.entries(connections)) {
    if (!isPlain(connection)) continue;
    scheme(connection.url, ["connections", name, "url"], schemes.connections);
    const leader = connection.replica_of;
    if (typeof leader === "string" && leader !== "" && !names.includes(leader))
      mistakes.push(
        say(
          spotOf,
          ["connections", name, "replica_of"],
          `connections.${name}.replica_of names no connection${suggestion(leader, names)}`,
        ),
      );
    if (leader === name)
      mistakes.push(
        say(
          spotOf,
          ["connections", name, "replica_of"],
          `connections.${name}.replica_of names itself, expected another connection`,
        ),
      );
  }
  scheme(value.state, ["state"], schemes.state);
  if (isPlain(value.connections) && names.length === 0)
    mistakes.push(say(keySpotOf, ["connections"], "connections is empty, expected at least one: NAME: { url: … }"));

  for (const [i, alert] of (Array.isArray(value.alerts) ? value.alerts : []).entries()) {
    if (!isPlain(alert)) continue;
    const given = ["slack", "webhook"].filter((key) => alert[key] !== undefined);
    if (given.length !== 1)
      mistakes.push(
        say(
          spotOf,
          ["alerts", i],
          `alerts[${i}] has ${given.length === 0 ? "neither slack nor webhook" : "slack and webhook"}, expected one of them`,
        ),
      );
    if (alert.secret !== undefined && alert.secret !== "" && alert.secret !== UNKNOWN && alert.slack !== undefined)
      mistakes.push(
        say(
          keySpotOf,
          ["alerts", i, "secret"],
          `alerts[${i}].secret signs a webhook, and this is slack; expected none`,
        ),
      );
  }
  return mistakes;
}
