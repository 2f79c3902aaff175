import type { Path } from "../document/problem.ts";

/** One thing that `serve` can be told besides its config file, and where it stands in there. */
export interface ServeSetting {
  readonly flag?: string;
  /** The first one that is set counts. */
  readonly variables: readonly string[];
  readonly paths: readonly Path[];
  /** A flag of kind `on` or `off` takes no value, a variable of kind `on` takes true or false; a `list` has commas in it. */
  readonly kind: "text" | "number" | "on" | "off" | "boolean" | "list";
}

const AIRTIME_URL: Path = ["accounts", 0, "callbacks", "airtime"];
const SMS_URL: Path = ["accounts", 0, "callbacks", "sms"];

/** Earlier entries come before later ones that concern the same key. What concerns an account goes to the first. */
export const SERVE_SETTINGS: readonly ServeSetting[] = [
  { flag: "port", variables: ["KREDO_PORT", "PORT"], paths: [["port"]], kind: "number" },
  { flag: "host", variables: ["KREDO_HOST"], paths: [["host"]], kind: "text" },
  { flag: "seed", variables: ["KREDO_SEED"], paths: [["seed"]], kind: "number" },
  { flag: "clock", variables: ["KREDO_CLOCK"], paths: [["clock"]], kind: "text" },
  { flag: "profile", variables: ["KREDO_PROFILE"], paths: [["profile"]], kind: "text" },
  { flag: "latency", variables: ["KREDO_LATENCY"], paths: [["latency_ms"]], kind: "number" },
  { flag: "no-hints", variables: [], paths: [["hints"]], kind: "off" },
  { variables: ["KREDO_HINTS"], paths: [["hints"]], kind: "boolean" },
  { flag: "log-format", variables: ["KREDO_LOG_FORMAT"], paths: [["log", "format"]], kind: "text" },
  { flag: "https", variables: ["KREDO_HTTPS"], paths: [["https", "enabled"]], kind: "on" },
  { flag: "https-port", variables: ["KREDO_HTTPS_PORT"], paths: [["https", "port"]], kind: "number" },
  { flag: "https-names", variables: ["KREDO_HTTPS_NAMES"], paths: [["https", "names"]], kind: "list" },
  { flag: "ca-folder", variables: ["KREDO_CA_FOLDER"], paths: [["https", "ca_folder"]], kind: "text" },
  { flag: "ca-out", variables: ["KREDO_CA_OUT"], paths: [["https", "ca_out"]], kind: "text" },
  { flag: "admin-token", variables: ["KREDO_ADMIN_TOKEN"], paths: [["admin", "token"]], kind: "text" },
  { flag: "consumer-key", variables: ["KREDO_CONSUMER_KEY"], paths: [["accounts", 0, "consumer_key"]], kind: "text" },
  { flag: "consumer-secret", variables: ["KREDO_CONSUMER_SECRET"], paths: [["accounts", 0, "consumer_secret"]], kind: "text" },
  { flag: "balance", variables: ["KREDO_BALANCE"], paths: [["accounts", 0, "balance"]], kind: "text" },
  { variables: ["KREDO_CALLBACK_URL_AIRTIME"], paths: [AIRTIME_URL], kind: "text" },
  { variables: ["KREDO_CALLBACK_URL_SMS"], paths: [SMS_URL], kind: "text" },
  { flag: "callback-url", variables: ["KREDO_CALLBACK_URL"], paths: [AIRTIME_URL, SMS_URL], kind: "text" },
];

export const CONFIG_FLAG = "config";
export const CONFIG_VARIABLE = "KREDO_CONFIG";
export const INLINE_VARIABLE = "KREDO_CONFIG_INLINE";

/** Names of config files that are found by themselves, the first one first. */
export const USUAL_NAMES = ["kredo.config.yaml", "kredo.config.yml", "kredo.config.json"];

/** Reads scenario files again whenever they change. */
export const WATCH_FLAG = "watch";

/** Where accounts are kept over restarts. */
export const DATA_FLAG = "data";
export const DATA_VARIABLE = "KREDO_DATA";
/** Accounts as an earlier sandbox left them, and where to leave them. */
export const IMPORT_FLAG = "import";
export const IMPORT_VARIABLE = "KREDO_IMPORT";
export const EXPORT_FLAG = "export-on-exit";
export const EXPORT_VARIABLE = "KREDO_EXPORT_ON_EXIT";

/** May be given more than once. */
export const SCENARIO_FLAG = "scenario";
/** Commas between several. */
export const SCENARIO_VARIABLE = "KREDO_SCENARIO";

/** Read by the other verbs or set for commands, so that an environment may hold them while `serve` runs. */
const OTHER_VARIABLES = ["KREDO_URL", "KREDO_BASE_URL", "KREDO_HTTPS_URL", "KREDO_CA_FILE", "KREDO_APP", "KREDO_DEBUG", "KREDO_IMAGE"];

export const SERVE_VARIABLES: readonly string[] = [
  ...SERVE_SETTINGS.flatMap(({ variables }) => variables),
  CONFIG_VARIABLE,
  INLINE_VARIABLE,
  SCENARIO_VARIABLE,
  DATA_VARIABLE,
  IMPORT_VARIABLE,
  EXPORT_VARIABLE,
  ...OTHER_VARIABLES,
];
