import { encodeRefusal } from "../contract/acknowledgment.ts";

/** Answers a request whose target and Host make no URL: it is for no account, and is not written down. */
export function refuseUnreadable(requestId: string): Response {
  const body = encodeRefusal({ code: 400, description: "Bad Request.", requestId });
  return new Response(body, { status: 400, headers: { "content-type": "application/json" } });
}
