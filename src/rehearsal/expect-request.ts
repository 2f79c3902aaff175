import { isRequestEvent } from "../account/event-guards.ts";
import type { Application, PlacedOrder } from "../application/application.ts";
import { excerpt } from "../application/ask.ts";
import type { Operation } from "../domain/order.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { ApplicationUnreachable, type RehearsalEnvironment } from "./rehearsal-environment.ts";

/** Wall time in which a plain order must reach the sandbox. */
const REACH: Millis = 5 * SECOND;

const LOOK: Millis = 50;

type Surroundings = Pick<RehearsalEnvironment, "account" | "clock" | "pause" | "interruption" | "seed" | "gateway">;

/**
 * Places one plain order on the account as it is, before anything is reset, and waits for its request to the gateway. Throws
 * `ApplicationUnreachable` with the repair if none comes.
 */
export async function expectRequest(application: Application, environment: Surroundings): Promise<void> {
  const { account, clock, pause, interruption, seed, gateway } = environment;
  const before = await account.journal();
  const next = before.first + before.events.length;
  const operation: Operation = application.map.order.airtime === undefined ? "sms" : "airtime";
  const phoneNumber = `25471${String((seed * 7_919) % 10_000_000).padStart(7, "0")}`;
  const order = { operation, phoneNumber, amount: 100, message: "Is anybody there?", reference: `kredo-${seed}` };
  const placed = await application.place(order);
  for (const until = clock.now() + Math.max(REACH, application.map.settle); clock.now() < until;) {
    const kept = await account.journal();
    const first = kept.events.slice(Math.max(next - kept.first, 0)).find(isRequestEvent);
    if (first !== undefined) return;
    if (placed.reply.kind === "silent" && !placed.reply.wasReached) break;
    await pause(LOOK, interruption);
  }
  throw new ApplicationUnreachable(explainNoRequest(placed, application.urlOf(order), gateway));
}

function explainNoRequest({ reply }: PlacedOrder, url: string, gateway: RehearsalEnvironment["gateway"]): string {
  if (reply.kind === "silent" && !reply.wasReached)
    return `Nothing answers at ${url} (${reply.reason}): start the application, or say where it is with --app.`;
  const answer = reply.kind === "answered" ? `answered ${reply.status}${reply.status < 400 ? "" : excerpt(reply.text)}` : "did not answer";
  return [
    `${url} ${answer}, and no request reached the sandbox: point the application at ${gateway.url}/api/v2, with consumer key ${gateway.consumerKey}.`,
    "Where its code names the gateway's host, docs/https.md shows how to send that host here without changing the code.",
  ].join(" ");
}
