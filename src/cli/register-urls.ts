import { control, type Client } from "./client.ts";
import { textAt } from "./json-view.ts";

const OPERATIONS = ["airtime", "sms"] as const;

/** A callback URL for each operation; null where there is none. */
export type CallbackUrls = Readonly<Record<(typeof OPERATIONS)[number], string | null>>;

export async function readUrls(client: Client): Promise<CallbackUrls> {
  const { json } = await control(client, { method: "GET", path: "/callbacks" });
  return { airtime: textAt(json, "airtime") ?? null, sms: textAt(json, "sms") ?? null };
}

export async function registerUrls(client: Client, urls: Partial<CallbackUrls>): Promise<void> {
  await control(client, { method: "PUT", path: "/callbacks", body: urls });
}

/** Puts the old URLs back where ours still stand; what somebody else set meanwhile stays. Answers what stands then. */
export async function putBackUrls(client: Client, ours: CallbackUrls, old: CallbackUrls): Promise<CallbackUrls> {
  const current = await readUrls(client);
  const restored = OPERATIONS.filter((operation) => current[operation] === ours[operation]);
  const urls: Partial<CallbackUrls> = Object.fromEntries(restored.map((operation) => [operation, old[operation]]));
  if (restored.length > 0) await registerUrls(client, urls);
  return { ...current, ...urls };
}
