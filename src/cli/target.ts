import type { WrittenAccount } from "../config/account-schema.ts";
import type { Config } from "../config/config-schema.ts";
import { CONSUMER_KEY, CONSUMER_SECRET, HOST, PORT } from "../config/defaults.ts";
import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import type { Variables } from "./config-file.ts";
import { Halt } from "./halt.ts";
import { readServedConfig, SERVED_CONFIG_FLAG } from "./served-config.ts";
import type { Terminal } from "./terminal.ts";
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
  about: `where the sandbox is; if not said, where serve would listen: the port of KREDO_PORT, of the config file, or ${PORT}`,
  variables: ["KREDO_URL"],
};
const KEY_FLAG: Flag = {
  name: "consumer-key",
  value: "KEY",
  about: `the account's key; the config file's or ${CONSUMER_KEY} if not said`,
  variables: ["KREDO_CONSUMER_KEY"],
};
const SECRET_FLAG: Flag = {
  name: "consumer-secret",
  value: "SECRET",
  about: `its secret; the config file's or ${CONSUMER_SECRET} if not said`,
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
  about: "the control API's token, if it asks for one; the config file's if not said",
  variables: ["KREDO_ADMIN_TOKEN"],
};
export const JSON_FLAG: Flag = { name: "json", about: "prints the answer's JSON as it came" };

/** The flags of verbs that call the gateway. */
export const GATEWAY_FLAGS: readonly Flag[] = [URL_FLAG, KEY_FLAG, SECRET_FLAG, SERVED_CONFIG_FLAG, JSON_FLAG];

/** The flags of verbs that call the control API. */
export const CONTROL_FLAGS: readonly Flag[] = [URL_FLAG, ACCOUNT_FLAG, KEY_FLAG, TOKEN_FLAG, SERVED_CONFIG_FLAG, JSON_FLAG];

/** The same, where --json prints something of the verb's own. */
export function controlFlagsWhere(jsonAbout: string): readonly Flag[] {
  return CONTROL_FLAGS.map((flag) => (flag === JSON_FLAG ? { ...flag, about: jsonAbout } : flag));
}

/** The flags of verbs that call both. */
export const ALL_TARGET_FLAGS: readonly Flag[] = [...new Set([...GATEWAY_FLAGS, ...CONTROL_FLAGS])];

/** Who is meant: flag beats variable beats config file beats default, as for serve; an empty variable counts as unset. */
export async function readTarget(said: Said, terminal: Terminal): Promise<Target> {
  const { env } = terminal;
  const url = namedUrl(said, env);
  const consumerKey = choiceOf(said, env, KEY_FLAG);
  const config = await readServedConfig(said, terminal);
  const served = servedAccount(config, consumerKey);
  return {
    url: url ?? servedUrl(config, env),
    consumerKey: consumerKey ?? served.consumer_key ?? CONSUMER_KEY,
    consumerSecret: choiceOf(said, env, SECRET_FLAG) ?? served.consumer_secret ?? CONSUMER_SECRET,
    adminToken: choiceOf(said, env, TOKEN_FLAG) ?? config.admin?.token,
    account: said.flags.get("account") ?? consumerKey ?? "default",
  };
}

function namedUrl({ flags }: Said, env: Variables): string | undefined {
  const flag = flags.get("url");
  if (flag !== undefined) return checkUrl(flag, "--url");
  return env["KREDO_URL"] ? checkUrl(env["KREDO_URL"], "KREDO_URL") : undefined;
}

function choiceOf({ flags }: Said, env: Variables, { name, variables = [] }: Flag): string | undefined {
  return flags.get(name) ?? variables.map((variable) => env[variable]).find(Boolean);
}

/** The one of that key; else the first one, to which serve gives a key from elsewhere. */
function servedAccount({ accounts = [] }: Config, consumerKey: string | undefined): WrittenAccount {
  return accounts.find(({ consumer_key: key }) => key !== undefined && key === consumerKey) ?? accounts[0] ?? {};
}

/** Where serve would listen. */
function servedUrl({ port = PORT, host = HOST }: Config, env: Variables): string {
  const named = env["KREDO_PORT"] ?? "";
  // A service link of Kubernetes ("tcp://10.0.0.1:8254") was not meant for us.
  const isNamed = named !== "" && !named.startsWith("tcp://");
  const found = isNamed ? readPort(named, "KREDO_PORT") : readPort(String(port), "port of the config file");
  return checkUrl(`http://${reachable(env["KREDO_HOST"] || host)}:${found}`, "host of the sandbox");
}

function readPort(text: string, place: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  const repair =
    text === "0" ? "name the sandbox with --url, because 0 takes any free port" : "write a port, or name the sandbox with --url";
  throw new Halt(2, formatMistake(place, { problem: `${quote(text)} does not say where the sandbox is`, repair }));
}

/** An address that means all of them is not one to call. */
export function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Only what a request can be sent to; what stands behind the path would end up in the middle of another. */
export function checkUrl(text: string, place: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  throw new Halt(2, formatMistake(place, { problem: `${quote(text)} is not a URL`, repair: `write one like http://127.0.0.1:${PORT}` }));
}
