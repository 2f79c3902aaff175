import { once } from "node:events";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import type { Listening } from "../../src/gateway/adapters/server/node-server.ts";
import { makeAuthority, signServer } from "../../src/tls/certificates.ts";
import { startTestGateway, type TestGateway } from "./gateway/test-gateway.ts";

/** Drawn once: a key takes its time. */
const AUTHORITY = makeAuthority();
const SERVER = AUTHORITY.then((authority) => signServer(authority, ["localhost", "127.0.0.1"]));

/** A gateway or a sandbox that also takes HTTPS, on a free port. */
export interface Secure extends AsyncDisposable {
  readonly secure: Listening;
  /** The certificate to trust. */
  readonly ca: string;
  /** Shakes hands as a client that trusts the authority. */
  handshake(options?: ConnectionOptions): Promise<TLSSocket>;
}

export function startSecureGateway(...options: Parameters<typeof startTestGateway>): Promise<TestGateway & Secure> {
  return listenSecurely(() => startTestGateway(...options));
}

/** Starts what is given, and has it listen for HTTPS, too. */
export async function listenSecurely<Started extends TestGateway>(
  start: (ca: string) => Promise<Started>,
): Promise<Started & Secure> {
  const { certificate: ca } = await AUTHORITY;
  const started = await start(ca);
  const tls = await SERVER;
  const secure = await started.running.listen({ port: 0, host: "127.0.0.1", tls });
  return {
    ...started,
    secure,
    ca,
    handshake: async (more) => {
      const socket = connect({ port: secure.port, host: "127.0.0.1", ca, ...more });
      await once(socket, "secureConnect");
      return socket;
    },
    async [Symbol.asyncDispose]() {
      await secure.close();
      await started[Symbol.asyncDispose]();
    },
  };
}
