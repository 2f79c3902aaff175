import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { parseJsonOrUndefined } from "../../../src/control/client/control-client.ts";
import type { Defect } from "./mutants.ts";
import type { ShopOptions } from "./shop.ts";

/** Airtime where it has an amount, otherwise an SMS. */
export interface GatewayOrder {
  /** 254 and nine digits. */
  readonly phone_number: string;
  /** Shillings. */
  readonly amount?: string | number | undefined;
  readonly message?: string | undefined;
}

/** What the client can tell from an answer. After "unknown" the order may have been accepted or not, so nobody may send it again. */
export type Outcome =
  | { readonly kind: "accepted"; readonly requestId: string }
  | { readonly kind: "refused"; readonly code: number; readonly retryAfter: number }
  | { readonly kind: "unknown"; readonly why: "silence" | "proxy" | "unreadable"; readonly status: number };

/** Section 2.3 of the gateway's document, and a refusal without request_id or with its errors alone, as the live gateway and an SDK's test have it. */
const answerForm = z.union([
  z.object({ status_code: z.number(), request_id: z.string().nullable().default(null) }),
  z.object({ validation_errors: z.looseObject({}) }).transform(() => ({ status_code: 422, request_id: null })),
]);

/** How long an answer may take, in milliseconds. */
const LIMIT = 1_000;

/** After this the defect "sends a second request beside a slow one" loses its patience, in milliseconds. */
const PATIENCE = 300;

/** Calls the gateway once for each order: the gateway has no idempotency key. */
export class GatewayClient {
  readonly #options: ShopOptions;

  constructor(options: ShopOptions) {
    this.#options = options;
  }

  /** What the wallet has, in shillings; undefined without a readable answer. */
  async balance(): Promise<number | undefined> {
    const details = z.object({ organization: z.object({ details: z.object({ available_balance: z.number() }) }) });
    const answer = await this.#call("account-details").catch(() => undefined);
    return details.safeParse(answer?.body).data?.organization.details.available_balance;
  }

  async send(order: GatewayOrder): Promise<Outcome> {
    const { phone_number: typed, amount, message = "" } = this.#misread(order);
    const phone_number =
      this.#options.defect === "passes numbers on as they are typed" ? typed : toInternational(typed);
    const path = amount === undefined ? "sms" : "airtime";
    const body =
      amount === undefined ? { phone_number, message, sender_id: "SANDBOX" } : { phone_number, amount: String(amount) };
    const first = this.#post(path, body);
    if (this.#options.defect === "sends a second request beside a slow one" && (await isSlow(first)))
      return Promise.race([first, this.#post(path, body)]);
    const outcome = await first;
    return this.#isResent(outcome) ? this.#post(path, body) : outcome;
  }

  /** The numbers and the amount that it has sent before. */
  readonly #numbers = new Set<string>();
  #lastAmount: GatewayOrder["amount"];

  /** What a mutant makes of an order. */
  #misread(order: GatewayOrder): GatewayOrder {
    const { phone_number, amount, message } = order;
    const isAgain = this.#numbers.has(phone_number);
    this.#numbers.add(phone_number);
    const before = this.#lastAmount ?? amount;
    this.#lastAmount = amount;
    const changes: Partial<Record<Defect, Partial<GatewayOrder>>> = {
      "sends cents for shillings": { amount: amount && Number(amount) * 100 },
      "sends one shilling less": { amount: amount && Number(amount) - 1 },
      "sends one shilling less when it tries again": isAgain ? { amount: Number(amount) - 1 } : {},
      "sends the amount of the order before": { amount: before },
      "takes every number for one that begins with 2547": { phone_number: phone_number.replace(/^2541/, "2547") },
      "cuts texts after 160 characters": { message: message?.slice(0, 160) },
      "removes quotes from texts": { message: message?.replace(/["']/g, "") },
    };
    return { ...order, ...changes[this.#options.defect ?? "never refunds"] };
  }

  get #answerForm() {
    const [full] = answerForm.options;
    return this.#options.defect === "keeps the money for ever after a bare 422" ? full : answerForm;
  }

  #isResent(outcome: Outcome): boolean {
    if (outcome.kind !== "unknown") return false;
    const { defect } = this.#options;
    if (defect === "sends again after silence") return outcome.why === "silence";
    return defect === "sends again after a 502" && outcome.status === 502;
  }

  async #post(path: string, body: object): Promise<Outcome> {
    const answer = await this.#call(path, body).catch(() => undefined);
    if (answer === undefined) return { kind: "unknown", why: "silence", status: 0 };
    if (answer.status > 500) return { kind: "unknown", why: "proxy", status: answer.status };
    const { data } = this.#answerForm.safeParse(answer.body);
    if (data === undefined) return { kind: "unknown", why: "unreadable", status: answer.status };
    const { status_code: code, request_id: requestId } = data;
    const isAccepted = code === 200 || this.#options.defect === "takes a refusal's request_id for an acceptance";
    if (isAccepted && requestId !== null) return { kind: "accepted", requestId };
    return { kind: "refused", code, retryAfter: answer.retryAfter };
  }

  async #call(path: string, body?: object): Promise<{ status: number; retryAfter: number; body: unknown }> {
    const { gateway, key, secret, defect } = this.#options;
    const response = await fetch(`${gateway}/api/v2/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`,
        "content-type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(defect !== "has no timeout" && { signal: AbortSignal.timeout(LIMIT) }),
    });
    const retryAfter = Number(response.headers.get("retry-after"));
    return { status: response.status, retryAfter, body: parseJsonOrUndefined(await response.text()) };
  }
}

/** Customers write 0712 000 101 or +254 712 000 101. */
function toInternational(typed: string): string {
  return typed.replaceAll(/\D/g, "").replace(/^0/, "254");
}

function isSlow(sending: Promise<unknown>): Promise<boolean> {
  return Promise.race([sending.then(() => false), sleep(PATIENCE, true)]);
}
