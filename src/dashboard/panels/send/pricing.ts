import type { Carrier, Numbering } from "../../../domain/carrier.ts";
import { cents, type Kes } from "../../../domain/kes.ts";
import type { Profile } from "../../../domain/phone-number.ts";
import type { CarrierSettings, GatewaySettings } from "../../../domain/settings.ts";
import type { AccountDetail } from "../../../testing/shapes.ts";

/** What an order's way and price depend on, of the gateway's settings. */
export interface Pricing extends Pick<GatewaySettings, "ucs2Concatenated" | "maxSmsParts"> {
  readonly profile: Profile;
  readonly numbering: Numbering;
  readonly carriers: Readonly<Record<Carrier, CarrierPricing>>;
}

type CarrierPricing = Omit<CarrierSettings, "latency">;

/** Reads it from the control API, which writes shillings and percent. */
export function readPricing(gateway: AccountDetail["gateway"]): Pricing {
  const { numbers, carriers } = gateway;
  return {
    profile: gateway.profile,
    ucs2Concatenated: gateway.ucs2_concatenated,
    maxSmsParts: gateway.max_sms_parts,
    numbering: { portedShare: numbers.ported_share, ported: numbers.ported, prefixes: numbers.prefixes },
    carriers: { safaricom: readCarrier(carriers.safaricom), airtel: readCarrier(carriers.airtel), telkom: readCarrier(carriers.telkom) },
  };
}

function readCarrier({ discount, sms_price: price, limits }: AccountDetail["gateway"]["carriers"][Carrier]): CarrierPricing {
  return {
    discount: Math.round(discount * 100),
    smsPrice: inCents(price),
    limits: { min: inCents(limits.min), max: inCents(limits.max) },
  };
}

function inCents(shillings: number): Kes {
  return cents(Math.round(shillings * 100));
}
