import { Readable } from "node:stream";
import type { Millis } from "../../gateway/domain/time.ts";
import { exchange, openStream, Unanswered } from "../../control/client/http-exchange.ts";

/** Sends a `Request` with a wall-time limit. Throws `Unanswered`. */
export async function sendRequest(request: Request, limit: Millis): Promise<Response> {
  const { method, url, headers } = request;
  const body = (await request.text()) || undefined;
  const { status, text } = await exchange({ method, url, headers: Object.fromEntries(headers), limit, body });
  return respond(text === "" ? null : text, { status });
}

/**
 * Sends a `Request` without a body. Resolves when the response begins. The signal aborts both; the request's own would not, because it
 * follows the one that it was made of only until the request is garbage. Throws `Unanswered`.
 */
export async function streamRequest({ method, url, headers }: Request, signal: AbortSignal): Promise<Response> {
  const response = await openStream({ method, url, headers: Object.fromEntries(headers) }, signal);
  const texts = Object.entries(response.headers).filter(
    (header): header is [string, string] => typeof header[1] === "string",
  );
  return respond(Readable.toWeb(response), { status: response.statusCode, headers: Object.fromEntries(texts) });
}

/** A `Response` does not accept every status (fetch.spec.whatwg.org, "Response class"). The control API uses none of the others. */
function respond(body: string | ReadableStream | null, init: ResponseInit): Response {
  try {
    return new Response(body, init);
  } catch {
    throw new Unanswered(`its status ${init.status} has no meaning here`, true);
  }
}
