import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectTcp, isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { connect as connectTls, createSecureContext, rootCertificates } from "node:tls";
import type { buildConnector } from "undici";
import type { Millis } from "../../domain/time.ts";
import type { EgressVerdict, HostList } from "./egress.ts";
import { EgressRefused, judgeEgress, judgeName } from "./egress.ts";
import { readHeadsFirst } from "./response-heads.ts";

export interface ConnectorOptions {
  readonly trusted: boolean;
  readonly ca?: string;
  readonly insecure: boolean;
  readonly listed: HostList;
}

/** Opens connections for undici, but only to addresses that the rules for outgoing calls allow. */
export interface GuardedConnector {
  readonly connect: buildConnector.connector;
  /** Raises the time limit for connecting to at least this. Each attempt has its own limit; the longest one applies. */
  expectUpTo(limit: Millis): void;
  /** Destroys connections that are still being opened. */
  close(): void;
}

export function createConnector(options: ConnectorOptions): GuardedConnector {
  const connecting = new Set<Socket>();
  const openSocket = prepareSockets(options);
  let patience: Millis = 0;

  return {
    connect(target, done) {
      const verdict = judgeTarget(target.hostname, options);
      // Undici cannot handle a synchronous callback here.
      if (!verdict.allowed) return queueMicrotask(() => done(new EgressRefused(verdict.reason), null));
      const socket = readHeadsFirst(openSocket(target).setNoDelay(true));
      connecting.add(socket);
      awaitConnection(socket, { secure: isSecure(target), patience }, (failure) => {
        connecting.delete(socket);
        return failure === undefined ? done(null, socket) : done(failure, null);
      });
    },
    expectUpTo(limit) {
      patience = Math.max(patience, limit);
    },
    close() {
      for (const socket of connecting) socket.destroy(new Error("the sandbox stopped"));
    },
  };
}

/** Judges a host as far as possible without a lookup. */
function judgeTarget(host: string, { trusted, listed }: ConnectorOptions): EgressVerdict {
  return isIP(host) === 0 ? judgeName(host) : judgeEgress({ host, address: host, trusted }, listed);
}

function prepareSockets(options: ConnectorOptions): (target: buildConnector.Options) => Socket {
  const lookupPermitted = guardLookup(options);
  const secureContext = trustAuthority(options.ca);

  return (target) => {
    const { hostname, port } = target;
    const secure = isSecure(target);
    const tcp = {
      host: hostname,
      port: Number(port || (secure ? 443 : 80)),
      lookup: lookupPermitted,
      autoSelectFamily: true,
    };
    if (!secure) return connectTcp(tcp);
    return connectTls({
      ...tcp,
      ...secureContext(),
      // An address is not allowed as a server name (RFC 6066 section 3).
      ...(isIP(hostname) === 0 && { servername: hostname }),
      rejectUnauthorized: !options.insecure,
      ALPNProtocols: ["http/1.1"],
    });
  };
}

/** A DNS lookup that returns only permitted addresses, so that the checked address is the one that is called. */
function guardLookup({ trusted, listed }: ConnectorOptions): LookupFunction {
  return (host, options: LookupOptions, done) => {
    lookup(host, { ...options, all: true }, (failure, addresses) => {
      if (failure !== null) return done(failure, []);
      const [permitted, reason] = partition(addresses, (address) => judgeEgress({ host, address, trusted }, listed));
      const [first] = permitted;
      if (first === undefined) return done(new EgressRefused(reason), []);
      return options.all === true ? done(null, permitted) : done(null, first.address, first.family);
    });
  };
}

function partition(
  found: readonly LookupAddress[],
  judge: (address: string) => EgressVerdict,
): [LookupAddress[], string] {
  const permitted: LookupAddress[] = [];
  let refusal = "its name has no address";
  for (const candidate of found) {
    const verdict = judge(candidate.address);
    if (verdict.allowed) permitted.push(candidate);
    else refusal = verdict.reason;
  }
  return [permitted, refusal];
}

/** Created on the first TLS connection and cached: reading all default authorities takes milliseconds. */
function trustAuthority(ca: string | undefined): () => { secureContext?: SecureContext } {
  if (ca === undefined) return () => ({});
  let made: { secureContext: SecureContext } | undefined;
  return () => (made ??= { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) });
}

function isSecure({ protocol }: buildConnector.Options): boolean {
  return protocol === "https:";
}

interface Wait {
  readonly secure: boolean;
  readonly patience: Millis;
}

/** Calls back once: without an argument when the connection is established, otherwise with the error. */
function awaitConnection(socket: Socket, { secure, patience }: Wait, done: (failure?: Error) => void): void {
  const stands = secure ? "secureConnect" : "connect";
  const onStands = (): void => {
    socket.setTimeout(0).off("error", onError).off("timeout", onTimeout);
    done();
  };
  const onError = (failure: Error): void => {
    socket.off(stands, onStands);
    done(failure);
  };
  const onTimeout = (): void => {
    socket.destroy(Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" }));
  };
  socket.once(stands, onStands).once("error", onError).setTimeout(patience).once("timeout", onTimeout);
}
