import { exchange, Unanswered } from "../../adapters/http-exchange.ts";
import { control, type Client } from "./client.ts";
import { textAt } from "./json-view.ts";
import { type Millis, SECOND } from "../../domain/time.ts";

const OPERATIONS = ["airtime", "sms"] as const;

/** The callback URL of each operation; null if there is none. */
export type CallbackUrls = Readonly<Record<(typeof OPERATIONS)[number], string | null>>;

export async function readUrls(client: Client): Promise<CallbackUrls> {
  const { json } = await control(client, { method: "GET", path: "callbacks" });
  return { airtime: textAt(json, "airtime") ?? null, sms: textAt(json, "sms") ?? null };
}

/** The registered URLs, with those of stopped listeners replaced by the original ones. */
export async function readOriginalUrls(client: Client): Promise<CallbackUrls> {
  const { airtime, sms } = await readUrls(client);
  return { airtime: await originalUrl(airtime), sms: await originalUrl(sms) };
}

export async function registerUrls(client: Client, urls: Partial<CallbackUrls>): Promise<void> {
  await control(client, { method: "PUT", path: "callbacks", body: urls });
}

/** The URLs after a listener has stopped, and whether all are the original ones. */
export interface RestoredUrls {
  readonly urls: CallbackUrls;
  readonly isWhole: boolean;
}

/** Restores the old URLs if ours are still registered. URLs that were set in the meantime stay. */
export async function restoreUrls(client: Client, ours: CallbackUrls, old: CallbackUrls): Promise<RestoredUrls> {
  const current = await readUrls(client);
  const restored = OPERATIONS.filter((operation) => current[operation] === ours[operation]);
  const original = { airtime: await originalUrl(old.airtime), sms: await originalUrl(old.sms) };
  const urls: Partial<CallbackUrls> = Object.fromEntries(restored.map((operation) => [operation, original[operation]]));
  if (restored.length > 0) await registerUrls(client, urls);
  const left = { ...current, ...urls };
  return { urls: left, isWhole: OPERATIONS.every((operation) => left[operation] === original[operation]) };
}

/** The query parameter with the URL that a listener replaced; empty if there was none. */
const REPLACED = "kredo_listen_instead_of";

/** The time limit for checking a listener on this machine. */
const GLANCE: Millis = SECOND;

/** Returns a listener's URL with the URL that it replaces, so that the old one can be restored even if the listener was killed. */
export function replacing(old: string | null, url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(REPLACED, old ?? "");
  return marked.href;
}

/** Returns the URL itself, or the one it replaced if it belongs to a listener that has stopped. */
async function originalUrl(url: string | null): Promise<string | null> {
  const old = url === null ? undefined : readReplaced(url);
  if (url === null || old === undefined || (await isListening(url))) return url;
  return originalUrl(old === "" ? null : old);
}

/** Formats a URL for people, without the replaced one. */
export function nameUrl(url: string | null): string {
  if (url === null) return "none";
  return readReplaced(url) === undefined ? url : `${withoutQuery(url)} (another kredo listen)`;
}

/** Returns the replaced URL; undefined if it is not a listener's URL. */
function readReplaced(url: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get(REPLACED) ?? undefined) : undefined;
}

/** Recognizes a listener by its refusal of GET, which another program on that port is unlikely to send. */
async function isListening(url: string): Promise<boolean> {
  try {
    const { status, headers } = await exchange({ method: "GET", url, headers: {}, limit: GLANCE });
    return status === 405 && headers.allow === "POST";
  } catch (error) {
    if (error instanceof Unanswered) return false;
    throw error;
  }
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
