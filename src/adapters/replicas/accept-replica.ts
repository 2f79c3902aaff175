import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The CONNECT target that replicas use among themselves; it must have the form of an authority (RFC 9110 section 9.3.6). */
export const CONNECT_TARGET = "kredo-replica:0";

/** Returns whether a CONNECT request comes from another replica, and accepts it; closes any other connection. */
export function acceptReplica(
  { url, headers }: IncomingMessage,
  socket: Duplex,
  isSecret: (presented: string) => boolean,
): boolean {
  const [, presented] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
  const isReplica = url === CONNECT_TARGET && presented !== undefined && isSecret(presented);
  if (isReplica) socket.write("HTTP/1.1 200 OK\r\n\r\n");
  else socket.destroy();
  return isReplica;
}
