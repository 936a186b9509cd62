import { readFileSync } from "node:fs";
import { ConnectError } from "../../domain/errors.ts";

/** How the connection is encrypted. `preferred`: if the server offers it; its certificate is not checked then. */
export type Encryption = "disabled" | "preferred" | "required" | "verify-ca" | "verify-identity";

/** Where a URL leads, and as whom. Holds the password: it goes to the driver and nowhere else. */
export type Location = {
  readonly host: string;
  readonly port: number;
  readonly socket: string | null;
  readonly user: string;
  readonly password: string;
  readonly database: string | null;
  readonly encryption: Encryption;
  readonly ca: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
  /** Host, port and database as messages name them. */
  readonly shown: string;
};

/** URL parameters that are known, in lower case without hyphens and underscores. */
const PARAMETERS = new Set(["ssl", "sslmode", "sslca", "sslcert", "sslkey", "socket", "socketpath"]);

/** Reads a `mysql:` or `mariadb:` URL; `ConnectError` for one that cannot be read. It is never quoted. */
export function locate(connection: string, text: string): Location {
  const wrong = (what: string, hint: string): ConnectError =>
    new ConnectError(connection, `connection ${connection}: ${what}`, { hint });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong(
      "its URL cannot be read",
      "mysql://user:password@host:3306/database; write special characters in a password as %XX",
    );
  }
  const given = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const id = name.toLowerCase().replaceAll(/[-_]/g, "");
    if (!PARAMETERS.has(id))
      throw wrong(
        `its URL has an unknown parameter ${name}`,
        "known are ssl-mode, ssl-ca, ssl-cert, ssl-key and socket",
      );
    given.set(id, value);
  }
  const file = (id: string): string | null => {
    const path = given.get(id);
    if (path === undefined) return null;
    try {
      return readFileSync(path, "utf8");
    } catch {
      throw wrong(`the file of ${id.replace("ssl", "ssl-")} cannot be read`, "check the path in the URL");
    }
  };
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw wrong("its URL cannot be read", "write a % in a password as %25");
    }
  };
  const socket = given.get("socket") ?? given.get("socketpath") ?? null;
  const host = decode(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost";
  const port = Number(url.port || "3306");
  const database = decode(url.pathname.replace(/^\//, "")) || null;
  const encryption = encryptionOf(given, socket !== null || isLocal(host), (value) =>
    wrong(`ssl-mode ${value} is unknown`, "disabled, preferred, required, verify-ca or verify-identity"),
  );
  return {
    host,
    port,
    socket,
    user: decode(url.username),
    password: decode(url.password),
    database,
    encryption,
    ca: file("sslca"),
    certificate: file("sslcert"),
    key: file("sslkey"),
    shown: `${socket ?? `${url.hostname || "localhost"}:${port}`}${database === null ? "" : `, database ${database}`}`,
  };
}

const isLocal = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.");

const NO = new Set(["false", "0", "no", "off"]);
const MODES: Readonly<Record<string, Encryption>> = {
  disabled: "disabled",
  disable: "disabled",
  preferred: "preferred",
  prefer: "preferred",
  required: "required",
  require: "required",
  verifyca: "verify-ca",
  verifyidentity: "verify-identity",
  verifyfull: "verify-identity",
};

function encryptionOf(
  given: ReadonlyMap<string, string>,
  local: boolean,
  unknown: (value: string) => ConnectError,
): Encryption {
  const mode = given.get("sslmode");
  const ssl = given.get("ssl");
  if (mode !== undefined) {
    const found = MODES[mode.toLowerCase().replaceAll(/[-_]/g, "")];
    if (found === undefined) throw unknown(mode);
    return found;
  }
  if (ssl !== undefined) {
    if (NO.has(ssl.toLowerCase())) return "disabled";
    // As mysql2 writes it: ssl={"rejectUnauthorized":false}.
    return /"rejectUnauthorized"\s*:\s*false/.test(ssl) ? "required" : "verify-identity";
  }
  if (given.has("sslca")) return "verify-ca";
  return local ? "disabled" : "preferred";
}
