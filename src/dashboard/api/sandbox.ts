import { signal } from "@preact/signals";
import { ControlClient, type ControlTarget } from "../../testing/control-client.ts";

const TOKEN = "kredo-admin-token";

/** The owner's token, where the sandbox asks for one: kept for this tab. */
export const adminToken = signal(sessionStorage.getItem(TOKEN) ?? undefined);

export function rememberToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  adminToken.value = token;
}

/** The control API as a whole. */
export function sandbox(): ControlClient {
  return new ControlClient(target(), "/__admin/");
}

/** The control API of one account. */
export function accountClient(consumerKey: string): ControlClient {
  return new ControlClient(target(), `/__admin/accounts/${encodeURIComponent(consumerKey)}/`);
}

function target(): ControlTarget {
  return {
    url: location.origin,
    send: (request) => fetch(request),
    ...(adminToken.value !== undefined && { adminToken: adminToken.value }),
  };
}
