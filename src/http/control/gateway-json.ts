import * as z from "zod";
import { CARRIERS, forEachCarrier } from "../../domain/carrier.ts";
import { kesAsNumber } from "../../domain/kes.ts";
import type { CarrierSettings, GatewaySettings } from "../../settings/gateway.ts";
import { money } from "./values.ts";

const carrierShape = z.object({
  discount: z.number().describe("Percent taken off the airtime amount."),
  sms_price: money.describe("KES for each part of a message."),
  limits: z.object({ min: money, max: money }).describe("The smallest and largest airtime amount of one request."),
});

/** What decides how an order is counted, routed and priced. */
export const gatewayShape = z.object({
  profile: z.enum(["document", "statum"]),
  ucs2_concatenated: z.literal([70, 67]).describe("Characters in each part of a longer message outside the GSM alphabet."),
  max_sms_parts: z.int(),
  carriers: z.object(forEachCarrier(() => carrierShape)),
  numbers: z.object({
    ported_share: z.number(),
    ported: z.record(z.string(), z.enum(CARRIERS)).describe("With the numbers that active scenarios have ported."),
    prefixes: z.record(z.string(), z.enum(CARRIERS)),
  }),
});

export function gatewayJson({
  profile,
  ucs2_concatenated: ucs2Concatenated,
  max_sms_parts: maxSmsParts,
  carriers,
  numbers: numbering,
}: GatewaySettings): z.output<typeof gatewayShape> {
  const { ported_share: portedShare, ported, prefixes } = numbering;
  return {
    profile,
    ucs2_concatenated: ucs2Concatenated,
    max_sms_parts: maxSmsParts,
    carriers: forEachCarrier((carrier) => carrierJson(carriers[carrier])),
    numbers: { ported_share: portedShare, ported: { ...ported }, prefixes: { ...prefixes } },
  };
}

function carrierJson({ discount, sms_price: smsPrice, limits }: CarrierSettings): z.output<typeof carrierShape> {
  return {
    // Settings have hundredths of a percent.
    discount: discount / 100,
    sms_price: kesAsNumber(smsPrice),
    limits: { min: kesAsNumber(limits.min), max: kesAsNumber(limits.max) },
  };
}
