import type { Sandbox } from "../../src/index.ts";

/** Asks the gateway for airtime over HTTP, as an integrator does; answers the request_id. */
export function sendAirtime(sandbox: Sandbox, phoneNumber: string, amount: string): Promise<string> {
  return send(sandbox, "airtime", { phone_number: phoneNumber, amount });
}

export function sendSms(sandbox: Sandbox, phoneNumber: string, message: string): Promise<string> {
  return send(sandbox, "sms", { phone_number: phoneNumber, message, sender_id: "SANDBOX" });
}

async function send(sandbox: Sandbox, operation: string, order: object): Promise<string> {
  const answer = await postTo(sandbox, `/api/v2/${operation}`, order);
  const { request_id: requestId = "" }: { request_id?: string } = JSON.parse(await answer.text());
  return requestId;
}

/** Posts JSON to any path of the gateway, with the default account's credentials unless told otherwise. */
export function postTo(
  { url, consumerKey, consumerSecret }: Pick<Sandbox, "url" | "consumerKey" | "consumerSecret">,
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  const credentials = Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64");
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** How many orders `sendMany` has sent to each sandbox. */
const sent = new WeakMap<Sandbox, number>();

/** Many at once, to a number each, without a network between: answers when all of them were accepted. */
export async function sendMany(sandbox: Sandbox, count: number): Promise<void> {
  const before = sent.get(sandbox) ?? 0;
  sent.set(sandbox, before + count);
  const orders = Array.from({ length: count }, (_, index) => ({
    phone_number: String(254_712_000_000 + before + index),
    amount: String(5 + (index % 95)),
  }));
  const answers = await Promise.all(
    orders.map((order) =>
      sandbox.fetch("/api/v2/airtime", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(order),
      }),
    ),
  );
  const refused = answers.find(({ status }) => status !== 200);
  if (refused !== undefined) throw new Error(`refused: ${await refused.text()}`);
}
