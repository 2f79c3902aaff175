import type { Account } from "../../src/index.ts";

/** Asks the gateway for airtime, as an integrator does; answers the request_id. */
export function sendAirtime(account: Account, phoneNumber: string, amount: string): Promise<string> {
  return send(account, "airtime", { phone_number: phoneNumber, amount });
}

export function sendSms(account: Account, phoneNumber: string, message: string): Promise<string> {
  return send(account, "sms", { phone_number: phoneNumber, message, sender_id: "SANDBOX" });
}

async function send(account: Account, operation: string, order: object): Promise<string> {
  const answer = await account.fetch(`/api/v2/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });
  const { request_id: requestId = "" }: { request_id?: string } = JSON.parse(await answer.text());
  return requestId;
}
