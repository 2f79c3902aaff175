import { AIRTIME, VALID_AIRTIME } from "./gateway-client.ts";
import { AUTHORIZATION } from "./test-gateway.ts";

export interface RawParts {
  /** "POST /api/v2/airtime HTTP/1.1" unless told. */
  readonly line?: string;
  /** Besides Host and Authorization. */
  readonly headers?: readonly string[];
  readonly authorization?: string;
  readonly body?: string;
}

const VALID = JSON.stringify(VALID_AIRTIME);

/** The bytes of a valid airtime request, with a length, unless told otherwise. */
export function rawPost({
  line = `POST ${AIRTIME} HTTP/1.1`,
  headers = [],
  authorization = AUTHORIZATION,
  body = VALID,
}: RawParts = {}): string {
  const all = ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${rawHead({ line, headers: all, authorization })}${body}`;
}

/** The bytes of a request up to the empty line. */
export function rawHead({
  line = `POST ${AIRTIME} HTTP/1.1`,
  headers = [],
  authorization = AUTHORIZATION,
}: RawParts): string {
  return [line, "Host: gateway.test", `Authorization: ${authorization}`, ...headers, "", ""].join("\r\n");
}

/** A body in chunks of its own choosing, for Transfer-Encoding: chunked. */
export function rawChunks(...chunks: readonly Uint8Array[]): Uint8Array {
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...framed, Buffer.from("0\r\n\r\n")]);
}
