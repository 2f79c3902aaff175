import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Application, type ApplicationOrder, orderNumber, type PlacedOrder } from "../application/application.ts";
import { excerpt } from "../application/ask.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { RehearsalEnvironment } from "./rehearsal-environment.ts";

type Environment = Pick<RehearsalEnvironment, "account" | "clock" | "pause" | "interruption" | "seed" | "gateway">;

/** Thrown if a plain order already goes wrong, so that nothing can be judged. The message says why and how to repair it. */
export class BaselineFailed extends Error {}

/** Wall time within which a plain order must reach the sandbox. */
const REACH: Millis = 5 * SECOND;

/** Wall time between two checks of the journal. */
const LOOK: Millis = 20;

/** Places one order on the unchanged account. Resolves to the time until its first request. Throws `BaselineFailed` if none arrives. */
export async function expectRequest(
  operation: Operation,
  application: Application,
  environment: Environment,
): Promise<Millis> {
  const { account, clock, pause, interruption, seed } = environment;
  const { first, events } = await account.journal();
  const before = first + events.length;
  const began = clock.now();
  const phoneNumber = orderNumber(seed, 0);
  const order: ApplicationOrder = {
    operation,
    phoneNumber,
    amount: 105,
    message: "Is anybody there?",
    reference: `kredo-${seed}`,
  };
  let placed: PlacedOrder | undefined;
  void application.place(order).then((one) => (placed = one));
  for (let until = Number.POSITIVE_INFINITY; clock.now() < until;) {
    const kept = await account.journal();
    const came = kept.events.slice(Math.max(before - kept.first, 0)).filter(isRequestEvent);
    const [first] = came;
    if (first !== undefined) {
      checkRequest(first, order, environment);
      return clock.now() - began;
    }
    if (placed !== undefined && until === Number.POSITIVE_INFINITY)
      until = clock.now() + Math.max(REACH, application.settle);
    await pause(LOOK, interruption);
  }
  throw new BaselineFailed(explainNoRequest(placed, application.urlOf(order), environment));
}

/** Throws `BaselineFailed` for a request that no account could take. */
function checkRequest(first: RequestEvent, { operation }: ApplicationOrder, { gateway }: Environment): void {
  if (first.kind !== "refused") return;
  if (first.code === 401)
    throw new BaselineFailed(
      `The application reaches the sandbox, but is refused with 401: set its consumer key to ${gateway.consumerKey} and its consumer secret to that account's secret.`,
    );
  if (first.operation !== operation || first.order !== undefined) return;
  const errors = Object.entries(first.validationErrors ?? {}).map(
    ([field, messages]) => `${field}: ${messages.join(" ")}`,
  );
  throw new BaselineFailed(
    `The application reaches the sandbox, which refuses its request with ${first.code}, ${[first.description, ...errors].join(" ")} Send the fields that your application expects: correct order.${operation}.request in the app map.`,
  );
}

function explainNoRequest(placed: PlacedOrder | undefined, url: string, { gateway }: Environment): string {
  const reply = placed?.reply;
  if (reply?.kind === "silent" && !reply.wasReached)
    return `Nothing answers at ${url} (${reply.reason}): start the application, or correct application in the app map.`;
  const said =
    reply?.kind === "answered"
      ? `answered ${reply.status}${reply.status < 400 ? "" : excerpt(reply.text)}`
      : "was not answered";
  const base = `${gateway.url}/api/v2`;
  return [
    `${url} ${said}, and no request reached the sandbox: point the application at ${base}, with consumer key ${gateway.consumerKey}.`,
    "Where the gateway's HOST is hard-coded, start a Node application with NODE_OPTIONS=--import=kredo/redirect and KREDO_REDIRECT_HOSTS=HOST; for",
    "any other, serve with --https and",
    "--https-names HOST, put HOST into the hosts file, and trust Kredo's CA (PHP: curl.cainfo; Python: REQUESTS_CA_BUNDLE; Java: the trust store).",
  ].join(" ");
}
