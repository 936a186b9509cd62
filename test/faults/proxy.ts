import { createServer, connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** What passes the proxy: to the server what a client says, to the client what the server answers. */
export type Passing = {
  readonly from: "client" | "server";
  readonly bytes: Buffer;
  /** Number of the connection, from 1, and the bytes that it has passed that way before these. */
  readonly connection: number;
  readonly before: number;
};

/** What becomes of a piece. `cut`: it does not arrive, and both ends lose the connection; `cut-after`: it arrives first. */
export type Verdict = "pass" | "cut" | "cut-after";

/** A way to a server that can be cut. */
export interface Proxy extends AsyncDisposable {
  /** A URL of that server, by way of the proxy. */
  via(url: string): string;
  /** Cuts that were made. */
  readonly cuts: () => number;
}

/** Opens a proxy on this machine before the server of `url`. `judge` sees each piece before it passes. */
export async function openProxy(url: string, judge: (passing: Passing) => Verdict): Promise<Proxy> {
  const { hostname, port, protocol } = new URL(url);
  const to = { host: hostname, port: Number(port || (protocol.startsWith("postgres") ? 5432 : 3306)) };
  const open = new Set<Socket>();
  let connections = 0;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(to);
    const connection = ++connections;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const [socket, other, from] of [
      [client, upstream, "client"],
      [upstream, client, "server"],
    ] as const) {
      let before = 0;
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("data", (bytes) => {
        const verdict = judge({ from, bytes, connection, before });
        before += bytes.length;
        if (verdict !== "pass") cuts++;
        if (verdict === "cut") return cut();
        other.write(bytes, () => {
          // What was let through has to arrive before the other end hears that its client is gone.
          if (verdict === "cut-after") setTimeout(cut, 30);
        });
      });
      socket.on("error", cut).on("close", () => {
        open.delete(socket);
        cut();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    via(other) {
      const changed = new URL(other);
      changed.hostname = "127.0.0.1";
      changed.port = String((server.address() as AddressInfo).port);
      // Encrypted, nobody could tell a commit from a read.
      changed.searchParams.set(
        changed.protocol.startsWith("postgres") ? "sslmode" : "ssl-mode",
        changed.protocol.startsWith("postgres") ? "disable" : "disabled",
      );
      return changed.href;
    },
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Cuts once, at the n-th piece that holds this text on its way to the server. */
export function cutAt(text: RegExp, how: Verdict, nth = 1): (passing: Passing) => Verdict {
  let left = nth;
  return ({ from, bytes }) => (from === "client" && text.test(bytes.toString("latin1")) && --left === 0 ? how : "pass");
}
