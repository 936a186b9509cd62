import type { Check } from "../domain/check.ts";
import type { AlertDefinition, ConnectionDefinition } from "../domain/definitions.ts";
import type { Duration } from "../domain/duration.ts";
import type { Secret } from "../domain/secret.ts";

/** All that a folder of checks says, complete. */
export type Project = {
  /** Absolute. */
  readonly folder: string;
  /** The folder that holds the checks folder; reports and a relative state file lie in it. Absolute. */
  readonly root: string;
  readonly connections: ReadonlyMap<string, ConnectionDefinition>;
  readonly state: StateDefinition;
  readonly reports: {
    /** Absolute. */
    readonly folder: string;
    /** Null: reports are kept for ever. */
    readonly keep: Duration | null;
    /** Where the folder is served, for links in alerts; null: nowhere. */
    readonly url: string | null;
  };
  readonly alerts: readonly AlertDefinition[];
  /** What tidemark.yaml says under `defaults`, as written; it is already merged into every check. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** By name. Only those asked for, where some were. */
  readonly checks: readonly Check[];
};

/** Where history is kept. */
export type StateDefinition = {
  /** A path behind a scheme without `//` is absolute. */
  readonly url: Secret;
  /** In lower case, which chooses the store. */
  readonly scheme: string;
};

/** Every secret of a project, for `redact`. */
export function secretsOf(project: Project): readonly Secret[] {
  return [
    ...[...project.connections.values()].map((connection) => connection.url),
    project.state.url,
    ...project.alerts.flatMap((alert) => (alert.secret ? [alert.url, alert.secret] : [alert.url])),
  ];
}
