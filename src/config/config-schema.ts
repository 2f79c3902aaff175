import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { complain, durationValue, textThat, textWithout } from "../document/values.ts";
import { DETECTOR_IDS } from "../domain/detector-ids.ts";
import type { RateLimit } from "../domain/settings.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { accountsValue } from "./account-schema.ts";
import { findHostFaults, findTokenFaults, isFilled, isHost, isKeyPattern, isListenHost } from "./checks.ts";
import { clockValue } from "./clock-schema.ts";
import { gatewayShape } from "./gateway-schema.ts";

const listenHost = textThat(isListenHost, {
  what: "a host to listen on",
  repair: "write an address or a name, like 127.0.0.1 or 0.0.0.0",
});

const host = textWithout(findHostFaults);

const keyPattern = textThat(isKeyPattern, {
  what: "a pattern of consumer keys",
  repair: 'write one without a colon, like "test-*"',
});

const scenarioReference = textThat(isFilled, {
  what: "a scenario",
  repair: "write the name of a shipped one, or the path of a file, like ./mine.yaml",
});

const admin = z.lazy(() =>
  z.strictObject({
    token: optionalKey("A bearer token that the control API then asks for. Default none.", () => textWithout(findTokenFaults)),
    hosts: optionalKey("More names that the control API and the dashboard may be called by.", () => z.array(host)),
  }),
);

const journal = z.lazy(() =>
  z.strictObject({
    max_transactions: optionalKey("Resolved transactions that an account keeps. Default 10000.", () => z.int().min(1)),
    max_bytes: optionalKey("Bytes of events that an account keeps. Default 16777216.", () => z.int().min(1)),
    max_unresolved: optionalKey("Unresolved transactions that an account takes; past that, requests get 500. Default 2000000.", () =>
      z.int().min(1),
    ),
  }),
);

const log = z.lazy(() =>
  z.strictObject({
    format: optionalKey("Default pretty.", () => z.enum(["pretty", "json"])),
    mask_phone_numbers: optionalKey("Hides digits of phone numbers in the log. Default true.", () => z.boolean()),
  }),
);

const burst = z.lazy(() =>
  z
    .strictObject({
      requests: z.int().min(1).describe("Requests that are not a burst yet."),
      per: optionalKey('The period, in the client\'s own time. Default "1s".', () => durationValue.superRefine(checkPeriod)),
    })
    .transform(({ requests, per = SECOND }): RateLimit => ({ requests, per })),
);

const findings = z.lazy(() =>
  z.strictObject({
    burst: optionalKey(
      "More requests than that in a period are a finding. Default none: the gateway's document states no limit.",
      () => burst,
    ),
    off: optionalKey("Detectors that do not watch, by their ids. Default none.", () => z.array(z.enum(DETECTOR_IDS))),
  }),
);

const certifiedName = textThat(isHost, {
  what: "a name for a certificate",
  repair: "write a host's name, perhaps with *. before it, or an IP address",
});

const path = textThat(isFilled, { what: "a path", repair: "write one, like ./certificates" });

const https = z.lazy(() =>
  z.strictObject({
    enabled: optionalKey("Whether it is on. Default true wherever anything is said here, false else.", () => z.boolean()),
    port: optionalKey("The port to listen on; 0 takes a free one and prints it. Default 8255, or 0 where the HTTP port is 0.", () =>
      z.int().min(0).max(65_535),
    ),
    names: optionalKey(
      "More names and addresses that the certificate is for, besides localhost, this machine's name, host.docker.internal and kredo.",
      () => z.array(certifiedName),
    ),
    ca_folder: optionalKey(
      "Where the certificate authority is kept, made on first use; counted from the working directory. Default kredo in the user's folder for data; /data in the image.",
      () => path,
    ),
    ca_out: optionalKey("A file that its certificate is written to, besides. Default none.", () => path),
  }),
);

/** The config file; every key is optional. */
export const configSchema = z.strictObject({
  $schema: optionalKey("For editors; Kredo does not read it.", () => z.string()),
  port: optionalKey("The port to listen on; 0 takes a free one and prints it. Default 8254.", () => z.int().min(0).max(65_535)),
  host: optionalKey("The address to listen on. Default 127.0.0.1.", () => listenHost),
  seed: optionalKey("Fixes every id, delay and outcome. Drawn at each start and each reset if not given.", () => z.int().min(0)),
  clock: optionalKey(
    'The clock of every account that has none of its own: "real", "manual", "x10", or a mapping. Default real.',
    () => clockValue,
  ),
  ...gatewayShape,
  scenarios: optionalKey(
    "What goes wrong: names of shipped scenarios, and files, their paths counted from this one's folder. The earlier one is asked first; magic-numbers is always there and comes last, unless the list is empty. Default [magic-numbers].",
    () => z.array(scenarioReference),
  ),
  callback_allow: optionalKey(
    "Public hosts that callback URLs set without an admin token may name; *.example.co.ke allows those below it. Default none.",
    () => z.array(host),
  ),
  auto_accounts: optionalKey(
    'Patterns such as "test-*": a new consumer key that matches gets an account of its own, with any secret. Default none.',
    () => z.array(keyPattern),
  ),
  admin: optionalKey("The control API.", () => admin),
  https: optionalKey("HTTPS on a port of its own, with a local certificate authority; HTTP stays. Default off.", () => https),
  journal: optionalKey("How much an account remembers.", () => journal),
  findings: optionalKey("What the sandbox notices in a client's and a receiver's behaviour.", () => findings),
  log: optionalKey("What is printed.", () => log),
  accounts: optionalKey("The customers of the gateway; the first is the default account.", () => accountsValue),
});

export type Config = z.output<typeof configSchema>;

function checkPeriod(per: Millis, context: z.RefinementCtx): void {
  if (per === 0) complain(context, { problem: "a period of 0 has no requests in it", repair: "write how long it is, like 1s" });
}
