import { measureSms } from "../../../src/gateway/domain/sms-parts.ts";
import { startExpressShop } from "./express.ts";
import type { GatewayOrder } from "./gateway-client.ts";
import type { Defect, MoneyStyle } from "./mutants.ts";
import { listPrice, type StartShop, type Terms } from "./shop.ts";

/** Shops that sell for something else than the list price, or show a balance late, and what their maps say of it. */
export const MONEY_SHOPS: Readonly<Record<MoneyStyle, StartShop>> = {
  discount: sell({ priceOf: (order) => Math.round(listPrice(order) * 0.97) }, '"97%"'),
  "whole shillings": sell({ priceOf: (order) => Math.ceil((listPrice(order) * 1.04) / 100) * 100 }, '"104%"'),
  "per part": sell({ priceOf: billParts }, '{ per_part: "1.00" }'),
  "cached balance": sell({ cachedFor: 2_000 }, '"{amount}"'),
};

function sell(terms: Terms, price: string): StartShop {
  return async (options) => {
    const shop = await startExpressShop({ ...options, terms });
    return { ...shop, appMap: shop.appMap.replace("json_path: $.balance", `json_path: $.balance, price: ${price}`) };
  };
}

/** One shilling for each part of an SMS, by the gateway's document, section 8. */
function billParts(order: GatewayOrder, defect: Defect | undefined): number {
  if (order.message === undefined) return listPrice(order);
  const { parts } = measureSms(order.message, 70);
  return 100 * (defect === "bills one part less of a long SMS" ? Math.max(1, parts - 1) : parts);
}
