import type { HttpReply } from "../../control/client/http-exchange.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "./app-map.ts";
import type { ShownValue } from "./ask.ts";
import { type JsonPath, readAmount } from "./json-path.ts";
import type { BookedCharge } from "./placed-order.ts";
import { textOf } from "./placeholders.ts";
import { find, read } from "./read-answer.ts";

/** Reads a balance at a path whose placeholders are filled. */
export function readBalance(reply: HttpReply, path: JsonPath): ShownValue<Kes> {
  const shown = read(reply, path);
  if ("missing" in shown) return shown;
  const value = readAmount(shown.value);
  return value === undefined
    ? { missing: `${path.text} is ${textOf(shown.value)}, which is not an amount` }
    : { value };
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
