import type { Path } from "../../document/problem.ts";
import type { Flag } from "../command.ts";

/** A setting that `serve` accepts as a flag or a variable, and its path in the config file. */
interface WrittenSetting {
  readonly flag?: Pick<Flag, "name" | "value" | "about">;
  /** The first one set wins. Defaults to the flag's name, as in KREDO_LOG_FORMAT. */
  readonly variables?: readonly string[];
  readonly paths: readonly Path[];
  /**
   * A flag of kind `on` or `off` takes no value; a variable of kind `on` takes true or false; a `list` is separated by commas. Defaults to
   * text.
   */
  readonly kind?: "text" | "number" | "on" | "off" | "boolean" | "list";
}

const AIRTIME_URL: Path = ["accounts", 0, "callbacks", "airtime"];
const SMS_URL: Path = ["accounts", 0, "callbacks", "sms"];

/** An earlier entry overrides a later one for the same key. Account settings apply to the first account. */
const WRITTEN: readonly WrittenSetting[] = [
  {
    flag: { name: "port", value: "N", about: "the port to listen on (default: 8254; 0 for any free port)" },
    variables: ["KREDO_PORT", "PORT"],
    paths: [["port"]],
    kind: "number",
  },
  {
    flag: { name: "host", value: "ADDRESS", about: "the address to listen on (default: 127.0.0.1)" },
    paths: [["host"]],
  },
  {
    flag: { name: "seed", value: "N", about: "fix every id, delay and outcome" },
    paths: [["seed"], ["accounts", 0, "seed"]],
    kind: "number",
  },
  {
    flag: { name: "clock", value: "real|manual|xN", about: "how the accounts' clocks run" },
    paths: [["clock"], ["accounts", 0, "clock"]],
  },
  {
    flag: {
      name: "profile",
      value: "document|statum",
      about: "follow the specification, or what is public about the live gateway",
    },
    paths: [["profile"]],
  },
  {
    flag: { name: "latency", value: "MS", about: "every carrier answers after exactly this many milliseconds" },
    paths: [["latency_ms"]],
    kind: "number",
  },
  {
    flag: { name: "no-hints", about: "omit the x-kredo-* headers that explain answers" },
    variables: [],
    paths: [["hints"]],
    kind: "off",
  },
  { variables: ["KREDO_HINTS"], paths: [["hints"]], kind: "boolean" },
  { flag: { name: "log-format", value: "pretty|json", about: "the format of the log" }, paths: [["log", "format"]] },
  {
    flag: { name: "https", about: "also listen for HTTPS, on its own port, with a local certificate authority" },
    paths: [["https", "enabled"]],
    kind: "on",
  },
  {
    flag: {
      name: "https-port",
      value: "N",
      about: "the port for HTTPS (default: 8255); turns HTTPS on, like the next three",
    },
    paths: [["https", "port"]],
    kind: "number",
  },
  {
    flag: { name: "https-names", value: "NAME,NAME", about: "additional names and addresses for the certificate" },
    paths: [["https", "names"]],
    kind: "list",
  },
  {
    flag: {
      name: "ca-folder",
      value: "DIR",
      about: "where the certificate authority is stored (default: the user's data folder)",
    },
    paths: [["https", "ca_folder"]],
  },
  {
    flag: { name: "ca-out", value: "FILE", about: "write the authority's certificate to this file" },
    paths: [["https", "ca_out"]],
  },
  {
    flag: {
      name: "replica-url",
      value: "URL",
      about: "where the other replicas reach this one (default: where it listens)",
    },
    paths: [["replicas", "url"]],
  },
  { variables: ["KREDO_REPLICA_LEASE"], paths: [["replicas", "lease"]] },
  { variables: ["KREDO_REPLICA_WAIT"], paths: [["replicas", "wait"]] },
  {
    flag: { name: "admin-token", value: "TOKEN", about: "require this token for the control API" },
    paths: [["admin", "token"]],
  },
  {
    flag: { name: "consumer-key", value: "KEY", about: "the first account's key (default: sandbox-key)" },
    paths: [["accounts", 0, "consumer_key"]],
  },
  {
    flag: { name: "consumer-secret", value: "SECRET", about: "the first account's secret (default: sandbox-secret)" },
    paths: [["accounts", 0, "consumer_secret"]],
  },
  {
    flag: { name: "balance", value: "KES", about: "the first account's balance (default: 10000.00)" },
    paths: [["accounts", 0, "balance"]],
  },
  { variables: ["KREDO_CALLBACK_URL_AIRTIME"], paths: [AIRTIME_URL] },
  { variables: ["KREDO_CALLBACK_URL_SMS"], paths: [SMS_URL] },
  {
    flag: { name: "callback-url", value: "URL", about: "where the first account's callbacks are sent" },
    paths: [AIRTIME_URL, SMS_URL],
  },
];

export type ServeSetting = WrittenSetting & Required<Pick<WrittenSetting, "variables" | "kind">>;

export const SERVE_SETTINGS: readonly ServeSetting[] = WRITTEN.map((setting) => ({
  variables: setting.flag === undefined ? [] : [variableOf(setting.flag.name)],
  kind: "text",
  ...setting,
}));

/** Returns the variable with the same meaning as a flag. */
export function variableOf(flag: string): string {
  return `KREDO_${flag.toUpperCase().replaceAll("-", "_")}`;
}

export const CONFIG_VARIABLE = "KREDO_CONFIG";
export const INLINE_VARIABLE = "KREDO_CONFIG_INLINE";

/** Config files that are found automatically; the first one wins. */
export const USUAL_NAMES = ["kredo.config.yaml", "kredo.config.yml", "kredo.config.json"];

/** The flags of `serve`. */
export const SERVE_FLAGS: readonly Flag[] = [
  {
    name: "config",
    value: "FILE",
    about: "the config file (default: kredo.config.yaml, .yml or .json, if there is one)",
    variables: [CONFIG_VARIABLE],
  },
  {
    name: "scenario",
    value: "NAME|FILE",
    about: "a shipped scenario (see kredo list) or a file; repeatable, or separated by commas in the variable",
    variables: [variableOf("scenario")],
    isRepeatable: true,
  },
  { name: "watch", about: "reload scenario files when they change; wallets and journals stay" },
  {
    name: "data",
    value: "FILE|URL",
    about:
      "keep all accounts in this file (Node 22.13 or newer), or in PostgreSQL: postgres://user:password@host/database, which replicas share",
    variables: [variableOf("data")],
  },
  {
    name: "import",
    value: "FILE",
    about: "start with the accounts of a snapshot or of an account's export",
    variables: [variableOf("import")],
  },
  {
    name: "export-on-exit",
    value: "FILE",
    about: "write a snapshot of all accounts on exit",
    variables: [variableOf("export-on-exit")],
  },
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
