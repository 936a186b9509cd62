import { isAbsolute, resolve } from "node:path";
import type { AlertDefinition, ConnectionDefinition } from "../domain/definitions.ts";
import { UsageError } from "../domain/errors.ts";
import { Secret } from "../domain/secret.ts";
import { PROJECT_DEFAULTS } from "./defaults.ts";
import type { Environment } from "./expand.ts";
import type { Project, StateDefinition } from "./project.ts";
import type { ProjectInput } from "./project-schema.ts";

/** A project without its checks, from what tidemark.yaml says; TIDEMARK_STATE and TIDEMARK_REPORTS of the environment win over it. */
export function completeProject(
  input: ProjectInput,
  folder: string,
  environment: Environment,
): Omit<Project, "checks" | "defaults"> {
  const root = resolve(folder, "..");
  const reports = typeof input.reports === "object" ? input.reports : { folder: input.reports };
  return {
    folder,
    root,
    connections: new Map(
      Object.entries(input.connections).map(([name, definition]) => [name, connection(name, definition, root)]),
    ),
    state: state(input, root, environment),
    reports: {
      folder: resolve(root, environment["TIDEMARK_REPORTS"] || reports.folder || PROJECT_DEFAULTS.reports),
      keep: ("keep" in reports ? reports.keep : null) ?? null,
      url: input.reports_url ?? null,
    },
    alerts: (input.alerts ?? []).map(alert),
  };
}

function connection(name: string, input: ProjectInput["connections"][string], root: string): ConnectionDefinition {
  return {
    name,
    ...located(input.url, root),
    maxConnections: input.max_connections ?? null,
    statementTimeout: input.statement_timeout ?? null,
    replicaOf: input.replica_of ?? null,
  };
}

function state(input: ProjectInput, root: string, environment: Environment): StateDefinition {
  const override = environment["TIDEMARK_STATE"]?.trim();
  if (override && !/^[a-z][a-z0-9+.-]*:[^\s]/i.test(override))
    throw new UsageError("TIDEMARK_STATE is no place for the state, expected sqlite:PATH or a postgres:// URL");
  return located(override || input.state || PROJECT_DEFAULTS.state, root);
}

/** A URL's scheme, and the URL with a relative path (`sqlite:state.db`; no `//`) made absolute. `sqlite::memory:` stays. */
function located(url: string, root: string): StateDefinition {
  const scheme = url.slice(0, url.indexOf(":")).toLowerCase();
  const rest = url.slice(scheme.length + 1);
  const path = !rest.startsWith("//") && !rest.startsWith(":") && !isAbsolute(rest);
  return { scheme, url: new Secret(path ? `${scheme}:${resolve(root, rest)}` : url) };
}

function alert(input: NonNullable<ProjectInput["alerts"]>[number]): AlertDefinition {
  return {
    kind: input.slack === undefined ? "webhook" : "slack",
    url: new Secret(input.slack ?? input.webhook ?? ""),
    secret: input.secret ? new Secret(input.secret) : null,
    at: input.at ?? PROJECT_DEFAULTS.alert_at,
    repeatAfter: input.repeat_after ?? null,
  };
}
