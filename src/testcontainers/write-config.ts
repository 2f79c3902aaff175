import { Document, isMap, isSeq, parseDocument } from "yaml";
import type { AccountOptions, SandboxOptions } from "../testing/options.ts";

export interface ConfigText {
  readonly text: string;
  /** The admin token set in the config, if any. */
  readonly adminToken?: string;
}

/**
 * Appends accounts to a config. A config whose shape does not allow that is returned unchanged: the sandbox then refuses it, with the line
 * of each mistake.
 */
export function writeConfig(config: SandboxOptions | string, more: readonly AccountOptions[]): ConfigText {
  const document: Document = typeof config === "string" ? parseDocument(config) : new Document(config);
  const text =
    typeof config === "string" && (more.length === 0 || !canTake(document)) ? config : addAccounts(document, more);
  const token = document.getIn(["admin", "token"]);
  return { text, ...(typeof token === "string" && { adminToken: token }) };
}

function canTake({ errors, contents }: Document): boolean {
  if (errors.length > 0) return false;
  if (contents === null) return true;
  return isMap(contents) && (!contents.has("accounts") || isSeq(contents.get("accounts")));
}

function addAccounts(document: Document, more: readonly AccountOptions[]): string {
  const accounts = document.get("accounts");
  if (isSeq(accounts)) for (const account of more) accounts.add(document.createNode(account));
  else if (more.length > 0) document.set("accounts", document.createNode(more));
  return document.toString();
}
