import { isIP } from "node:net";
import { connect as connectTls, type PeerCertificate, rootCertificates, type TLSSocket } from "node:tls";
import type { Millis } from "../domain/time.ts";
import type { Certificate, TlsGate, TlsSeen } from "../ports/network-probe.ts";
import { type HostList, judgeEgress } from "./egress.ts";
import { obstacleBefore } from "./socket-obstacle.ts";

/** Begins TLS with a receiver, sends nothing, and tells what its certificate is. */
export async function shakeHands(gate: TlsGate, limit: Millis, listed: HostList): Promise<TlsSeen> {
  const verdict = judgeEgress(gate, listed);
  if (!verdict.allowed) return { kind: "failed", code: verdict.reason };
  const socket = openTls(gate);
  const obstacle = await obstacleBefore("secureConnect", socket, limit);
  const seen = obstacle === undefined ? readCertificate(socket) : explain(obstacle);
  socket.destroy();
  return seen;
}

function openTls({ host, address, port, ca }: TlsGate): TLSSocket {
  return connectTls({
    host: address,
    port,
    // Judged below instead.
    rejectUnauthorized: false,
    // A server name that is an address is not allowed (RFC 6066 section 3).
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ALPNProtocols: ["http/1.1"],
  });
}

function explain(obstacle: string): TlsSeen {
  return obstacle === "ETIMEDOUT" ? { kind: "timed_out" } : { kind: "failed", code: obstacle };
}

function readCertificate(socket: TLSSocket): TlsSeen {
  const certificate = describeCertificate(socket.getPeerCertificate());
  if (socket.authorized) return { kind: "trusted", certificate };
  // Declared as an Error, it is the code's text (nodejs.org/api/tls.html, "tlsSocket.authorizationError").
  return { kind: "distrusted", code: String(socket.authorizationError), certificate };
}

function describeCertificate({ subject, issuer, subjectaltname = "", valid_from, valid_to }: PeerCertificate): Certificate {
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
