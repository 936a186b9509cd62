import { z } from "zod";
import { BLOCK_DEFAULTS, CHECK_DEFAULTS, PROJECT_DEFAULTS } from "./defaults.ts";
import { isPlain } from "./merge.ts";
import { checkFileSchema } from "./check-schema.ts";
import { projectSchema } from "./project-schema.ts";

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = { [keyword: string]: unknown };

/**
 * The JSON Schema of check files and of tidemark.yaml, made from the definitions that read them, with every setting's description and
 * default: what `tidemark schema` prints and editors complete from. One schema for both kinds of file; an editor tells them apart by
 * what they require (`connections`, or `source` and `target`).
 */
export function jsonSchema(): JsonSchema {
  const project = described(projectSchema);
  const check = described(checkFileSchema);
  fillDefaults(check, { ...CHECK_DEFAULTS, ...BLOCK_DEFAULTS });
  const { alert_at, ...projectDefaults } = PROJECT_DEFAULTS;
  fillDefaults(project, projectDefaults);
  fillDefaults(itemsOf(propertiesOf(project).alerts), { at: alert_at });
  fillDefaults(propertiesOf(project).defaults, { ...CHECK_DEFAULTS, ...BLOCK_DEFAULTS });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Tidemark check files",
    oneOf: [{ $ref: "#/$defs/check" }, { $ref: "#/$defs/tidemark" }],
    $defs: {
      check: { title: "a check", ...check },
      tidemark: { title: "tidemark.yaml", ...project },
    },
  };
}

function described(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", reused: "inline" });
  return rest;
}

/** Writes defaults to the settings that have one; blocks pass theirs on to what they hold. */
function fillDefaults(schema: unknown, defaults: Readonly<Record<string, unknown>>): void {
  const properties = propertiesOf(schema);
  for (const [key, value] of Object.entries(defaults)) {
    const property = properties[key];
    if (!isPlain(property)) continue;
    if (isPlain(value) && Object.keys(value).length > 0) fillDefaults(property, value);
    else if (!isPlain(value)) (property as JsonSchema).default = value;
  }
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return isPlain(schema) && isPlain(schema.properties) ? schema.properties : {};
}

function itemsOf(schema: unknown): unknown {
  return isPlain(schema) ? schema.items : undefined;
}
