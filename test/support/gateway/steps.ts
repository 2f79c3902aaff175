import fc from "fast-check";
import { queryDetails } from "../../../src/gateway/account/decide/sell.ts";
import { settleTransaction } from "../../../src/gateway/account/decide/settle.ts";
import { isUnresolved, type Transaction } from "../../../src/gateway/account/transaction.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { type Carrier, CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import { contentKey } from "../../../src/gateway/domain/draws.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { Refused } from "../../../src/gateway/domain/refusal.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import * as commands from "../../../src/gateway/engine/commands.ts";
import { EngineError } from "../../../src/gateway/engine/engine-error.ts";
import { limitRequests } from "./scripted.ts";
import { buyAirtime, callbacksTo, refuseRequest, sendSms } from "./world.ts";

/** Something that can be done to an account. */
export type Step =
  | { readonly do: "buy"; readonly shillings: number; readonly phone: string; readonly times: number }
  | { readonly do: "send"; readonly text: string; readonly phone: string; readonly times: number }
  | { readonly do: "refuse"; readonly code: 401 | 402 | 422 }
  | { readonly do: "query" }
  | { readonly do: "top up" | "set balance"; readonly cents: number }
  | { readonly do: "advance"; readonly by: number }
  | { readonly do: "register"; readonly carriers: readonly Carrier[] }
  | { readonly do: "decide"; readonly which: number; readonly verdict: "approved" | "rejected" }
  | { readonly do: "settle with a charge"; readonly which: number; readonly cents: number; readonly isSuccess: boolean }
  | { readonly do: "settle"; readonly which: number; readonly resultCode: number }
  | { readonly do: "resend"; readonly which: number }
  | { readonly do: "leave"; readonly which: number; readonly waited: number }
  | { readonly do: "limit"; readonly requests: number | null }
  | { readonly do: "retry"; readonly attempts: number }
  | { readonly do: "rotate"; readonly secret: string };

const PHONES = ["254712345678", "254733000001", "254770000001", "254700000001"];
const phone = fc.constantFrom(...PHONES);
const which = fc.nat({ max: 20 });
const money = fc.oneof(fc.integer({ min: 0, max: 3_000_000 }), fc.constant(0));

const orders: fc.Arbitrary<Step>[] = [
  fc.record({
    do: fc.constant("buy" as const),
    shillings: fc.integer({ min: 5, max: 4_000 }),
    phone,
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    do: fc.constant("send" as const),
    text: fc.constantFrom("Habari", "Karibu 🙂", "x".repeat(400)),
    phone,
    times: fc.integer({ min: 1, max: 3 }),
  }),
];

const movements: fc.Arbitrary<Step>[] = [
  fc.record({ do: fc.constantFrom("top up" as const, "set balance" as const), cents: money }),
  fc.record({ do: fc.constant("register" as const), carriers: fc.subarray([...CARRIERS], { minLength: 1 }) }),
  fc.record({
    do: fc.constant("decide" as const),
    which,
    verdict: fc.constantFrom("approved" as const, "rejected" as const),
  }),
  fc.record({ do: fc.constant("settle with a charge" as const), which, cents: money, isSuccess: fc.boolean() }),
  fc.record({ do: fc.constant("settle" as const), which, resultCode: fc.constantFrom(200, 500) }),
  fc.record({ do: fc.constant("resend" as const), which }),
  fc.record({ do: fc.constant("leave" as const), which, waited: fc.nat({ max: 40_000 }) }),
  fc.record({ do: fc.constant("limit" as const), requests: fc.constantFrom(null, 3) }),
  fc.record({ do: fc.constant("retry" as const), attempts: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant("refuse" as const), code: fc.constantFrom(401 as const, 402 as const, 422 as const) }),
  fc.record({ do: fc.constant("rotate" as const), secret: fc.constantFrom("sandbox-secret", "next-secret") }),
  fc.constant({ do: "query" as const }),
];

/** Anything that happens at one moment; orders, which most else needs, are the most frequent. */
export const instantStep: fc.Arbitrary<Step> = fc.oneof(...orders, ...orders, ...orders, ...movements);

/** Anything, time included: mostly seconds, now and then days. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: instantStep },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), by: fc.integer({ min: 0, max: 3_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("advance" as const), by: fc.integer({ min: 0, max: 200_000_000 }) }),
  },
);

/** Takes a step; a refusal is one of its answers. */
export async function take(account: RunningAccount, step: Step): Promise<void> {
  try {
    await begin(account, step);
  } catch (refusal) {
    if (!(refusal instanceof Refused || refusal instanceof EngineError)) throw refusal;
  }
}

function begin(account: RunningAccount, step: Step): unknown {
  switch (step.do) {
    case "buy":
      return Array.from({ length: step.times }, () => buyAirtime(account, step.shillings, step.phone));
    case "send":
      return Array.from({ length: step.times }, () => sendSms(account, step.text, step.phone));
    case "refuse":
      return refuseRequest(account, step.code);
    case "query":
      return account.journal.append((state, at) => [queryDetails(state, account.moment(at))]);
    case "top up":
      return commands.topUp(account, cents(step.cents));
    case "set balance":
      return commands.setBalance(account, cents(step.cents));
    case "advance":
      return account.advance({ by: step.by }, 60_000);
    case "limit":
      return limitRequests(account, step.requests);
    case "retry":
      return commands.setCallbacks(account, retrying(step.attempts));
    case "rotate":
      return commands.rotateSecret(account, step.secret);
    case "register":
      return commands.registerSenderId(account, { senderId: "MFANO", carriers: step.carriers });
    default:
      return beginOnOne(account, step);
  }
}

type StepOnOne = Extract<Step, { which: number }>;

function beginOnOne(account: RunningAccount, step: StepOnOne): unknown {
  switch (step.do) {
    case "decide":
      return decide(account, step);
    case "leave": {
      const requestId = pick(account, step.which, isQueued);
      return account.journal.append((_state, at) =>
        requestId === undefined ? [] : [{ kind: "client-left", at, requestId, waited: step.waited }],
      );
    }
    case "resend": {
      const id = pick(
        account,
        step.which,
        ({ progress }) => !isUnresolved(progress) && progress.deliveries.some(({ next }) => next !== "none"),
      );
      return id === undefined ? undefined : commands.resend(account, [id]);
    }
    case "settle": {
      const id = pick(account, step.which, isQueued);
      return id === undefined
        ? undefined
        : commands.settleNow(account, id, { resultCode: step.resultCode, resultDesc: "Settled by hand." });
    }
    case "settle with a charge": {
      const id = pick(account, step.which, isQueued);
      const verdict = {
        isSuccess: step.isSuccess,
        resultCode: 200,
        resultDesc: "Scripted.",
        charge: cents(step.cents),
      };
      return account.journal.append((state, at) => [
        id === undefined ? undefined : settleTransaction(state, id, at, verdict),
      ]);
    }
  }
}

function decide(account: RunningAccount, { which, verdict }: Extract<Step, { do: "decide" }>): unknown {
  const open = [...account.state.registrations.values()].filter(({ decided }) => decided === undefined);
  const id = open[which % Math.max(1, open.length)]?.submitted.id;
  return id === undefined ? undefined : commands.decideRegistration(account, { id, verdict });
}

/** Only among those with something to come, which no journal has evicted. */
function pick(
  account: RunningAccount,
  which: number,
  suits: (transaction: Transaction) => boolean,
): string | undefined {
  const suitable = [...account.state.transactions.values()].filter(suits);
  return suitable[which % Math.max(1, suitable.length)]?.accepted.requestId;
}

function isQueued({ progress }: Transaction): boolean {
  return progress.state === "queued";
}

/** A receiver that fails a third of the callbacks; which, decides what they say. */
export function answerFickly({ body }: { body: string }): CallbackOutcome {
  return { kind: "answered", status: contentKey(body) % 3 === 0 ? 500 : 200, body: "" };
}

/** Callback settings that try again after half a second, two seconds, and again two seconds, whatever went wrong. */
export function retrying(attempts: number): ReturnType<typeof callbacksTo> {
  const on = ["timed_out", "refused", "reset", "unresolved_name", "tls", "redirect", "not_200"] as const;
  return callbacksTo("http://receiver.test/hook", { retry: { attempts, spacing: [500, 2_000], on } });
}
