import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, rootCertificates, type TLSSocket } from "node:tls";
import type { Millis } from "../../gateway/domain/time.ts";
import type {
  Certificate,
  ConnectionAttempt,
  NameLookup,
  NetworkProbe,
  ReceiverAddress,
  TlsHandshake,
  TlsReceiverAddress,
} from "./network-probe-port.ts";
import { type HostList, judgeEgress, judgeName, parseHostList } from "../../gateway/adapters/delivery/egress.ts";

export interface NetworkProbeOptions {
  /** Public hosts that untrusted URLs may name: exact, or `*.example.com`. */
  readonly callbackAllow: readonly string[];
  readonly container: () => string | undefined;
}

/** Creates a probe with the same rules for outgoing calls as the transport. */
export function createNetworkProbe({ callbackAllow, container }: NetworkProbeOptions): NetworkProbe {
  const listed = parseHostList(callbackAllow);
  return {
    lookUp,
    connect: (receiver, limit) => connect(receiver, limit, listed),
    handshake: (receiver, limit) => handshake(receiver, limit, listed),
    container,
  };
}

async function lookUp(host: string, limit: Millis): Promise<NameLookup> {
  if (isIP(host) !== 0) return { kind: "resolved", addresses: [host] };
  const verdict = judgeName(host);
  if (!verdict.allowed) return { kind: "forbidden", reason: verdict.reason };
  const looking = lookup(host, { all: true }).then(
    (found): NameLookup => ({ kind: "resolved", addresses: found.map(({ address }) => address) }),
    (failure: NodeJS.ErrnoException): NameLookup => ({ kind: "unresolved", code: failure.code ?? failure.message }),
  );
  return within(looking, limit);
}

/** A DNS lookup cannot be cancelled; after the limit, its result is ignored. */
async function within(looking: Promise<NameLookup>, limit: Millis): Promise<NameLookup> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<NameLookup>((resolve) => {
    timer = setTimeout(resolve, limit, { kind: "timed_out" });
  });
  try {
    return await Promise.race([looking, expired]);
  } finally {
    clearTimeout(timer);
  }
}

async function connect(
  { host, address, port, trusted }: ReceiverAddress,
  limit: Millis,
  listed: HostList,
): Promise<ConnectionAttempt> {
  const verdict = judgeEgress({ host, address, trusted }, listed);
  if (!verdict.allowed) return { kind: "forbidden", reason: verdict.reason };
  const socket = connectTcp({ host: address, port });
  const obstacle = await obstacleBefore("connect", socket, limit);
  socket.destroy();
  if (obstacle === undefined) return { kind: "connected" };
  if (obstacle === "ECONNREFUSED") return { kind: "refused" };
  return obstacle === "ETIMEDOUT" ? { kind: "timed_out" } : { kind: "unreachable", code: obstacle };
}

/** Waits for a socket to reach a stage. Resolves to the error code if it does not, ETIMEDOUT after the limit. */
function obstacleBefore(
  stage: "connect" | "secureConnect",
  socket: Socket,
  limit: Millis,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, limit, "ETIMEDOUT");
    socket.once(stage, () => end());
    // Never removed: an error after the end does not matter.
    socket.on("error", (failure: NodeJS.ErrnoException) => end(failure.code ?? failure.message));
    socket.once("close", () => end("ECONNRESET"));

    function end(obstacle?: string): void {
      clearTimeout(timer);
      resolve(obstacle);
    }
  });
}

/** Starts TLS with a receiver, sends nothing, and returns its certificate. */
async function handshake(receiver: TlsReceiverAddress, limit: Millis, listed: HostList): Promise<TlsHandshake> {
  const verdict = judgeEgress(receiver, listed);
  if (!verdict.allowed) return { kind: "failed", code: verdict.reason };
  const socket = openTls(receiver);
  const obstacle = await obstacleBefore("secureConnect", socket, limit);
  const seen = obstacle === undefined ? readCertificate(socket) : explain(obstacle);
  socket.destroy();
  return seen;
}

function openTls({ host, address, port, ca }: TlsReceiverAddress): TLSSocket {
  return connectTls({
    host: address,
    port,
    // The certificate is judged below instead.
    rejectUnauthorized: false,
    // An address is not allowed as a server name (RFC 6066 section 3).
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ALPNProtocols: ["http/1.1"],
  });
}

function explain(obstacle: string): TlsHandshake {
  return obstacle === "ETIMEDOUT" ? { kind: "timed_out" } : { kind: "failed", code: obstacle };
}

function readCertificate(socket: TLSSocket): TlsHandshake {
  const certificate = describeCertificate(socket.getPeerCertificate());
  if (socket.authorized) return { kind: "trusted", certificate };
  // Although declared as an Error, it is the code as a string (nodejs.org/api/tls.html, "tlsSocket.authorizationError").
  return { kind: "distrusted", code: String(socket.authorizationError), certificate };
}

function describeCertificate({
  subject,
  issuer,
  subjectaltname = "",
  valid_from,
  valid_to,
}: PeerCertificate): Certificate {
  const names = subjectaltname.split(", ").map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  return {
    subject: nameOwner(subject),
    issuer: nameOwner(issuer),
    names: names.filter((name) => name !== ""),
    validFrom: valid_from,
    validTo: valid_to,
  };
}

function nameOwner({ CN, O }: PeerCertificate["subject"]): string {
  return [CN ?? O ?? "nobody"].flat().join(", ");
}
