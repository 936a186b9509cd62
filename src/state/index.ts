import { UsageError } from "../domain/errors.ts";
import type { State } from "../domain/state.ts";
import { stateOver } from "./state-over.ts";

/**
 * Opens the state store: `sqlite:path` (made with its folder where it is not there) or `postgres://…` (in a schema of its own,
 * `tidemark`). Brings it to this version's schema; a `FileError` where a newer Tidemark has been there. A `ConnectError` or
 * `FileError` where it cannot be opened.
 */
export async function openState({ url }: { readonly url: string }): Promise<State> {
  const scheme = url.slice(0, url.indexOf(":")).toLowerCase();
  if (scheme === "sqlite") return stateOver(await (await import("./sqlite-store.ts")).openSqliteStore(url));
  if (scheme === "postgres" || scheme === "postgresql")
    return stateOver(await (await import("./postgres-store.ts")).openPostgresStore(url));
  throw new UsageError("the state can be kept in sqlite:path or in postgres://…", {
    hint: "see `state` in tidemark.yaml; the default is sqlite:.tidemark/state.db",
  });
}
