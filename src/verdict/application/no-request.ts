import type { RequestEvent } from "../../gateway/account/events.ts";
import type { Application } from "./application.ts";
import { type PlacedOrder, placementOf } from "./placed-order.ts";
import { excerpt, type GatewayAccess } from "./ask.ts";

interface Reached {
  readonly application: Application;
  readonly gateway: GatewayAccess;
  /** Requests that reached the gateway without naming the order. */
  readonly others: readonly RequestEvent[];
}

/** Explains why no request for an order reached the gateway: by what did reach it, by the application's own answer, or by its address. */
export function explainNoRequest(placed: PlacedOrder, { application, gateway, others }: Reached): string {
  const [first] = others;
  if (first !== undefined) return explainOther(first, placed, gateway);
  const { reply, operation } = placed;
  const url = application.urlOf(placed);
  if (reply.kind === "silent" && !reply.wasReached)
    return `Nothing answers at ${url} (${reply.reason}): start the application, or correct application in the app map.`;
  const said = reply.kind === "answered" ? `answered ${reply.status}` : "was not answered";
  const own = reply.kind === "answered" && placementOf(placed) !== "taken" ? excerpt(reply.text) : "";
  if (own !== "")
    return `${url} ${said}${own}. No request reached the sandbox: correct order.${operation}.request in the app map, or what the application needs before it takes an order.`;
  return [
    `${url} ${said}, and no request reached the sandbox. If the application calls another gateway, point it at ${gateway.url}/api/v2, with consumer key ${gateway.consumerKey},`,
    "before you try again: its order may have gone to the live gateway. If it calls none, start what sends its orders, such as a worker.",
    "Where the gateway's HOST is hard-coded, start a Node application with NODE_OPTIONS=--import=kredo/redirect and KREDO_REDIRECT_HOSTS=HOST; for",
    "any other, serve with --https and",
    "--https-names HOST, put HOST into the hosts file, and trust Kredo's CA (PHP: curl.cainfo; Python: REQUESTS_CA_BUNDLE; Java: the trust store).",
  ].join(" ");
}

function explainOther(first: RequestEvent, { operation, phoneNumber }: PlacedOrder, gateway: GatewayAccess): string {
  if (first.kind === "refused" && first.code === 401)
    return `The application reaches the sandbox, but is refused with 401: set its consumer key to ${gateway.consumerKey} and its consumer secret to that account's secret.`;
  if (first.kind === "refused" && first.order === undefined) {
    const errors = Object.entries(first.validationErrors ?? {}).map(
      ([field, messages]) => `${field}: ${messages.join(" ")}`,
    );
    return `The application reaches the sandbox, which refuses its request with ${first.code}, ${[first.description, ...errors].join(" ")} Send the fields that your application expects: correct order.${operation}.request in the app map.`;
  }
  return `The application reaches the sandbox, but not with the phone number ${phoneNumber}: pass {phone_number} in order.${operation}.request of the app map, and let the application pass it on.`;
}
