import { type Operation, orderFields } from "../../gateway/domain/order.ts";
import type { RunningScenario } from "../../gateway/scenario/running-scenario.ts";
import type { Row } from "../live/sales.ts";

/** The order in the form. Invalid values are allowed, because the gateway validates them. */
export interface Draft {
  readonly operation: Operation;
  readonly phoneNumber: string;
  readonly amount: string;
  readonly senderId: string;
  readonly message: string;
}

/** The order that shows a new user how one looks. No rule matches its number. */
export const TEST_ORDER: Draft = {
  operation: "airtime",
  phoneNumber: "254712345678",
  amount: "50",
  senderId: "",
  message: "",
};

/** Returns the request body, with the field names of the API document (2.1, 2.2). */
export function bodyOfDraft({ operation, phoneNumber, amount, senderId, message }: Draft): string {
  return JSON.stringify(
    operation === "airtime"
      ? { phone_number: phoneNumber, amount }
      : { phone_number: phoneNumber, message, sender_id: senderId },
  );
}

/** Returns the first of the rows that shows this order. */
export function findRow(draft: Draft, rows: readonly Row[]): Row | undefined {
  return rows.find(({ request: { order, body, operation } }) => {
    if (operation !== draft.operation) return false;
    // For an invalid order, the journal keeps only the beginning of the body.
    if (order === undefined) return body !== undefined && bodyOfDraft(draft).startsWith(body);
    if (order.phoneNumber.slice(-NATIONAL) !== draft.phoneNumber.slice(-NATIONAL)) return false;
    const { amount, message } = orderFields(order);
    return message === undefined ? amount === Number(draft.amount) : message === draft.message;
  });
}

/** The digits that are the same in every notation of a number. */
const NATIONAL = 9;

/** A phone number that an active scenario gives a meaning. */
interface MagicNumber {
  readonly phoneNumber: string;
  /** What its rule does, in the rule's own words. */
  readonly does: string;
}

/** Lists the numbers that rules name in full and that are switched on. */
export function listMagicNumbers(scenarios: readonly RunningScenario[]): MagicNumber[] {
  return scenarios.flatMap(({ scenario, off }) =>
    (scenario.rules ?? []).flatMap(({ name, when }) => {
      const [phoneNumber] = [when?.phone_number].flat();
      const isMagic = typeof phoneNumber === "string" && /^\d+$/.test(phoneNumber) && !off.includes(name);
      return isMagic ? [{ phoneNumber, does: name }] : [];
    }),
  );
}
