import * as z from "zod";
import { fileJsonSchema } from "./gateway/document/json-schema.ts";
import {
  addProblem,
  type ValueProblem,
  durationValue,
  isFilled,
  textMatching,
  checkedText,
} from "./gateway/document/values.ts";
import type { Immutable } from "./gateway/domain/immutable.ts";
import { TRAFFIC_CHECK_IDS } from "./verdict/checks/all-checks.ts";
import { HOST, PORT } from "./gateway/settings/defaults.ts";
import { hostValue, isHost, mockSettings, mockShape } from "./gateway/settings/mock.ts";

const listenHost = textMatching((text) => isHost(text) && !text.startsWith("*"), {
  what: "a host to listen on",
  repair: "write an address or a name, like 127.0.0.1 or 0.0.0.0",
});

const scenarioReference = textMatching(isFilled, {
  what: "a scenario",
  repair: "write the name of a shipped scenario, or the path of a file, like ./mine.yaml",
});

const admin = z.lazy(() =>
  z.strictObject({
    token: checkedText(findTokenFaults)
      .exactOptional()
      .describe("The bearer token that the control API requires. Default none."),
    hosts: z
      .array(hostValue)
      .default([])
      .describe("Additional host names that the control API and the dashboard accept."),
  }),
);

const replicaUrl = textMatching(isReplicaUrl, {
  what: "the URL of a replica",
  repair: 'write scheme, host and port alone, like "http://10.0.0.5:8254"',
});

const replicas = z.lazy(() =>
  z.strictObject({
    url: replicaUrl
      .exactOptional()
      .describe(
        "The URL at which the other replicas reach this one. Default: its listening address, or its host name if it listens on all addresses.",
      ),
    lease: durationValue
      .superRefine(checkLease)
      .prefault("5s")
      .describe('How long the other replicas wait before they take over from one that does not respond. Default "5s".'),
    wait: durationValue
      .prefault("5s")
      .describe('How long a request waits for an unavailable PostgreSQL before it gets 503. Default "5s".'),
  }),
);

/** From the least to the most important. */
export const LOG_LEVELS = ["info", "warn", "error"] as const;

const log = z.lazy(() =>
  z.strictObject({
    format: z.enum(["pretty", "json"]).default("pretty").describe("Default pretty."),
    level: z.enum(LOG_LEVELS).default("info").describe("Logs nothing below this level. Default info."),
    mask_phone_numbers: z.boolean().default(true).describe("Hides digits of phone numbers in the log. Default true."),
  }),
);

const burst = z.lazy(() =>
  z.strictObject({
    requests: z.int().min(1).describe("The number of requests per period that is not yet a burst."),
    per: durationValue
      .superRefine(checkPeriod)
      .prefault("1s")
      .describe('The period, in the client\'s own time. Default "1s".'),
  }),
);

const findings = z.lazy(() =>
  z.strictObject({
    burst: burst
      .exactOptional()
      .describe(
        "More requests than this in a period are reported as a finding. Default none: the specification states no limit.",
      ),
    off: z.array(z.enum(TRAFFIC_CHECK_IDS)).default([]).describe("The ids of checks to switch off. Default none."),
  }),
);

const certifiedName = textMatching(isHost, {
  what: "a name for a certificate",
  repair: "write a host's name, perhaps with *. before it, or an IP address",
});

const path = textMatching(isFilled, { what: "a path", repair: "write one, like ./certificates" });

const https = z.lazy(() =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe("Whether HTTPS is on. Default: true if any key of https is set, otherwise false."),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .exactOptional()
      .describe("The port to listen on; 0 takes a free one and prints it. Default 8255, or 0 if the HTTP port is 0."),
    names: z
      .array(certifiedName)
      .default([])
      .describe(
        "Additional names and addresses for the certificate, besides localhost, this machine's name, host.docker.internal and kredo.",
      ),
    ca_folder: path
      .exactOptional()
      .describe(
        "Where the certificate authority is stored, relative to the working directory; created on first use. Default: the kredo folder in the user's data folder; /data in the image.",
      ),
    ca_out: path.exactOptional().describe("A file to write the authority's certificate to as well. Default none."),
  }),
);

const configFile = z.strictObject({
  $schema: z.string().exactOptional().describe("For editors; Kredo does not read it."),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(PORT)
    .describe("The port to listen on; 0 takes a free one and prints it. Default 8254."),
  host: listenHost.default(HOST).describe("The address to listen on. Default 127.0.0.1."),
  ...mockShape,
  scenarios: z
    .array(scenarioReference)
    .exactOptional()
    .describe(
      "The scenarios that every account starts with: names of shipped scenarios, or file paths relative to this file's folder. Their rules are tried in this order, those of magic-numbers last. An empty list means no scenarios at all. Default [magic-numbers].",
    ),
  admin: admin.prefault({}).describe("The control API."),
  https: https
    .exactOptional()
    .describe("HTTPS on its own port, with a local certificate authority. HTTP stays on. Default off."),
  replicas: replicas.prefault({}).describe("How several replicas share accounts through PostgreSQL."),
  findings: findings.prefault({}).describe("The checks of your client and receiver."),
  log: log.prefault({}).describe("The log."),
});

/** A sandbox's settings, parsed from a config file. Every key is optional. */
export const configSchema = configFile.transform(fillIn);

/** The settings that a sandbox starts with. */
export type SandboxSettings = Immutable<z.output<typeof configSchema>>;

/** The config file's JSON Schema, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return fileJsonSchema(configSchema, {
    title: "Kredo configuration",
    description: "kredo.config.yaml: how the sandbox behaves. Every key is optional.",
  });
}

const HTTPS_PORT = 8255;

/** Fills in the keys whose defaults depend on another key. */
function fillIn({
  $schema: _editors,
  port,
  host,
  scenarios,
  admin,
  https,
  replicas,
  findings,
  log,
  ...mock
}: z.output<typeof configFile>) {
  return {
    port,
    host,
    ...fillInHttps(https, port),
    ...(scenarios && { scenarios }),
    log,
    admin,
    findings,
    replicas,
    ...mockSettings(mock),
  };
}

/** A free port for HTTP means a free one for HTTPS, too. */
function fillInHttps(written: z.output<typeof configFile>["https"], httpPort: number) {
  if (written === undefined || !written.enabled) return {};
  const { enabled: _enabled, ...https } = written;
  return { https: { port: httpPort === 0 ? 0 : HTTPS_PORT, ...https } };
}

/** On a busy machine, a shorter lease could expire before it is renewed. */
const SHORTEST_LEASE = 500;

function isReplicaUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text);
}

function checkLease(lease: number, context: z.RefinementCtx): void {
  if (lease < SHORTEST_LEASE)
    addProblem(context, { problem: "is too short to be renewed in time", repair: "write 500ms or more" });
}

function checkPeriod(per: number, context: z.RefinementCtx): void {
  if (per === 0)
    addProblem(context, { problem: "a period of 0 contains no requests", repair: "write a duration, like 1s" });
}

/** A token is never quoted in a message. */
function findTokenFaults(token: string): ValueProblem[] {
  return /^[\x21-\x7e]+$/.test(token)
    ? []
    : [{ problem: "is not a token", repair: "write visible ASCII characters without spaces" }];
}
