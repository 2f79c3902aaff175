import type { Path } from "../../gateway/document/problem.ts";
import type { Flag } from "../terminal/command.ts";
import type { Variables } from "../terminal/terminal.ts";

/** A setting that `serve` accepts as a flag or a variable, and its path in the config file. */
export interface ServeSetting {
  readonly flag?: Pick<Flag, "name" | "value" | "about">;
  /** The first one set wins. */
  readonly variables: readonly string[];
  readonly paths: readonly Path[];
  /** A flag of kind `on` takes no value, and a variable true or false; a `list` is separated by commas; `millis` is a duration. */
  readonly kind: "text" | "number" | "millis" | "on" | "list";
}

const FIRST: Path = ["accounts", 0];
const AIRTIME_URL: Path = [...FIRST, "callbacks", "airtime"];
const SMS_URL: Path = [...FIRST, "callbacks", "sms"];

/** An earlier entry overrides a later one for the same key. Account settings apply to the first account. */
export const SERVE_SETTINGS: readonly ServeSetting[] = [
  {
    ...byFlag(
      "port",
      "N",
      "the port to listen on (default: 8254; 0 for any free port); PORT is for hosts that set it",
      "number",
      ["port"],
    ),
    variables: ["KREDO_PORT", "PORT"],
  },
  byFlag("host", "ADDRESS", "the address to listen on (default: 127.0.0.1)", "text", ["host"]),
  byFlag("seed", "N", "fix every id, delay and outcome", "number", ["seed"], [...FIRST, "seed"]),
  byFlag("clock", "real|manual|xN", "how the accounts' clocks run", "text", ["clock"], [...FIRST, "clock"]),
  byFlag("profile", "document|sdk|observed", "the profile of the gateway", "text", ["profile"]),
  byFlag("latency", "TIME", "every carrier answers after exactly this time, like 5s", "millis", ["latency_ms"]),
  byVariable("KREDO_HINTS", "on", ["hints"]),
  byFlag("log-format", "pretty|json", "the format of the log", "text", ["log", "format"]),
  byFlag("log-level", "info|warn|error", "log nothing below this level (default: info)", "text", ["log", "level"]),
  byFlag("https", undefined, "also listen for HTTPS, on its own port, with a local certificate authority", "on", [
    "https",
    "enabled",
  ]),
  byFlag("https-port", "N", "the port for HTTPS (default: 8255); turns HTTPS on, like the next three", "number", [
    "https",
    "port",
  ]),
  byFlag("https-names", "NAME,NAME", "additional names and addresses for the certificate", "list", ["https", "names"]),
  byFlag("ca-folder", "DIR", "where the certificate authority is stored (default: the user's data folder)", "text", [
    "https",
    "ca_folder",
  ]),
  byFlag("ca-out", "FILE", "write the authority's certificate to this file", "text", ["https", "ca_out"]),
  byFlag("replica-url", "URL", "where the other replicas reach this one (default: where it listens)", "text", [
    "replicas",
    "url",
  ]),
  byVariable("KREDO_REPLICA_LEASE", "text", ["replicas", "lease"]),
  byVariable("KREDO_REPLICA_WAIT", "text", ["replicas", "wait"]),
  byFlag("admin-token", "TOKEN", "require this token for the control API", "text", ["admin", "token"]),
  byFlag("consumer-key", "KEY", "the first account's key (default: sandbox-key)", "text", [...FIRST, "consumer_key"]),
  byFlag("consumer-secret", "SECRET", "the first account's secret (default: sandbox-secret)", "text", [
    ...FIRST,
    "consumer_secret",
  ]),
  byFlag("balance", "KES", "the first account's balance (default: 10000.00)", "text", [...FIRST, "balance"]),
  byVariable("KREDO_CALLBACK_URL_AIRTIME", "text", AIRTIME_URL),
  byVariable("KREDO_CALLBACK_URL_SMS", "text", SMS_URL),
  byFlag("callback-url", "URL", "where the first account's callbacks are sent", "text", AIRTIME_URL, SMS_URL),
];

function byFlag(
  name: string,
  value: string | undefined,
  about: string,
  kind: ServeSetting["kind"],
  ...paths: readonly Path[]
): ServeSetting {
  return { flag: { name, value, about }, variables: [variableOf(name)], kind, paths };
}

function byVariable(name: string, kind: ServeSetting["kind"], path: Path): ServeSetting {
  return { variables: [name], kind, paths: [path] };
}

/** Returns the variable with the same meaning as a flag. */
export function variableOf(flag: string): string {
  return `KREDO_${flag.toUpperCase().replaceAll("-", "_")}`;
}

export const CONFIG_VARIABLE = "KREDO_CONFIG";
export const INLINE_VARIABLE = "KREDO_CONFIG_INLINE";

/** Config files that are found automatically; the first one wins. */
export const USUAL_NAMES = ["kredo.config.yaml", "kredo.config.yml", "kredo.config.json"];

/** Flags that are no setting of the config file. */
const OTHER_FLAGS: readonly Flag[] = [
  {
    name: "config",
    value: "FILE",
    about: "the config file (default: kredo.config.yaml, .yml or .json, if there is one)",
  },
  {
    name: "scenario",
    value: "NAME|FILE",
    about: "a shipped scenario (see kredo list) or a file; repeatable, or separated by commas in the variable",
    isRepeatable: true,
  },
  { name: "watch", about: "reload scenario files when they change; wallets and journals stay" },
  {
    name: "data",
    value: "FILE|URL",
    about:
      "keep all accounts in this file (Node 22.13 or newer), or in PostgreSQL: postgres://user:password@host/database, which replicas share",
  },
  { name: "import", value: "FILE", about: "start with the accounts of a snapshot or of an account's export" },
  { name: "export-on-exit", value: "FILE", about: "write a snapshot of all accounts on exit" },
];

/** The flags of `serve`. */
export const SERVE_FLAGS: readonly Flag[] = [
  ...OTHER_FLAGS.map((flag) => (flag.value === undefined ? flag : { ...flag, variables: [variableOf(flag.name)] })),
  ...SERVE_SETTINGS.flatMap(({ flag, variables }) => (flag === undefined ? [] : [{ ...flag, variables }])),
];

/** Variables that other commands read, or that Kredo sets for the commands it runs. `serve` does not warn about them. */
const OTHER_VARIABLES = [
  "KREDO_URL",
  "KREDO_BASE_URL",
  "KREDO_HTTPS_URL",
  "KREDO_CA_FILE",
  "KREDO_APP",
  "KREDO_REDIRECT_HOSTS",
  "KREDO_DEBUG",
  "KREDO_IMAGE",
];

export const SERVE_VARIABLES: readonly string[] = [
  ...SERVE_SETTINGS.flatMap(({ variables }) => variables),
  ...SERVE_FLAGS.flatMap(({ variables = [] }) => variables),
  INLINE_VARIABLE,
  ...OTHER_VARIABLES,
];

/**
 * Removes the variables with which Kubernetes and container links describe a service named kredo, such as `KREDO_PORT=tcp://10.0.0.1:8254`
 * and `KREDO_SERVICE_HOST` (kubernetes.io/docs, "Accessing the Service"). They are not meant for us.
 */
export function withoutServiceLinks(env: Variables): Variables {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, text]) => !/^KREDO_(SERVICE|PORT)_/.test(name) && !(name === "KREDO_PORT" && text?.startsWith("tcp://")),
    ),
  );
}
