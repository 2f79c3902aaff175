import { type Millis, SECOND } from "../domain/time.ts";
import { exchange, Unanswered } from "./exchange.ts";

/** Where a listener's URL says what it stands in for; empty where that was nothing. */
const STAND_IN = "kredo_listen_instead_of";

/** A listener on this machine answers at once. */
const GLANCE: Millis = SECOND;

/** The URL of a listener, which remembers what it was registered in the place of: that outlives the listener, even one that was killed. */
export function standInFor(old: string | null, url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(STAND_IN, old ?? "");
  return marked.href;
}

/** The URL to register: itself, unless it is of a listener that is gone; then what that one stood in for. */
export async function findRightful(url: string | null): Promise<string | null> {
  const old = url === null ? undefined : readStandIn(url);
  if (url === null || old === undefined || (await isListening(url))) return url;
  return findRightful(old === "" ? null : old);
}

/** As people read it: what a listener remembers is not for them. */
export function nameUrl(url: string | null): string {
  if (url === null) return "none";
  return readStandIn(url) === undefined ? url : `${withoutQuery(url)} (another kredo listen)`;
}

/** Undefined where it is not a listener's. */
function readStandIn(url: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get(STAND_IN) ?? undefined) : undefined;
}

/** A listener refuses whatever is no POST; a port that another program has taken meanwhile hardly does that. */
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
