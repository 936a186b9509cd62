import { nearest } from "../domain/nearest.ts";
import { UsageError } from "../domain/errors.ts";

/** One of a few words that an option takes; a `UsageError` names the option, the bad word and the good ones. */
export function oneOf<const T extends string>(option: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const [best] = nearest(text, words);
    throw new UsageError(
      `${option} ${text === "" ? "(empty)" : text}: expected one of ${words.join(", ")}${best === undefined ? "" : `; did you mean ${best}?`}`,
    );
  };
}

/** Several of them, separated by commas; the option may be given again and again. */
export function someOf<const T extends string>(
  option: string,
  words: readonly T[],
): (text: string, before: readonly T[] | undefined) => readonly T[] {
  const one = oneOf(option, words);
  return (text, before = []) => [...new Set([...before, ...text.split(",").map((word) => one(word.trim()))])];
}
