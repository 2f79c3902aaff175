import { Document, isMap, isSeq, parseDocument } from "yaml";
import { urlsFrom } from "../../gateway/domain/callback-outcome.ts";
import { NO_ALIASES } from "../../gateway/document/write-yaml.ts";
import type { AccountOptions, SandboxOptions } from "../sandbox-options.ts";

/**
 * Returns the text of a config with more accounts at its end. A text that cannot take them is returned unchanged: the sandbox then refuses
 * it, with the line of each mistake.
 */
export function writeConfig(
  config: SandboxOptions | string,
  more: readonly AccountOptions[],
): { text: string; adminToken: string | undefined } {
  const document: Document = typeof config === "string" ? parseDocument(config) : new Document(config, NO_ALIASES);
  const isUnchanged = typeof config === "string" && (more.length === 0 || !canTake(document));
  const token = document.getIn(["admin", "token"]);
  return {
    text: isUnchanged ? config : addAccounts(document, more.map(withReachableCallbacks)),
    adminToken: typeof token === "string" ? token : undefined,
  };
}

function canTake({ errors, contents }: Document): boolean {
  if (errors.length > 0) return false;
  if (contents === null) return true;
  return isMap(contents) && (!contents.has("accounts") || isSeq(contents.get("accounts")));
}

function addAccounts(document: Document, more: readonly AccountOptions[]): string {
  const accounts = document.get("accounts");
  if (isSeq(accounts)) for (const account of more) accounts.add(document.createNode(account, NO_ALIASES));
  else if (more.length > 0) document.set("accounts", document.createNode(more, NO_ALIASES));
  return document.toString();
}

/** Returns the account with callback URLs that reach receivers on this machine. */
export function withReachableCallbacks(account: AccountOptions): AccountOptions {
  const { callbacks } = account;
  if (callbacks === undefined) return account;
  const urls = urlsFrom((key) => callbacks[key] && urlFromContainer(callbacks[key]));
  return { ...account, callbacks: { ...callbacks, ...urls } };
}

/** Rewrites a `localhost` URL of this machine so that a container can reach it. Returns other URLs unchanged. */
export function urlFromContainer(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (!LOOPBACK.test(parsed.hostname)) return url;
  parsed.hostname = HOST_NAME;
  return parsed.href;
}

/** This machine's name inside its containers: built into Docker Desktop and Podman, set by `host-gateway` for Docker on Linux. */
export const HOST_NAME = "host.docker.internal";

/** RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3, and the addresses that a server on all interfaces prints. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;
