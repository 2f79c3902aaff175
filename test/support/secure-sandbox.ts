import { once } from "node:events";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { makeAuthority, signServer } from "../../src/gateway/adapters/tls/certificates.ts";
import type { Listening } from "../../src/sandbox.ts";
import { startTestSandbox, type TestSandbox } from "./sandbox.ts";

/** Drawn once: a key takes its time. */
const AUTHORITY = makeAuthority();
const SERVER = AUTHORITY.then((authority) => signServer(authority, ["localhost", "127.0.0.1"]));

/** A sandbox that also takes HTTPS, on a free port. */
export interface SecureSandbox extends TestSandbox {
  readonly secure: Listening;
  /** The certificate to trust. */
  readonly ca: string;
  /** Why TLS connections came to nothing. */
  readonly failures: string[];
  /** Shakes hands as a client that trusts the authority. */
  handshake(options?: ConnectionOptions): Promise<TLSSocket>;
}

export async function startSecureSandbox(...options: Parameters<typeof startTestSandbox>): Promise<SecureSandbox> {
  const { certificate: ca } = await AUTHORITY;
  const sandbox = await startTestSandbox(options[0], { ca, ...options[1] });
  const failures: string[] = [];
  const tls = { ...(await SERVER), onFailure: (code: string) => void failures.push(code) };
  const secure = await sandbox.running.listen({ port: 0, host: "127.0.0.1", tls });
  return {
    ...sandbox,
    secure,
    ca,
    failures,
    handshake: async (more) => {
      const socket = connect({ port: secure.port, host: "127.0.0.1", ca, ...more });
      await once(socket, "secureConnect");
      return socket;
    },
    async [Symbol.asyncDispose]() {
      await secure.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
