import * as z from "zod";
import { quote } from "../document/describe-value.ts";
import { type ValueProblem, isFilled, textThat, textWithout } from "../document/values.ts";
import type { Immutable } from "../domain/immutable.ts";
import { accountSettings, accountsValue, accountValue } from "./account.ts";
import { clockValue } from "./clock.ts";
import { HOST, PORT } from "./defaults.ts";
import { gatewaySettings, gatewayShape } from "./gateway.ts";

const listenHost = textThat((text) => isHost(text) && !text.startsWith("*"), {
  what: "a host to listen on",
  repair: "write an address or a name, like 127.0.0.1 or 0.0.0.0",
});

/** The name or address of a host; `*.` at the start stands for its subdomains. */
export const host = textWithout(findHostFaults);

const keyPattern = textThat((text) => /^[^:\p{Cc}]+$/u.test(text), {
  what: "a consumer-key pattern",
  repair: 'write one without a colon, like "test-*"',
});

const scenarioReference = textThat(isFilled, {
  what: "a scenario",
  repair: "write the name of a shipped scenario, or the path of a file, like ./mine.yaml",
});

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

/** The keys of a config file that concern the mock; the rest of the sandbox adds its own. */
export const mockShape = {
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
  journal: journal.prefault({}).describe("How much history an account keeps."),
  accounts: accountsValue.default([]).describe("The customers of the gateway; the first is the default account."),
};

const mockFile = z.strictObject(mockShape);

/** The settings of a mock alone. Every key is optional. */
export const mockSchema = mockFile.transform(mockSettings);

export type MockSettings = Immutable<z.output<typeof mockSchema>>;

/** Fills in the keys whose defaults depend on another key. The config's author owns this machine. */
export function mockSettings({
  port,
  host: listenAt,
  seed,
  clock,
  scenarios,
  callback_allow,
  auto_accounts,
  journal: bounds,
  accounts,
  ...gateway
}: z.output<typeof mockFile>) {
  const settle = (written: (typeof accounts)[number]) => accountSettings(written, { seed, clock, trusted: true });
  const [first = accountValue.parse({}, { jitless: true }), ...others] = accounts;
  return {
    port,
    host: listenAt,
    seed,
    clock,
    scenarios,
    callback_allow,
    auto_accounts,
    journal: bounds,
    gateway: gatewaySettings(gateway),
    accounts: [settle(first), ...others.map(settle)] as const,
  };
}

/** A host name, optionally starting with `*.`, or an IP address. */
const HOST_NAME = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

/** Returns whether the text is a host name, perhaps with `*.` before it, or an IP address. */
export function isHost(text: string): boolean {
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
