import { control, type Client } from "./client.ts";
import { textAt } from "./json-view.ts";
import { findRightful } from "./listener-url.ts";

const OPERATIONS = ["airtime", "sms"] as const;

/** A callback URL for each operation; null where there is none. */
export type CallbackUrls = Readonly<Record<(typeof OPERATIONS)[number], string | null>>;

export async function readUrls(client: Client): Promise<CallbackUrls> {
  const { json } = await control(client, { method: "GET", path: "/callbacks" });
  return { airtime: textAt(json, "airtime") ?? null, sms: textAt(json, "sms") ?? null };
}

/** The registered URLs, but for those of listeners that are gone. */
export async function readRightful(client: Client): Promise<CallbackUrls> {
  const { airtime, sms } = await readUrls(client);
  return { airtime: await findRightful(airtime), sms: await findRightful(sms) };
}

export async function registerUrls(client: Client, urls: Partial<CallbackUrls>): Promise<void> {
  await control(client, { method: "PUT", path: "/callbacks", body: urls });
}

/** What stands after a listener's end, and whether all of it is what stood before. */
export interface PutBack {
  readonly urls: CallbackUrls;
  readonly isWhole: boolean;
}

/** Puts the old URLs back where ours still stand; what somebody else set meanwhile stays. */
export async function putBackUrls(client: Client, ours: CallbackUrls, old: CallbackUrls): Promise<PutBack> {
  const current = await readUrls(client);
  const restored = OPERATIONS.filter((operation) => current[operation] === ours[operation]);
  const rightful = { airtime: await findRightful(old.airtime), sms: await findRightful(old.sms) };
  const urls: Partial<CallbackUrls> = Object.fromEntries(restored.map((operation) => [operation, rightful[operation]]));
  if (restored.length > 0) await registerUrls(client, urls);
  const left = { ...current, ...urls };
  return { urls: left, isWhole: OPERATIONS.every((operation) => left[operation] === rightful[operation]) };
}
