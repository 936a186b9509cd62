import type { z } from "zod";

/**
 * Which of three forms of a check is meant: what a file may say (`input`, for editors), what stands once the layers below are merged in
 * (`complete`: nothing with a default is missing), or what `defaults` of tidemark.yaml may say (`defaults`: nothing is required).
 */
export type Form = "input" | "complete" | "defaults";

/** How a form treats what must be given (`needed`) and what has a default (`filled`). */
export type Presence = {
  readonly needed: <S extends z.ZodType>(schema: S) => S;
  readonly filled: <S extends z.ZodType>(schema: S) => S;
};

/** The types are those of the complete form, the only one whose output is used. */
export function presence(form: Form): Presence {
  const optional = <S extends z.ZodType>(schema: S): S => schema.optional() as unknown as S;
  const asIs = <S extends z.ZodType>(schema: S): S => schema;
  return { needed: form === "defaults" ? optional : asIs, filled: form === "complete" ? asIs : optional };
}
