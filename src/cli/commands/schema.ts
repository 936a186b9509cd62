import type { AddCommand } from "../program.ts";

/** `tidemark schema`: the JSON Schema of check files, for editors. */
export const addSchema: AddCommand = (program, { screen }) => {
  program
    .command("schema")
    .description("print the JSON Schema of check files and tidemark.yaml")
    .addHelpText(
      "after",
      `
Examples:
  tidemark schema > checks/schema.json
  and as the first line of each check file:
  # yaml-language-server: $schema=schema.json
`,
    )
    .action(async () => {
      const { jsonSchema } = await import("../../config/json-schema.ts");
      await screen.result(`${JSON.stringify(jsonSchema(), null, 2)}\n`);
    });
};
