import type { SandboxSettings } from "../../config.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { CONSUMER_KEY, CONSUMER_SECRET, HOST, PORT } from "../../gateway/settings/defaults.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import type { Flag, ParsedArgs } from "../terminal/command.ts";
import {
  CONFIG_VARIABLE,
  INLINE_VARIABLE,
  USUAL_NAMES,
  variableOf,
  withoutServiceLinks,
} from "../config/serve-flags.ts";
import { printWarnings, type Terminal, type Variables } from "../terminal/terminal.ts";

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

const URL_FLAG = targetFlag(
  "url",
  "URL",
  `the sandbox (default: where serve would listen: the port of KREDO_PORT, the config file, or ${PORT})`,
);
const ACCOUNT_FLAG: Flag = {
  ...targetFlag(
    "account",
    "KEY",
    "the account's consumer key (default: the first account of the config file, or the default account)",
  ),
  variables: ["KREDO_CONSUMER_KEY"],
};
const SECRET_FLAG = targetFlag(
  "consumer-secret",
  "SECRET",
  `its secret (default: the config file's or ${CONSUMER_SECRET})`,
);
const TOKEN_FLAG = targetFlag(
  "admin-token",
  "TOKEN",
  "the control API's token, if it requires one (default: the config file's)",
);
export const CONFIG_FLAG = targetFlag(
  "config",
  "FILE",
  "the config file of the sandbox (default: found as serve finds it)",
);

function targetFlag(name: string, value: string, about: string): Flag {
  return { group: "Which sandbox and account:", name, value, about, variables: [variableOf(name)] };
}

export const JSON_FLAG: Flag = { name: "json", about: "print JSON" };

/** The flags of commands that only look for a sandbox. */
export const SANDBOX_FLAGS: readonly Flag[] = [JSON_FLAG, URL_FLAG, CONFIG_FLAG];

/** The flags of commands that call the gateway. */
export const GATEWAY_FLAGS: readonly Flag[] = [JSON_FLAG, URL_FLAG, ACCOUNT_FLAG, SECRET_FLAG, CONFIG_FLAG];

/** The flags of commands that call the control API. */
export const CONTROL_FLAGS: readonly Flag[] = [JSON_FLAG, URL_FLAG, ACCOUNT_FLAG, TOKEN_FLAG, CONFIG_FLAG];

/** The flags of commands that call both. */
export const ALL_TARGET_FLAGS: readonly Flag[] = [...new Set([...GATEWAY_FLAGS, ...CONTROL_FLAGS])];

/** Determines the target. As in serve, a flag overrides a variable, and a variable the config file. */
export async function readTarget(args: ParsedArgs, terminal: Terminal): Promise<Target> {
  const { env } = terminal;
  const named = readChoice(URL_FLAG, args, env);
  const account = readChoice(ACCOUNT_FLAG, args, env);
  const config = await readServedConfig(args, terminal);
  const served = servedAccount(config, account);
  return {
    url: named === undefined ? servedUrl(config, env) : checkUrl(named, args.flags.has("url") ? "--url" : "KREDO_URL"),
    consumerKey: account ?? served.consumer_key,
    consumerSecret: readChoice(SECRET_FLAG, args, env) ?? served.consumer_secret,
    adminToken: readChoice(TOKEN_FLAG, args, env) ?? config?.admin.token,
    account: account ?? "default",
  };
}

/** Returns what a flag or its variable says. An empty variable counts as unset. */
function readChoice({ name, variables = [] }: Flag, { flags }: ParsedArgs, env: Variables): string | undefined {
  return flags.get(name) ?? variables.map((variable) => env[variable]).find(Boolean);
}

/** Returns the account with the key, otherwise the first one. */
function servedAccount(
  config: SandboxSettings | undefined,
  key: string | undefined,
): Pick<SandboxSettings["accounts"][0], "consumer_key" | "consumer_secret"> {
  if (config === undefined) return { consumer_key: CONSUMER_KEY, consumer_secret: CONSUMER_SECRET };
  return config.accounts.find(({ consumer_key: one }) => one === key) ?? config.accounts[0];
}

/** Reads the config that serve would use here, if there is one. Throws its mistakes. */
export async function readServedConfig(
  { flags }: ParsedArgs,
  terminal: Terminal,
): Promise<SandboxSettings | undefined> {
  const { env, files } = terminal;
  const named = flags.get("config") ?? (env[CONFIG_VARIABLE] || env[INLINE_VARIABLE]);
  // The code that parses a file takes longer to load than everything else here.
  if (named === undefined && USUAL_NAMES.every((name) => "missing" in files.read(name))) return undefined;
  const { readConfigFile } = await import("../config/config-file.ts");
  const { settings, problems, warnings } = await readConfigFile(flags.get("config"), env, files);
  printWarnings(terminal, warnings);
  if (problems.length > 0) throw new CliError(2, problems.join("\n"));
  return settings;
}

/** Returns the URL where serve would listen. */
function servedUrl(config: SandboxSettings | undefined, env: Variables): string {
  // PORT alone, which serve reads for hosts that set it, is more often the application's.
  const { KREDO_PORT: named } = withoutServiceLinks(env);
  const port = named ? readPort(named, "KREDO_PORT") : readPort(`${config?.port ?? PORT}`, "port of the config file");
  return checkUrl(`http://${reachable(env["KREDO_HOST"] || (config?.host ?? HOST))}:${port}`, "host of the sandbox");
}

function readPort(text: string, place: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  const problem = `${quoteText(text)} ${text === "0" ? "means any free port" : "is not a port"}`;
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
    problem: `${quoteText(text)} is not a URL`,
    repair: `write a URL like http://127.0.0.1:${PORT}`,
  });
}
