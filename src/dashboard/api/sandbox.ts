import { signal } from "@preact/signals";
import {
  accountPath,
  ADMIN_PATH,
  ControlClient,
  ControlError,
  type ControlTarget,
} from "../../control/client/control-client.ts";

import type { AccountClient, SandboxClient } from "../../verdict/endpoints/client.ts";

const TOKEN = "kredo-admin-token";

/** The admin token, if the sandbox requires one. Kept for this tab. */
export const adminToken = signal(sessionStorage.getItem(TOKEN) ?? undefined);

export function rememberToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  adminToken.value = token;
}

/** Returns a client for the whole control API. */
export function sandbox(): SandboxClient {
  return new ControlClient(target(), ADMIN_PATH);
}

/** Returns a client for one account's control API. */
export function accountClient(consumerKey: string): AccountClient {
  return new ControlClient(target(), accountPath(consumerKey));
}

function target(): ControlTarget {
  return {
    url: location.origin,
    send: (request) => fetch(request),
    ...(adminToken.value !== undefined && { adminToken: adminToken.value }),
  };
}

/** Downloads a response of an account's control API, byte for byte. A plain link could not send the admin token. */
export async function download(path: string, fileName: string, consumerKey: string): Promise<void> {
  const answer = await accountClient(consumerKey).open(path);
  if (!answer.ok) throw new ControlError(answer.status, await answer.json());
  saveFile(fileName, await answer.blob());
}

/** Saves content as a file through the browser's download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
