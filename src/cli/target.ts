import { CONSUMER_KEY, CONSUMER_SECRET, PORT } from "../config/defaults.ts";
import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import type { Variables } from "./config-file.ts";
import { Halt } from "./halt.ts";
import type { Flag, Said } from "./verb.ts";

/** The sandbox that a client verb talks to, and as whom. */
export interface Target {
  /** Without a slash at its end. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly adminToken: string | undefined;
  /** The account as the control API names it. */
  readonly account: string;
}

const URL_FLAG: Flag = {
  name: "url",
  value: "URL",
  about: `where the sandbox is; http://127.0.0.1:${PORT} if not said, or the port in KREDO_PORT`,
  variables: ["KREDO_URL"],
};
const KEY_FLAG: Flag = {
  name: "consumer-key",
  value: "KEY",
  about: `the account's key; ${CONSUMER_KEY} if not said`,
  variables: ["KREDO_CONSUMER_KEY"],
};
const SECRET_FLAG: Flag = {
  name: "consumer-secret",
  value: "SECRET",
  about: `its secret; ${CONSUMER_SECRET} if not said`,
  variables: ["KREDO_CONSUMER_SECRET"],
};
const ACCOUNT_FLAG: Flag = {
  name: "account",
  value: "KEY",
  about: "the account to control; the consumer key if that is said, else default",
};
const TOKEN_FLAG: Flag = {
  name: "admin-token",
  value: "TOKEN",
  about: "the control API's token, if it asks for one",
  variables: ["KREDO_ADMIN_TOKEN"],
};
export const JSON_FLAG: Flag = { name: "json", about: "prints the answer's JSON as it came" };

/** The flags of verbs that call the gateway. */
export const GATEWAY_FLAGS: readonly Flag[] = [URL_FLAG, KEY_FLAG, SECRET_FLAG, JSON_FLAG];

/** The flags of verbs that call the control API. */
export const CONTROL_FLAGS: readonly Flag[] = [URL_FLAG, ACCOUNT_FLAG, KEY_FLAG, TOKEN_FLAG, JSON_FLAG];

/** The same, where --json prints something of the verb's own. */
export function controlFlagsWhere(jsonAbout: string): readonly Flag[] {
  return CONTROL_FLAGS.map((flag) => (flag === JSON_FLAG ? { ...flag, about: jsonAbout } : flag));
}

/** The flags of verbs that call both. */
export const ALL_TARGET_FLAGS: readonly Flag[] = [...new Set([...GATEWAY_FLAGS, ...CONTROL_FLAGS])];

/** Who is meant: flag beats variable beats default; an empty variable counts as unset. */
export function readTarget(said: Said, env: Variables): Target {
  const consumerKey = said.flags.get("consumer-key") ?? (env["KREDO_CONSUMER_KEY"] || undefined);
  return {
    url: readUrl(said, env),
    consumerKey: consumerKey ?? CONSUMER_KEY,
    consumerSecret: said.flags.get("consumer-secret") ?? (env["KREDO_CONSUMER_SECRET"] || CONSUMER_SECRET),
    adminToken: said.flags.get("admin-token") ?? (env["KREDO_ADMIN_TOKEN"] || undefined),
    account: said.flags.get("account") ?? consumerKey ?? "default",
  };
}

function readUrl({ flags }: Said, env: Variables): string {
  const flag = flags.get("url");
  if (flag !== undefined) return checkUrl(flag, "--url");
  if (env["KREDO_URL"]) return checkUrl(env["KREDO_URL"], "KREDO_URL");
  return `http://127.0.0.1:${readPort(env["KREDO_PORT"] ?? "")}`;
}

/** Only what a request can be sent to; what stands behind the path would end up in the middle of another. */
export function checkUrl(text: string, place: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  throw new Halt(2, formatMistake(place, { problem: `${quote(text)} is not a URL`, repair: `write one like http://127.0.0.1:${PORT}` }));
}

/** A service link of Kubernetes ("tcp://10.0.0.1:8254") was not meant for us. */
function readPort(text: string): number {
  if (text === "" || text.startsWith("tcp://")) return PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  const repair =
    text === "0" ? "name the sandbox with --url, because 0 takes any free port" : "write a port, or name the sandbox with --url";
  throw new Halt(2, formatMistake("KREDO_PORT", { problem: `${quote(text)} does not say where the sandbox is`, repair }));
}
