import { queryDetails, sell } from "../../src/account/decide/sell.ts";
import { refuse } from "../../src/account/decide/refuse.ts";
import { credentialsRevokedBy, isRegistered } from "../../src/account/outages.ts";
import { checkRateLimit } from "../../src/account/rate-limit.ts";
import type { Order } from "../../src/domain/order.ts";
import { Refused } from "../../src/domain/refusal.ts";
import type { Account } from "../../src/engine/account.ts";
import { type Step, take } from "./steps.ts";
import { airtime, routed, sms } from "./world.ts";

/** Takes a step as the gateway would: each refusal and each broken connection leaves its trace. */
export async function takeAtGateway(account: Account, step: Step): Promise<void> {
  if (step.do === "query") return query(account);
  if (step.do !== "buy" && step.do !== "send") return take(account, step);
  const order = step.do === "buy" ? airtime(step.shillings, step.phone) : sms(step.text, step.phone);
  for (const one of Array.from({ length: step.times }, () => order)) await request(account, one);
}

async function query(account: Account): Promise<void> {
  try {
    account.run((state, at) => ({ events: [queryDetails(state, account.moment(at))], answer: undefined }));
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    const call = { method: "GET", path: "/api/v2/account-details", operation: "account-details", body: "" } as const;
    account.run((state, at) => ({
      events: [refuse(state, refused, call, account.moment(at))],
      answer: undefined,
    }));
  }
}

async function request(account: Account, order: Order): Promise<void> {
  try {
    account.run((state, at) => {
      if (credentialsRevokedBy(state) !== undefined) throw new Unread(401);
      try {
        checkRateLimit(state, at);
      } catch {
        throw new Unread(429);
      }
      if (order.operation === "sms" && !isRegistered(state, order.senderId)) throw new Unread(422);
      return { events: [sell(state, routed(order, account.moment(at)), account.moment(at))], answer: undefined };
    });
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    await leaveTrace(account, order, refused);
  }
}

/** Refused before the order was valid. */
class Unread extends Refused {}

async function leaveTrace(account: Account, order: Order, refused: Refused): Promise<void> {
  const { operation } = order;
  const call = {
    method: "POST",
    path: `/api/v2/${operation}`,
    operation,
    body: JSON.stringify(order),
    ...(!(refused instanceof Unread) && { order }),
  };
  account.run((state, at) => ({
    events: [refuse(state, refused, call, account.moment(at))],
    answer: undefined,
  }));
}
