import type { Immutable } from "../../domain/immutable.ts";
import * as z from "zod";
import {
  carrierValue,
  delayValue,
  durationValue,
  percentValue,
  shillingsValue,
  atLeastOneKey,
} from "../../document/values.ts";
import { cents, type Kes, NO_MONEY, shareOfKes } from "../../domain/kes.ts";
import { measureSms } from "../../domain/sms-parts.ts";
import { type CarrierResult, carrierResult, isCharged, type ResultCodes } from "../../domain/order.ts";
import { drawScripted, type Effect, type OrderContext, refuseTogether } from "./effect.ts";
import type { Plan } from "./plan.ts";

/** The most parts that a message can have (3GPP TS 23.040 §9.2.3.24.1). */
const MAX_PARTS = 255;

/** The outcomes that a scenario may set. The others depend on the wallet and on earlier orders. */
const NAMED_OUTCOMES = ["success", "failed", "rejected", "not_on_network", "timed_out"] as const;

const OUTCOMES = [...NAMED_OUTCOMES, "insufficient_funds"] as const;

const schema = z.lazy(() =>
  atLeastOneKey(
    z.strictObject({
      outcome: z
        .enum(NAMED_OUTCOMES)
        .exactOptional()
        .describe(
          "The result, with its code and description from the settings: success, failed, rejected, not_on_network or timed_out.",
        ),
      result_code: z.int().min(1).max(999_999).exactOptional().describe("The carrier's code; 200 is success."),
      result_desc: z.string().exactOptional().describe("The carrier's description."),
      delay: delayValue
        .exactOptional()
        .describe("Account time from acceptance to the result, instead of the carrier's latency."),
      hold_until: durationValue
        .exactOptional()
        .describe("Holds the result until this time after the scenario started."),
      stuck: z.boolean().exactOptional().describe("Never settles: the money stays held and no callback is sent."),
      carrier: carrierValue.exactOptional().describe("The carrier that serves the order, whoever owns the number."),
      delivered_parts: z
        .union([z.int().min(0).max(MAX_PARTS), z.array(z.int().min(1).max(MAX_PARTS)).min(1)])
        .exactOptional()
        .describe(
          "The parts of an SMS that arrive: the first n, or a list like [1, 3]. If any is missing, the SMS fails and only these parts are charged.",
        ),
      lost_parts: z
        .array(z.int().min(1).max(MAX_PARTS))
        .min(1)
        .exactOptional()
        .describe("The parts of an SMS that do not arrive, like [3], instead of delivered_parts."),
      charge: z
        .union([shillingsValue, percentValue.transform((share) => ({ share }))])
        .exactOptional()
        .describe("KES to charge, or a share of the price like 50%; at most what is held and available."),
    }),
  ).superRefine((written, context) => {
    if (written.stuck === true)
      refuseTogether(written, SETTLED, "has no effect together with stuck: there is never a result", context);
    if (written.delivered_parts !== undefined)
      refuseTogether(written, ["lost_parts"], "says the same as delivered_parts, or the contrary", context);
    if (written.outcome === undefined) return;
    refuseTogether(written, ["result_code"], "has no effect together with outcome, which sets the code", context);
    refuseTogether(
      written,
      PARTS,
      "has no effect together with outcome, which decides about the whole message",
      context,
    );
  }),
);

/** Keys that need a result. */
const SETTLED = [
  "outcome",
  "result_code",
  "result_desc",
  "delay",
  "hold_until",
  "delivered_parts",
  "lost_parts",
  "charge",
];

/** Keys that say which parts of a message arrive. */
export const PARTS = ["delivered_parts", "lost_parts"] as const;

type ResultEffect = Immutable<z.output<typeof schema>>;

export const result = {
  key: "result",
  summary: "The carrier's result for an accepted request: its code, description, timing and charge, or none at all.",
  schema,
  needsAcceptance: true,
  needsOrder: true,
  plan: (plan, effect, context) => {
    const delivery = partialDelivery(effect, context);
    const scripted = scriptedResult({ ...delivery?.effect, ...effect }, context) ?? plan.result;
    const { order, gateway, hold } = context;
    const partial = scripted.outcome === "success" ? undefined : delivery;
    const usual = partial?.charge ?? (isCharged(order, scripted.outcome, gateway) ? hold : NO_MONEY);
    return {
      ...plan,
      settleAfter: settleAfter(plan, effect, context),
      result: scripted,
      charge: effect.charge === undefined ? usual : chargeOf(effect.charge, hold),
      delivered: partial?.parts,
    };
  },
} satisfies Effect<"result", ResultEffect>;

interface Delivery {
  readonly parts: readonly number[];
  readonly charge: Kes;
  readonly effect: Pick<ResultEffect, "result_code" | "result_desc">;
}

/** Returns the result of an SMS of which only some parts arrive. Of one that nobody paid, none does. */
function partialDelivery(
  { delivered_parts: wanted, lost_parts: lost }: ResultEffect,
  { order, gateway, hold, outcome }: OrderContext,
): Delivery | undefined {
  if ((wanted ?? lost) === undefined || order.operation !== "sms" || isUnpaid(outcome)) return undefined;
  const total = measureSms(order.message, gateway.ucs2_concatenated).parts;
  const all = Array.from({ length: total }, (_, index) => index + 1);
  const parts = all.filter((number) =>
    typeof wanted === "number" ? number <= wanted : (wanted?.includes(number) ?? !lost?.includes(number)),
  );
  if (parts.length === total) return undefined;
  const desc = `Message partly delivered: ${parts.length} of ${total} parts.`;
  return {
    parts,
    charge: cents((hold / total) * parts.length),
    effect: { result_code: gateway.result_codes.failed, result_desc: parts.length > 0 ? desc : undefined },
  };
}

function isUnpaid(outcome: keyof ResultCodes): boolean {
  return outcome === "insufficient_funds" || outcome === "duplicate";
}

/** A share in hundredths of a percent of the price. */
interface Share {
  readonly share: number;
}

/** Returns the charge, rounded half up to a cent. */
function chargeOf(charge: Kes | Share, price: Kes): Kes {
  return typeof charge === "object" ? shareOfKes(price, charge.share) : charge;
}

/** A rule cannot override the result of an order that nobody paid. */
function scriptedResult(
  { outcome: named, result_code: code, result_desc: desc }: ResultEffect,
  { order, gateway, outcome }: OrderContext,
): CarrierResult | undefined {
  if ((named ?? code ?? desc) === undefined || isUnpaid(outcome)) return undefined;
  const scripted = named ?? (code === undefined ? outcome : outcomeOf(code, gateway.result_codes));
  const planned = carrierResult(order, scripted, gateway);
  return { ...planned, resultCode: code ?? planned.resultCode, resultDesc: desc ?? planned.resultDesc };
}

function outcomeOf(code: number, codes: ResultCodes): keyof ResultCodes {
  return OUTCOMES.find((outcome) => codes[outcome] === code) ?? "failed";
}

function settleAfter(
  plan: Plan,
  { stuck, delay, hold_until: heldUntil }: ResultEffect,
  context: OrderContext,
): Plan["settleAfter"] {
  if (stuck) return "never";
  const ordinary = delay === undefined ? plan.settleAfter : drawScripted(delay, "result delay", context);
  return ordinary === "never" || heldUntil === undefined
    ? ordinary
    : Math.max(ordinary, context.by.since + heldUntil - context.at);
}
