import type { AccountDetail } from "../../../control/client/shapes.ts";
import {
  type Carrier,
  CARRIERS,
  forEachCarrier,
  type Numbering,
  type Route,
  routeTo,
  parsePhoneNumber,
} from "../../../gateway/domain/carrier.ts";
import { cents, type Kes, parseKes, timesKes } from "../../../gateway/domain/kes.ts";
import { discounted } from "../../../gateway/domain/order.ts";
import { senderIdProblem } from "../../../gateway/domain/sender-id.ts";
import type { CarrierSettings, GatewaySettings } from "../../../gateway/settings/gateway.ts";
import {
  type CostlyCharacter,
  costlyCharacters,
  measureSms,
  type SmsMeasure,
} from "../../../gateway/domain/sms-parts.ts";

/** The route of the number in the form, if it has one. */
export type Recipient =
  | { readonly is: "routed"; readonly route: Route }
  | { readonly is: "unreadable" }
  | { readonly is: "unassigned" };

export function recipientOf(phoneNumber: string, { phone_numbers: forms, numbers }: Pricing): Recipient {
  const parsed = parsePhoneNumber(phoneNumber, forms);
  if (parsed === undefined) return { is: "unreadable" };
  const route = routeTo(parsed, numbers);
  return route === undefined ? { is: "unassigned" } : { is: "routed", route };
}

/** What something costs: with the number's carrier, or with each carrier while it is unknown. */
export type Price = readonly { readonly carriers: readonly Carrier[]; readonly price: Kes }[];

/** How a message is measured, what it costs, and what would make it cheaper. */
export interface SmsPreview {
  readonly measure: SmsMeasure;
  readonly isTooLong: boolean;
  readonly price: Price;
  readonly costly: readonly CostlyCharacter[];
  /** The message with plain characters instead of typographic ones, if there are any. */
  readonly plain?: { readonly message: string; readonly measure: SmsMeasure; readonly price: Price };
}

export function previewSms(message: string, recipient: Recipient, pricing: Pricing): SmsPreview {
  const measure = measureSms(message, pricing.ucs2_concatenated);
  const costly = costlyCharacters(message);
  const plain = plainSpelling(message, costly);
  return {
    measure,
    isTooLong: measure.parts > pricing.max_sms_parts,
    price: smsPrice(measure, recipient, pricing),
    costly,
    ...(plain !== message && { plain: spelledPlainly(plain, recipient, pricing) }),
  };
}

/** What airtime costs after the discount. There is none if the amount is invalid. */
interface AirtimePreview {
  readonly amount: Kes;
  readonly price: Price;
  readonly isWithinLimits: boolean;
  readonly limits: { readonly min: Kes; readonly max: Kes };
}

export function previewAirtime(
  written: string,
  recipient: Recipient,
  { carriers }: Pricing,
): AirtimePreview | undefined {
  const amount = parseKes(written);
  if (amount === undefined) return undefined;
  const { limits } = carriers[recipient.is === "routed" ? recipient.route.carrier : CARRIERS[0]];
  return {
    amount,
    price: priceWith(recipient, (carrier) => discounted(amount, carriers[carrier].discount)),
    isWithinLimits: amount >= limits.min && amount <= limits.max,
    limits,
  };
}

/** What the gateway will do with a sender ID on the way to a number. */
type SenderIdStanding =
  | { readonly is: "registered" }
  | { readonly is: "malformed"; readonly problem: string }
  | { readonly is: "unregistered" }
  | { readonly is: "with others"; readonly carriers: readonly Carrier[] };

export function standingOf(
  senderId: string,
  recipient: Recipient,
  registered: ReadonlyMap<string, ReadonlySet<Carrier>>,
): SenderIdStanding {
  const carriers = registered.get(senderId);
  if (carriers === undefined || carriers.size === 0) {
    const problem = senderIdProblem(senderId);
    return problem === undefined ? { is: "unregistered" } : { is: "malformed", problem };
  }
  const isWithThis = recipient.is !== "routed" || carriers.has(recipient.route.carrier);
  return isWithThis ? { is: "registered" } : { is: "with others", carriers: [...carriers] };
}

function spelledPlainly(message: string, recipient: Recipient, pricing: Pricing): NonNullable<SmsPreview["plain"]> {
  const measure = measureSms(message, pricing.ucs2_concatenated);
  return { message, measure, price: smsPrice(measure, recipient, pricing) };
}

function plainSpelling(message: string, costly: readonly CostlyCharacter[]): string {
  const spellings = new Map(costly.map(({ character, cheaper }) => [character, cheaper]));
  return Array.from(message, (character) => spellings.get(character) ?? character).join("");
}

function smsPrice({ parts }: SmsMeasure, recipient: Recipient, { carriers }: Pricing): Price {
  return priceWith(recipient, (carrier) => timesKes(carriers[carrier].sms_price, parts));
}

/** Groups carriers with the same price. */
function priceWith(recipient: Recipient, priceOf: (carrier: Carrier) => Kes): Price {
  if (recipient.is === "routed")
    return [{ carriers: [recipient.route.carrier], price: priceOf(recipient.route.carrier) }];
  const prices = [...new Set(CARRIERS.map(priceOf))];
  return prices.map((price) => ({ price, carriers: CARRIERS.filter((carrier) => priceOf(carrier) === price) }));
}

/** The gateway settings that routing and prices depend on. */
export interface Pricing extends Pick<GatewaySettings, "phone_numbers" | "ucs2_concatenated" | "max_sms_parts"> {
  readonly numbers: Numbering;
  readonly carriers: Readonly<Record<Carrier, CarrierPricing>>;
}

type CarrierPricing = Omit<CarrierSettings, "latency">;

/** Reads the settings from the control API, which uses shillings and percent. */
export function readPricing(gateway: AccountDetail["gateway"]): Pricing {
  const { numbers, carriers } = gateway;
  return {
    phone_numbers: gateway.phone_numbers,
    ucs2_concatenated: gateway.ucs2_concatenated,
    max_sms_parts: gateway.max_sms_parts,
    numbers,
    carriers: forEachCarrier((carrier) => readCarrier(carriers[carrier])),
  };
}

function readCarrier({
  discount,
  sms_price: price,
  limits,
}: AccountDetail["gateway"]["carriers"][Carrier]): CarrierPricing {
  return {
    discount: Math.round(discount * 100),
    sms_price: inCents(price),
    limits: { min: inCents(limits.min), max: inCents(limits.max) },
  };
}

function inCents(shillings: number): Kes {
  return cents(Math.round(shillings * 100));
}
