import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { ConnectError } from "../../domain/errors.ts";

/** How a connection is encrypted: libpq's words. `prefer` tries TLS and takes what it gets. */
export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full";

/** A URL taken apart: what the driver reads itself, and TLS as libpq means it. The URL holds the password. */
export type Location = { readonly url: string; readonly tls: TlsMode; readonly tlsOptions: ConnectionOptions };

const TLS_PARAMETERS = ["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslpassword", "uselibpqcompat"];
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/**
 * Reads a `postgres://` URL. TLS parameters are read here because libpq's meaning is the known one (`require` encrypts without checking
 * the certificate); without any, a server on this machine is spoken to in plain, any other as `prefer` says. Throws a `ConnectError`
 * for a URL or a certificate file that cannot be read.
 */
export function locate(connection: string, text: string): Location {
  if (!URL.canParse(text))
    throw new ConnectError(connection, `connection ${connection}: its URL cannot be read`, {
      hint: "postgres://user:password@host:5432/database, with special characters of the password percent-encoded",
    });
  const url = new URL(text);
  const asked = Object.fromEntries(TLS_PARAMETERS.map((key) => [key, url.searchParams.get(key)]));
  for (const key of TLS_PARAMETERS) url.searchParams.delete(key);
  const host = url.searchParams.get("host") ?? url.hostname;
  const tls = tlsMode(connection, asked.sslmode ?? asked.ssl ?? null, asked.sslrootcert ?? null, host);
  return { url: url.href, tls, tlsOptions: tls === "disable" ? {} : tlsOptions(connection, tls, asked) };
}

function tlsMode(connection: string, asked: string | null, root: string | null, host: string): TlsMode {
  switch (asked) {
    case null:
      if (root !== null) return "verify-ca";
      return host === "" || host.startsWith("/") || LOOPBACK.test(host) ? "disable" : "prefer";
    case "allow":
      return "prefer";
    case "true":
    case "1":
      return "require";
    case "false":
    case "0":
      return "disable";
    case "disable":
    case "prefer":
    case "verify-ca":
    case "verify-full":
      return asked;
    case "require":
      // As libpq: with a root certificate at hand it is checked.
      return root === null ? "require" : "verify-ca";
    default:
      throw new ConnectError(connection, `connection ${connection}: unknown sslmode`, {
        hint: "one of disable, allow, prefer, require, verify-ca, verify-full",
      });
  }
}

function tlsOptions(
  connection: string,
  mode: TlsMode,
  asked: Readonly<Record<string, string | null>>,
): ConnectionOptions {
  const file = (path: string | null | undefined): string | undefined => {
    if (path === null || path === undefined || path === "" || path === "system") return undefined;
    try {
      return readFileSync(path, "utf8");
    } catch (cause) {
      throw new ConnectError(connection, `connection ${connection}: cannot read the certificate file ${path}`, {
        cause,
      });
    }
  };
  const [ca, cert, key] = [file(asked.sslrootcert), file(asked.sslcert), file(asked.sslkey)];
  return {
    rejectUnauthorized: mode === "verify-ca" || mode === "verify-full",
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(asked.sslpassword && { passphrase: asked.sslpassword }),
  };
}
