import { signal } from "@preact/signals";
import { accountPath, ADMIN_PATH, ControlClient, ControlError, type ControlTarget } from "../../control-client/control-client.ts";

const TOKEN = "kredo-admin-token";

/** The owner's token, where the sandbox asks for one: kept for this tab. */
export const adminToken = signal(sessionStorage.getItem(TOKEN) ?? undefined);

export function rememberToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  adminToken.value = token;
}

/** The control API as a whole. */
export function sandbox(): ControlClient {
  return new ControlClient(target(), ADMIN_PATH);
}

/** The control API of one account. */
export function accountClient(consumerKey: string): ControlClient {
  return new ControlClient(target(), accountPath(consumerKey));
}

function target(): ControlTarget {
  return {
    url: location.origin,
    send: (request) => fetch(request),
    ...(adminToken.value !== undefined && { adminToken: adminToken.value }),
  };
}

/** Downloads an answer of an account's control API, byte for byte; a plain link could not carry the admin token. */
export async function download(
  path: string,
  fileName: string,
  consumerKey: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await accountClient(consumerKey).open(path, { headers });
  if (!answer.ok) throw new ControlError(answer.status, await answer.json());
  saveFile(fileName, await answer.blob());
}

/** Gives the reader a file to keep, as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
