import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the listener has heard. */
export type Heard = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** How it answers. Null: the connection is cut; `never`: it is kept open and silent. */
export type Reply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string }
  | "never"
  | null;

/** A server on this machine that plays Slack, or anybody else who takes webhooks. */
export interface Listener extends AsyncDisposable {
  readonly url: (path: string) => string;
  readonly heard: readonly Heard[];
  /** What has been heard since the last time one asked. */
  take(): readonly Heard[];
  /** The next requests are answered with these, one each; then with 200 again. */
  answerWith(...replies: readonly Reply[]): void;
  /** Nobody answers any more until `start`, which comes back to the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a listener on a free port of 127.0.0.1. */
export async function listen(): Promise<Listener> {
  const heard: Heard[] = [];
  let replies: readonly Reply[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      heard.push({ path: request.url ?? "", headers: request.headers, body });
      const [reply = { status: 200, text: "ok" }, ...rest] = replies;
      replies = rest;
      if (reply === "never") return;
      if (reply === null) request.socket.destroy();
      else response.writeHead(reply.status, { connection: "close", ...reply.headers }).end(reply.text ?? "");
    });
  });
  const listenOn = async (port: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
    await promise;
    server.off("error", reject);
  };
  const stop = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    server.closeAllConnections();
    await promise;
  };
  await listenOn(0);
  const { port } = server.address() as AddressInfo;
  return {
    heard,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    take() {
      const since = heard.slice(taken);
      taken = heard.length;
      return since;
    },
    answerWith(...next) {
      replies = next;
    },
    stop,
    start: () => listenOn(port),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await stop();
    },
  };
}
