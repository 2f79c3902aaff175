import type { HttpReply } from "../../control/client/http-exchange.ts";
import type { Claimed } from "../application/claims.ts";
import type { Verdict } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeGateway, problem, verdict } from "./order-verdict.ts";

interface Stranger {
  /** Whether the stranger's callback lacked something that the callback URL has. */
  readonly hasSecret: boolean;
  readonly reply: HttpReply;
  /** What the application said of the order before. */
  readonly before: Claimed;
  /** What it says of an order like it for which no stranger's callback came. */
  readonly control: Claimed;
}

/** Judges an order of which the gateway told nothing, after somebody else sent a callback for it. */
export function judgeStranger(order: OrderEvidence, { hasSecret, reply, before, control }: Stranger): Verdict {
  const { claim, said } = order.claimed;
  const isDecided = claim === "paid" || claim === "failed";
  if (before.claim !== "open")
    return verdict(order, "not assessed", `before a stranger's callback came, the application said: ${before.said}`);
  if (claim === "open") return verdict(order, "right");
  if (!isDecided) return verdict(order, "not assessed", said);
  if (control.claim !== "open")
    return verdict(order, "not assessed", `without a stranger's callback, the application says, too: ${control.said}`);
  const answer = reply.kind === "answered" ? `was answered ${reply.status}` : `got no answer (${reply.reason})`;
  const how = hasSecret ? "without the secret of the callback URL" : "from somebody else than the gateway";
  const seen = `a callback ${how} ${answer}, and the order changed from ${before.said} to ${said}; ${describeGateway(order)}`;
  const believed = problem(order, "believes-strangers", seen);
  return hasSecret ? believed : { ...believed, ...ANYBODY };
}

/** Judges the order beside it, which no callback is for. */
export function judgeBeside(order: OrderEvidence): Verdict {
  const { claim, said } = order.claimed;
  if (claim === "open") return verdict(order, "right");
  return verdict(
    order,
    "not assessed",
    `beside an order for which a stranger's callback came, the application says: ${said}`,
  );
}

const ANYBODY = {
  is: "risk",
  title: "believes a callback from anybody, because its callback URL has no secret",
  repair:
    "Register a callback URL with a secret in its query, like https://shop.example/hooks/airtime?token=…, and compare it in constant time. If the gateway publishes its addresses, accept callbacks from these alone.",
} as const;
