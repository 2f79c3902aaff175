import { settingsInForce } from "../../gateway/account/state.ts";
import type { SandboxSettings } from "../../config.ts";
import { CALLBACK_URLS } from "../../gateway/domain/callback-outcome.ts";
import type { RunningSandbox } from "../../sandbox.ts";
import type { Variables } from "../terminal/terminal.ts";

/** What a start says about settings that are valid, and probably not meant. */
export function startWarnings(
  settings: SandboxSettings,
  running: Pick<RunningSandbox, "world" | "ownership">,
  env: Variables,
): string[] {
  return [...warnOfOpenControl(settings), ...(env["KREDO_IMAGE"] ? warnOfOwnCallbacks(settings, running) : [])];
}

/** Without a token, anybody who can reach the port can read secrets and move money. */
function warnOfOpenControl({ host, admin }: SandboxSettings): string[] {
  if (admin.token !== undefined || isLoopback(host)) return [];
  return [
    `warning: the control API is open to everyone who can reach ${host}, secrets included; set KREDO_ADMIN_TOKEN, or publish the port on 127.0.0.1 alone (kredo docs security)`,
  ];
}

/** In a container, localhost is the container. */
function warnOfOwnCallbacks(
  settings: SandboxSettings,
  { world, ownership }: Pick<RunningSandbox, "world" | "ownership">,
): string[] {
  // Another replica may own an account of the settings.
  const accounts =
    ownership === undefined ? world.list().map(({ state }) => settingsInForce(state)) : settings.accounts;
  const urls = accounts.flatMap(({ callbacks }) => CALLBACK_URLS.flatMap((key) => callbacks.urls[key]?.url ?? []));
  const own = urls.find((url) => isLoopback(new URL(url).hostname));
  if (own === undefined) return [];
  const shown = maskUrl(own);
  const repaired = shown.replace(/\/\/(…@)?(\[[^\]]*\]|[^:/?]*)/, "//$1host.docker.internal");
  return [
    `warning: callbacks to ${shown} stay in this container, unless it shares the receiver's network: write ${repaired} for this machine (on Linux with --add-host host.docker.internal:host-gateway), or the name of the receiver's container (kredo docs containers)`,
  ];
}

/** A host as in a URL, where an IPv6 address has brackets, or as an address to listen on. */
function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** Hides a URL's query and password, which are often secret. */
export function maskUrl(url: string | undefined): string {
  return url === undefined ? "none" : url.replace(/\?.*$/, "?…").replace(/\/\/[^/]*@/, "//…@");
}
