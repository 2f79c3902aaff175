import * as z from "zod";
import { quote } from "../document/describe-value.ts";
import { fileJsonSchema } from "../document/json-schema.ts";
import { complain, type ValueProblem, durationValue, isFilled, textThat, textWithout } from "../document/values.ts";
import type { Immutable } from "../domain/immutable.ts";
import { DETECTOR_IDS } from "../findings/detectors.ts";
import { accountSettings, accountsValue, accountValue } from "../settings/account.ts";
import { clockValue } from "../settings/clock.ts";
import { HOST, PORT } from "../settings/defaults.ts";
import { gatewaySettings, gatewayShape } from "../settings/gateway.ts";

const listenHost = textThat((text) => isHost(text) && !text.startsWith("*"), {
  what: "a host to listen on",
  repair: "write an address or a name, like 127.0.0.1 or 0.0.0.0",
});

const host = textWithout(findHostFaults);

const keyPattern = textThat((text) => /^[^:\p{Cc}]+$/u.test(text), {
  what: "a consumer-key pattern",
  repair: 'write one without a colon, like "test-*"',
});

const scenarioReference = textThat(isFilled, {
  what: "a scenario",
  repair: "write the name of a shipped scenario, or the path of a file, like ./mine.yaml",
});

const admin = z.lazy(() =>
  z.strictObject({
    token: textWithout(findTokenFaults)
      .exactOptional()
      .describe("The bearer token that the control API requires. Default none."),
    hosts: z.array(host).default([]).describe("Additional host names that the control API and the dashboard accept."),
  }),
);

const journal = z.lazy(() =>
  z.strictObject({
    max_transactions: z
      .int()
      .min(1)
      .default(10_000)
      .describe("The number of resolved transactions that an account keeps. Default 10000."),
    max_bytes: z
      .int()
      .min(1)
      .default(16 * 1024 * 1024)
      .describe("The number of bytes of events that an account keeps. Default 16777216."),
    max_unresolved: z
      .int()
      .min(1)
      .default(2_000_000)
      .describe(
        "The maximum number of unresolved transactions per account; further requests get 500. Default 2000000.",
      ),
  }),
);

const replicaUrl = textThat(isReplicaUrl, {
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

const log = z.lazy(() =>
  z.strictObject({
    format: z.enum(["pretty", "json"]).default("pretty").describe("Default pretty."),
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
        "More requests than this in a period are reported as a finding. Default none: the gateway's document states no limit.",
      ),
    off: z.array(z.enum(DETECTOR_IDS)).default([]).describe("The ids of detectors to switch off. Default none."),
  }),
);

const certifiedName = textThat(isHost, {
  what: "a name for a certificate",
  repair: "write a host's name, perhaps with *. before it, or an IP address",
});

const path = textThat(isFilled, { what: "a path", repair: "write one, like ./certificates" });

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
  seed: z
    .int()
    .min(0)
    .exactOptional()
    .describe("Fixes every id, delay and outcome. Default: a new random seed at each start and reset."),
  clock: clockValue
    .default({ mode: "real" })
    .describe(
      'The clock of every account that does not set its own: "real", "manual", "x10", or a mapping. Default real.',
    ),
  ...gatewayShape,
  scenarios: z
    .array(scenarioReference)
    .exactOptional()
    .describe(
      "The scenarios that every account starts with: names of shipped scenarios, or file paths relative to this file's folder. Their rules are tried in this order, those of magic-numbers last. An empty list means no scenarios at all. Default [magic-numbers].",
    ),
  callback_allow: z
    .array(host)
    .default([])
    .describe(
      "Public hosts that callback URLs may use without the admin token; *.example.co.ke allows its subdomains. Default none.",
    ),
  auto_accounts: z
    .array(keyPattern)
    .default([])
    .describe(
      'Patterns such as "test-*": an unknown consumer key that matches opens its own account, with any secret. Default none.',
    ),
  admin: admin.prefault({}).describe("The control API."),
  https: https
    .exactOptional()
    .describe("HTTPS on its own port, with a local certificate authority. HTTP stays on. Default off."),
  journal: journal.prefault({}).describe("How much history an account keeps."),
  replicas: replicas.prefault({}).describe("How several replicas share accounts through PostgreSQL."),
  findings: findings.prefault({}).describe("The detectors that watch your client and receiver."),
  log: log.prefault({}).describe("The log."),
  accounts: accountsValue.default([]).describe("The customers of the gateway; the first is the default account."),
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
  seed,
  clock,
  scenarios,
  callback_allow,
  auto_accounts,
  admin,
  https,
  journal,
  replicas: shared,
  findings: watched,
  log,
  accounts,
  ...gateway
}: z.output<typeof configFile>) {
  const common = { ...(seed !== undefined && { seed }), clock };
  // The config's author owns this machine.
  const settle = (written: (typeof accounts)[number]) => accountSettings(written, { ...common, trusted: true });
  const [first = accountValue.parse({}, { jitless: true }), ...others] = accounts;
  return {
    port,
    host,
    ...fillInHttps(https, port),
    ...(scenarios && { scenarios }),
    log,
    admin,
    callback_allow,
    auto_accounts,
    journal,
    findings: watched,
    replicas: shared,
    gateway: gatewaySettings(gateway),
    ...common,
    accounts: [settle(first), ...others.map(settle)] as const,
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
    complain(context, { problem: "is too short to be renewed in time", repair: "write 500ms or more" });
}

function checkPeriod(per: number, context: z.RefinementCtx): void {
  if (per === 0)
    complain(context, { problem: "a period of 0 contains no requests", repair: "write a duration, like 1s" });
}

/** A host name, optionally starting with `*.`, or an IP address. */
const HOST_NAME = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

function isHost(text: string): boolean {
  return HOST_NAME.test(text);
}

function findHostFaults(text: string): ValueProblem[] {
  if (isHost(text)) return [];
  const [, inner] = /^(?:\w+:\/\/)?([a-z0-9_.-]+)(?::\d+)?(?:\/.*)?$/i.exec(text) ?? [];
  return [
    {
      problem: `${quote(text)} is not a host`,
      repair: inner === undefined ? "write a name, or *. and a name" : `write the name alone: ${inner}`,
    },
  ];
}

/** A token is never quoted in a message. */
function findTokenFaults(token: string): ValueProblem[] {
  return /^[\x21-\x7e]+$/.test(token)
    ? []
    : [{ problem: "is not a token", repair: "write visible ASCII characters without spaces" }];
}
