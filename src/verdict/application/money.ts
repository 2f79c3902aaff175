import type { HttpReply } from "../../control/client/http-exchange.ts";
import { cents, type Kes, NO_MONEY, subtractKes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "./app-map.ts";
import type { ShownValue } from "./ask.ts";
import { type JsonPath, readAmount } from "./json-path.ts";
import type { BookedCharge } from "./placed-order.ts";
import { textOf } from "./placeholders.ts";
import { find, read } from "./read-answer.ts";

/** Reads a balance at a path whose placeholders are filled, as what the customer has. */
export function readBalance(
  reply: HttpReply,
  path: JsonPath,
  { unit, owed }: Pick<NonNullable<AppMap["balance"]>, "unit" | "owed">,
): ShownValue<Kes> {
  const shown = read(reply, path);
  if ("missing" in shown) return shown;
  const value = unit === "cents" ? readCents(shown.value) : readAmount(shown.value);
  if (value === undefined)
    return {
      missing: `${path.text} is ${textOf(shown.value)}, which is not ${unit === "cents" ? "whole cents" : "an amount"}`,
    };
  return { value: owed === true ? subtractKes(NO_MONEY, value) : value };
}

/** An integer of cents is an amount of as many shillings, a hundred times as large. */
function readCents(value: unknown): Kes | undefined {
  const hundredfold = readAmount(value);
  return hundredfold === undefined || hundredfold % 100 !== 0 ? undefined : cents(hundredfold / 100);
}

export function readBooks(reply: HttpReply, books: NonNullable<AppMap["books"]>): ShownValue<readonly BookedCharge[]> {
  const found = find(reply, books.list);
  if ("missing" in found) return found;
  const entries = found.value.map((entry) => ({
    requestId: textOf(books.request_id.find(entry)[0]),
    amount: readAmount(books.amount.find(entry)[0]),
  }));
  return { value: entries };
}
