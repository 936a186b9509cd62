import { statSync } from "node:fs";
import { resolve } from "node:path";
import { ConnectError } from "../../domain/errors.ts";

/**
 * The file behind `sqlite:path` or `sqlite:///absolute/path`; a relative path lies below the working directory. The path is taken
 * as written (no percent-decoding, no query). Throws a `ConnectError` for `:memory:` (each connection would see a database of its
 * own), for a URL that names a host, and where there is no such file: SQLite would make an empty one.
 */
export function locate(connection: string, url: string): string {
  const rest = url.slice(url.indexOf(":") + 1);
  if (rest === ":memory:" || rest === "//:memory:" || rest === "")
    throw new ConnectError(connection, `${connection}: a database in memory cannot be audited`, {
      hint: "name a file: sqlite:path/to/file.db",
    });
  if (rest.startsWith("//") && !rest.startsWith("///"))
    throw new ConnectError(connection, `${connection}: the URL names a host, and SQLite has none`, {
      hint: "write sqlite:relative/path or sqlite:///absolute/path",
    });
  const path = resolve(rest.startsWith("///") ? rest.slice(2) : rest);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new ConnectError(connection, `${connection}: there is no file ${path}`, {
      hint: "check the path in the connection's url; a relative one starts where the config says",
    });
  if (!found.isFile()) throw new ConnectError(connection, `${connection}: ${path} is no file`);
  return path;
}
