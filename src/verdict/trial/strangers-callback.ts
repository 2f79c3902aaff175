import type { AccountState } from "../../gateway/account/state.ts";
import { type BodyFormat, encodeCallback } from "../../gateway/contract/callback.ts";
import { available } from "../../gateway/domain/kes.ts";
import { carrierResult, RESULT_CODES } from "../../gateway/domain/order.ts";
import type { HttpReply } from "../../control/client/http-exchange.ts";
import type { Application } from "../application/application.ts";
import type { Claimed } from "../application/claims.ts";
import { callApplication } from "../application/ask.ts";

/** How the gateway sends callbacks by its specification. */
const FORM: BodyFormat = { callback_values: "numbers", decimals: "trimmed" };

/** A callback that somebody else than the gateway sent, and what the application answered. */
export interface StrangersCallback {
  /** Whether the callback URL has something that a stranger does not know: a query, or user info. */
  readonly hasSecret: boolean;
  readonly reply: HttpReply;
}

/** And what the application said of the order before. */
export interface SentByStranger extends StrangersCallback {
  readonly before: Claimed;
}

/**
 * Sends what only the gateway should send: that an accepted order was delivered, in the account's own form, under the right request_id, and
 * without the secret of the callback URL. The gateway sent nothing, so no event says so. Resolves to undefined if the application has no
 * receiver for such orders, or the order is settled.
 */
export async function sendStrangersCallback(
  application: Application,
  { transactions, wallet }: Pick<AccountState, "transactions" | "wallet">,
  requestId: string,
  form = FORM,
): Promise<StrangersCallback | undefined> {
  const { accepted, progress } = transactions.get(requestId) ?? {};
  const url = accepted && application.callbackUrls[accepted.order.operation];
  if (url === undefined || accepted === undefined || progress === undefined || "settled" in progress) return undefined;
  const { order, hold: charge } = accepted;
  const { resultCode, resultDesc } = carrierResult(order, "success", {
    result_codes: RESULT_CODES,
    result_desc: "kredo",
  });
  const result = {
    requestId,
    outcome: "succeeded",
    resultCode,
    resultDesc,
    charge,
    available: available(wallet),
  } as const;
  const reply = await callApplication(
    {
      method: "POST",
      url: withoutSecret(url),
      headers: { "content-type": "application/json" },
      body: encodeCallback(result, form),
    },
    new Map(),
  );
  return { hasSecret: hasSecret(new URL(url)), reply };
}

/** A shorter one can be guessed: 12 letters and digits at random are 71 bits. */
const SHORTEST_SECRET = 12;

function hasSecret({ searchParams, password }: URL): boolean {
  return [...searchParams.values(), password].some((value) => value.length >= SHORTEST_SECRET);
}

function withoutSecret(written: string): string {
  const url = new URL(written);
  [url.username, url.password, url.search] = ["", "", ""];
  return url.href;
}
