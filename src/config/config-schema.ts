import * as z from "zod";
import { complain, durationValue, textThat } from "../document/values.ts";
import { quote } from "../document/describe-value.ts";
import { DETECTOR_IDS } from "../domain/detector-ids.ts";
import type { RateLimit } from "../domain/settings.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { accountsValue } from "./account-schema.ts";
import { clockValue } from "./clock-schema.ts";
import { gatewayShape } from "./gateway-schema.ts";

/** A host's name, perhaps with `*.` before it, or an IP address. */
const HOST = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

const listenHost = textThat((text) => HOST.test(text) && !text.startsWith("*"), {
  what: "a host to listen on",
  repair: "write an address or a name, like 127.0.0.1 or 0.0.0.0",
});

const host = z.string().superRefine(checkHost);

const keyPattern = textThat((text) => /^[^:\p{Cc}]+$/u.test(text), {
  what: "a pattern of consumer keys",
  repair: 'write one without a colon, like "test-*"',
});

const scenarioReference = textThat((text) => text.trim() !== "", {
  what: "a scenario",
  repair: "write the name of a shipped one, or the path of a file, like ./mine.yaml",
});

const admin = z.strictObject({
  token: z.string().superRefine(checkToken).describe("A bearer token that the control API then asks for. Default none.").exactOptional(),
  hosts: z.array(host).describe("More names that the control API and the dashboard may be called by.").exactOptional(),
});

const journal = z.strictObject({
  max_transactions: z.int().min(1).describe("Resolved transactions that an account keeps. Default 10000.").exactOptional(),
  max_bytes: z.int().min(1).describe("Bytes of events that an account keeps. Default 16777216.").exactOptional(),
  max_unresolved: z
    .int()
    .min(1)
    .describe("Unresolved transactions that an account takes; past that, requests get 500. Default 2000000.")
    .exactOptional(),
});

const log = z.strictObject({
  format: z.enum(["pretty", "json"]).describe("Default pretty.").exactOptional(),
  mask_phone_numbers: z.boolean().describe("Hides digits of phone numbers in the log. Default true.").exactOptional(),
});

const burst = z
  .strictObject({
    requests: z.int().min(1).describe("Requests that are not a burst yet."),
    per: durationValue.superRefine(checkPeriod).describe('The period, in the client\'s own time. Default "1s".').exactOptional(),
  })
  .transform(({ requests, per = SECOND }): RateLimit => ({ requests, per }));

const findings = z.strictObject({
  burst: burst
    .describe("More requests than that in a period are a finding. Default none: the gateway's document states no limit.")
    .exactOptional(),
  off: z.array(z.enum(DETECTOR_IDS)).describe("Detectors that do not watch, by their ids. Default none.").exactOptional(),
});

const certifiedName = textThat((text) => HOST.test(text), {
  what: "a name for a certificate",
  repair: "write a host's name, perhaps with *. before it, or an IP address",
});

const path = textThat((text) => text.trim() !== "", { what: "a path", repair: "write one, like ./certificates" });

const https = z.strictObject({
  enabled: z.boolean().describe("Whether it is on. Default true wherever anything is said here, false else.").exactOptional(),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .describe("The port to listen on; 0 takes a free one and prints it. Default 8255, or 0 where the HTTP port is 0.")
    .exactOptional(),
  names: z
    .array(certifiedName)
    .describe(
      "More names and addresses that the certificate is for, besides localhost, this machine's name, host.docker.internal and kredo.",
    )
    .exactOptional(),
  ca_folder: path
    .describe(
      "Where the certificate authority is kept, made on first use; counted from the working directory. Default kredo in the user's folder for data; /data in the image.",
    )
    .exactOptional(),
  ca_out: path.describe("A file that its certificate is written to, besides. Default none.").exactOptional(),
});

/** The config file; every key is optional. */
export const configSchema = z.strictObject({
  $schema: z.string().describe("For editors; Kredo does not read it.").exactOptional(),
  port: z.int().min(0).max(65_535).describe("The port to listen on; 0 takes a free one and prints it. Default 8254.").exactOptional(),
  host: listenHost.describe("The address to listen on. Default 127.0.0.1.").exactOptional(),
  seed: z.int().min(0).describe("Fixes every id, delay and outcome. Drawn at each start and each reset if not given.").exactOptional(),
  clock: clockValue
    .describe('The clock of every account that has none of its own: "real", "manual", "x10", or a mapping. Default real.')
    .exactOptional(),
  ...gatewayShape,
  scenarios: z
    .array(scenarioReference)
    .describe(
      "What goes wrong: names of shipped scenarios, and files, their paths counted from this one's folder. The earlier one is asked first; magic-numbers is always there and comes last, unless the list is empty. Default [magic-numbers].",
    )
    .exactOptional(),
  callback_allow: z
    .array(host)
    .describe("Public hosts that callback URLs set without an admin token may name; *.example.co.ke allows those below it. Default none.")
    .exactOptional(),
  auto_accounts: z
    .array(keyPattern)
    .describe('Patterns such as "test-*": a new consumer key that matches gets an account of its own, with any secret. Default none.')
    .exactOptional(),
  admin: admin.describe("The control API.").exactOptional(),
  https: https.describe("HTTPS on a port of its own, with a local certificate authority; HTTP stays. Default off.").exactOptional(),
  journal: journal.describe("How much an account remembers.").exactOptional(),
  findings: findings.describe("What the sandbox notices in a client's and a receiver's behaviour.").exactOptional(),
  log: log.describe("What is printed.").exactOptional(),
  accounts: accountsValue.describe("The customers of the gateway; the first is the default account.").exactOptional(),
});

export type Config = z.output<typeof configSchema>;

function checkHost(text: string, context: z.RefinementCtx): void {
  if (HOST.test(text)) return;
  const [, inner] = /^(?:\w+:\/\/)?([a-z0-9_.-]+)(?::\d+)?(?:\/.*)?$/i.exec(text) ?? [];
  complain(context, {
    problem: `${quote(text)} is not a host`,
    repair: inner === undefined ? "write a name, or *. and a name" : `write the name alone: ${inner}`,
  });
}

function checkPeriod(per: Millis, context: z.RefinementCtx): void {
  if (per === 0) complain(context, { problem: "a period of 0 has no requests in it", repair: "write how long it is, like 1s" });
}

/** Never quoted in a message. */
function checkToken(token: string, context: z.RefinementCtx): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    complain(context, { problem: "is not a token", repair: "write visible ASCII characters without spaces" });
}
