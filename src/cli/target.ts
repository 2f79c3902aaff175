import type { AccountTemplate } from "../settings/account.ts";
import type { SandboxSettings } from "../config/config-schema.ts";
import { CONSUMER_KEY, CONSUMER_SECRET, HOST, PORT } from "../settings/defaults.ts";
import { quote } from "../document/describe-value.ts";
import { withoutServiceLinks } from "./serve/choices.ts";
import { invalidInput } from "./cli-error.ts";
import { readServedConfig, SERVED_CONFIG_FLAG } from "./serve/served-config.ts";
import type { Terminal, Variables } from "./terminal.ts";
import type { Flag, ParsedArgs } from "./command.ts";

/** The sandbox and account that a command uses. */
export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly adminToken: string | undefined;
  /** The account, as the control API names it. */
  readonly account: string;
}

const group = "Which sandbox and account:";

const URL_FLAG: Flag = {
  group,
  name: "url",
  value: "URL",
  about: `the sandbox (default: where serve would listen: the port of KREDO_PORT, PORT, the config file, or ${PORT})`,
  variables: ["KREDO_URL"],
};
const KEY_FLAG: Flag = {
  group,
  name: "consumer-key",
  value: "KEY",
  about: `the account's key (default: the config file's or ${CONSUMER_KEY})`,
  variables: ["KREDO_CONSUMER_KEY"],
};
const SECRET_FLAG: Flag = {
  group,
  name: "consumer-secret",
  value: "SECRET",
  about: `its secret (default: the config file's or ${CONSUMER_SECRET})`,
  variables: ["KREDO_CONSUMER_SECRET"],
};
const ACCOUNT_FLAG: Flag = {
  group,
  name: "account",
  value: "KEY",
  about: "the account to control (default: the consumer key if one is given, otherwise the default account)",
};
const TOKEN_FLAG: Flag = {
  group,
  name: "admin-token",
  value: "TOKEN",
  about: "the control API's token, if it requires one (default: the config file's)",
  variables: ["KREDO_ADMIN_TOKEN"],
};
const CONFIG_FLAG: Flag = { ...SERVED_CONFIG_FLAG, group };
export const JSON_FLAG: Flag = { name: "json", about: "print the answer's JSON exactly as received" };

/** The flags of commands that only look for a sandbox. */
export const SANDBOX_FLAGS: readonly Flag[] = [URL_FLAG, CONFIG_FLAG];

/** The flags of commands that call the gateway. */
export const GATEWAY_FLAGS: readonly Flag[] = [JSON_FLAG, URL_FLAG, KEY_FLAG, SECRET_FLAG, CONFIG_FLAG];

/** The flags of commands that call the control API. */
export const CONTROL_FLAGS: readonly Flag[] = [JSON_FLAG, URL_FLAG, ACCOUNT_FLAG, KEY_FLAG, TOKEN_FLAG, CONFIG_FLAG];

/** Returns these flags with another description of --json. */
export function controlFlagsWhere(jsonAbout: string): readonly Flag[] {
  return CONTROL_FLAGS.map((flag) => (flag === JSON_FLAG ? { ...flag, about: jsonAbout } : flag));
}

/** The flags of commands that call both. */
export const ALL_TARGET_FLAGS: readonly Flag[] = [...new Set([...GATEWAY_FLAGS, ...CONTROL_FLAGS])];

/** Determines the target. As in serve, a flag overrides a variable, and a variable the config file. An empty variable counts as unset. */
export async function readTarget(args: ParsedArgs, terminal: Terminal): Promise<Target> {
  const { env } = terminal;
  const url = namedUrl(args, env);
  const consumerKey = choiceOf(args, env, KEY_FLAG);
  const config = await readServedConfig(args, terminal);
  const served = servedAccount(config, consumerKey);
  return {
    url: url ?? servedUrl(config, env),
    consumerKey: consumerKey ?? served.consumer_key,
    consumerSecret: choiceOf(args, env, SECRET_FLAG) ?? served.consumer_secret,
    adminToken: choiceOf(args, env, TOKEN_FLAG) ?? config?.admin.token,
    account: args.flags.get("account") ?? consumerKey ?? "default",
  };
}

function namedUrl({ flags }: ParsedArgs, env: Variables): string | undefined {
  const flag = flags.get("url");
  if (flag !== undefined) return checkUrl(flag, "--url");
  return env["KREDO_URL"] ? checkUrl(env["KREDO_URL"], "KREDO_URL") : undefined;
}

function choiceOf({ flags }: ParsedArgs, env: Variables, { name, variables = [] }: Flag): string | undefined {
  return flags.get(name) ?? variables.map((variable) => env[variable]).find(Boolean);
}

/** Returns the account with the key. Defaults to the first one, whose key serve may take from elsewhere. */
function servedAccount(
  config: SandboxSettings | undefined,
  consumerKey: string | undefined,
): Pick<AccountTemplate, "consumer_key" | "consumer_secret"> {
  if (config === undefined) return { consumer_key: CONSUMER_KEY, consumer_secret: CONSUMER_SECRET };
  return config.accounts.find(({ consumer_key: key }) => key === consumerKey) ?? config.accounts[0];
}

/** Returns the URL where serve would listen. */
function servedUrl(config: SandboxSettings | undefined, env: Variables): string {
  const { port, host } = config ?? { port: PORT, host: HOST };
  const own = withoutServiceLinks(env);
  const variable = ["KREDO_PORT", "PORT"].find((name) => own[name]);
  const found =
    variable === undefined
      ? readPort(String(port), "port of the config file")
      : readPort(own[variable] ?? "", variable);
  return checkUrl(`http://${reachable(env["KREDO_HOST"] || host)}:${found}`, "host of the sandbox");
}

function readPort(text: string, place: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  const problem = `${quote(text)} ${text === "0" ? "means any free port" : "is not a port"}`;
  throw invalidInput(place, { problem, repair: "write the sandbox's port, or pass its URL with --url" });
}

/** Replaces a wildcard address with a host that can be called. */
export function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Accepts only URLs that requests can be sent to. A query or fragment would end up in the middle of another URL. */
export function checkUrl(text: string, place: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  throw invalidInput(place, {
    problem: `${quote(text)} is not a URL`,
    repair: `write a URL like http://127.0.0.1:${PORT}`,
  });
}
