import {
  CONFIG_FLAG,
  CONFIG_VARIABLE,
  DATA_FLAG,
  DATA_VARIABLE,
  EXPORT_FLAG,
  EXPORT_VARIABLE,
  IMPORT_FLAG,
  IMPORT_VARIABLE,
  INLINE_VARIABLE,
  SCENARIO_FLAG,
  SCENARIO_VARIABLE,
  SERVE_SETTINGS,
  WATCH_FLAG,
} from "./serve-flags.ts";
import type { Flag, Manual } from "./verb.ts";

type About = Readonly<Record<string, Omit<Flag, "name" | "variables">>>;

const ABOUT: About = {
  port: { value: "N", about: "the port to listen on, 8254 if not said; 0 takes a free one and prints it" },
  host: { value: "ADDRESS", about: "the address to listen on, 127.0.0.1 if not said" },
  seed: { value: "N", about: "fixes every id, delay and outcome" },
  clock: { value: "real|manual|xN", about: "how the accounts' clocks run" },
  profile: { value: "document|statum", about: "follows the document, or what is public of the live gateway" },
  latency: { value: "MS", about: "every carrier answers after exactly this many milliseconds" },
  "no-hints": { about: "leaves out the x-kredo-* headers that explain answers" },
  "log-format": { value: "pretty|json", about: "how the log is printed" },
  https: { about: "takes HTTPS too, on a port of its own, with a local certificate authority" },
  "https-port": { value: "N", about: "the port for HTTPS, 8255 if not said; turns HTTPS on, as the next three do" },
  "https-names": { value: "NAME,NAME", about: "more names and addresses that the certificate is for" },
  "ca-folder": { value: "DIR", about: "where the certificate authority is kept; the user's folder for data if not said" },
  "ca-out": { value: "FILE", about: "a file that its certificate is written to" },
  "admin-token": { value: "TOKEN", about: "a token that the control API then asks for" },
  "consumer-key": { value: "KEY", about: "the first account's key, sandbox-key if not said" },
  "consumer-secret": { value: "SECRET", about: "the first account's secret, sandbox-secret if not said" },
  balance: { value: "KES", about: "what the first account's wallet holds, 10000.00 if not said" },
  "callback-url": { value: "URL", about: "where the first account's callbacks go" },
};

/** Flags beat variables, and variables beat the config file. */
export const serveManual: Manual = {
  usage: ["[serve] [flags]"],
  about: [
    "Runs the sandbox until it is stopped. Each flag may be given by a variable instead; flag beats variable beats config file.",
    `The variables KREDO_CALLBACK_URL_AIRTIME, KREDO_CALLBACK_URL_SMS, KREDO_HINTS and ${INLINE_VARIABLE} (the config's text) have no flag.`,
  ].join("\n"),
  flags: [
    {
      name: CONFIG_FLAG,
      value: "FILE",
      about: "the config file; kredo.config.yaml, .yml or .json is found by itself",
      variables: [CONFIG_VARIABLE],
    },
    {
      name: SCENARIO_FLAG,
      value: "NAME|FILE",
      about: "a shipped scenario (kredo list) or a file; may be given again, or with commas in the variable",
      variables: [SCENARIO_VARIABLE],
    },
    { name: WATCH_FLAG, about: "reads scenario files again whenever they change; wallets and journals go on" },
    {
      name: DATA_FLAG,
      value: "FILE",
      about: "keeps all accounts in this file over restarts (Node 22.13 or newer)",
      variables: [DATA_VARIABLE],
    },
    {
      name: IMPORT_FLAG,
      value: "FILE",
      about: "begins with the accounts of a snapshot, or of an account's export",
      variables: [IMPORT_VARIABLE],
    },
    { name: EXPORT_FLAG, value: "FILE", about: "writes a snapshot of all accounts when it is stopped", variables: [EXPORT_VARIABLE] },
    ...SERVE_SETTINGS.flatMap(({ flag, variables }) => (flag === undefined ? [] : [{ name: flag, about: "", ...ABOUT[flag], variables }])),
  ],
};
