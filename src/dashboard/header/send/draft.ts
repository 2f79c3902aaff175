import type { Operation } from "../../../gateway/domain/order.ts";
import type { RunningScenario } from "../../../gateway/scenario/running-scenario.ts";

/** The order in the form. Invalid values are allowed, because the gateway validates them. */
export interface Draft {
  readonly operation: Operation;
  readonly phoneNumber: string;
  readonly amount: string;
  readonly senderId: string;
  readonly message: string;
}

export const NEW_DRAFT: Draft = {
  operation: "sms",
  phoneNumber: "254712345678",
  amount: "50",
  senderId: "",
  message: "",
};

/** Overrides a draft with the parameters of a URL. Empty parameters are ignored. */
export function withQuery(draft: Draft, query: Readonly<Record<string, string>>): Draft {
  const { operation, phone_number, amount, sender_id, message } = query;
  return {
    operation: operation === "sms" || operation === "airtime" ? operation : draft.operation,
    phoneNumber: phone_number || draft.phoneNumber,
    amount: amount || draft.amount,
    senderId: sender_id || draft.senderId,
    message: message || draft.message,
  };
}

/** Returns the query of a draft, without fields of the other operation. */
export function queryOf({ operation, phoneNumber, amount, senderId, message }: Draft): Record<string, string> {
  const own =
    operation === "airtime" ? { amount, sender_id: "", message: "" } : { amount: "", sender_id: senderId, message };
  return { operation, phone_number: phoneNumber, ...own };
}

export const PATHS = { airtime: "/api/v2/airtime", sms: "/api/v2/sms" } as const;

/** Returns the request body, with the field names of the API document (2.1, 2.2). */
export function bodyOf({ operation, phoneNumber, amount, senderId, message }: Draft): string {
  return JSON.stringify(
    operation === "airtime"
      ? { phone_number: phoneNumber, amount }
      : { phone_number: phoneNumber, message, sender_id: senderId },
  );
}

/** A phone number that a rule of an active scenario matches. */
interface QuickPick {
  readonly phoneNumber: string;
  readonly scenario: string;
  /** What the rule does, in its own words. */
  readonly does: string;
  readonly isOn: boolean;
}

/** Lists the numbers that active scenarios name in full, one for each rule. */
export function listPicks(scenarios: readonly RunningScenario[]): QuickPick[] {
  return scenarios.flatMap(({ scenario, off }) =>
    (scenario.rules ?? []).flatMap(({ name, when }) => {
      const [phoneNumber] = [when?.phone_number].flat();
      if (typeof phoneNumber !== "string" || !/^\d+$/.test(phoneNumber)) return [];
      return [
        { phoneNumber, scenario: scenario.name, does: withoutNumber(name, phoneNumber), isOn: !off.includes(name) },
      ];
    }),
  );
}

/** Removes the number's last digits from the name of a shipped rule, because the number is shown beside it. */
function withoutNumber(name: string, phoneNumber: string): string {
  const [, digits = "", rest = ""] = /^(\d+): (.*)$/s.exec(name) ?? [];
  return digits !== "" && phoneNumber.endsWith(digits) ? rest : name;
}
