import type { Operation } from "../../gateway/domain/order.ts";
import { explainError } from "../parts/notices.tsx";
import { caller } from "../live/store.ts";

/** Posts an order to the gateway at this origin, as any client would. Resolves to what to say if it does not reach the journal. */
export async function postOrder(operation: Operation, body: string): Promise<string> {
  const { consumerKey, consumerSecret } = caller();
  try {
    const answer = await fetch(operation === "airtime" ? "/api/v2/airtime" : "/api/v2/sms", {
      method: "POST",
      headers: {
        authorization: `Basic ${base64(`${consumerKey}:${consumerSecret}`)}`,
        "content-type": "application/json",
        // Findings leave out what Kredo itself sent.
        "x-kredo-command": "page",
      },
      body,
      cache: "no-store",
      // If it sends its own credentials, a browser asks for a user name and password after a 401.
      credentials: "omit",
    });
    return `The gateway answered ${answer.status}: ${await answer.text()}`;
  } catch (error) {
    return explainError(error);
  }
}

/** The document does not specify the encoding of non-ASCII characters. UTF-8 follows RFC 7617 section 2.1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
