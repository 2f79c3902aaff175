import * as z from "zod";
import { quoteText } from "../document/describe-value.ts";
import { PARSE_ONCE } from "../document/explain-issues.ts";
import { type ValueProblem, textMatching, checkedText } from "../document/values.ts";
import type { Immutable } from "../domain/immutable.ts";
import { accountSettings, accountsValue, accountValue } from "./account.ts";
import { clockValue } from "./clock.ts";
import { gatewaySettings, gatewayShape } from "./gateway.ts";

/** A host name, optionally starting with `*.`, or an IP address. */
export const hostValue = checkedText(findHostFaults);

const keyPattern = textMatching((text) => /^[ -9;-~]+$/.test(text), {
  what: "a consumer-key pattern",
  repair: 'write printable ASCII characters without a colon, like "test-*"',
});

const journal = z.lazy(() =>
  z.strictObject({
    max_transactions: z
      .int()
      .min(1)
      .default(10_000)
      .describe(
        "The number of resolved transactions that an account keeps, and of its latest requests. Refusals push out no transactions. Default 10000.",
      ),
    max_bytes: z
      .int()
      .min(1)
      .default(16 * 1024 * 1024)
      .describe(
        "The number of bytes of events, with the scenarios in them, that the latest requests of an account may take, and its transactions. Default 16777216.",
      ),
  }),
);

/** What a config file says of the mock itself: how the gateway behaves, and who its customers are. */
export const mockShape = {
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
  callback_allow: z
    .array(hostValue)
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
  max_auto_accounts: z
    .int()
    .min(1)
    .default(5_000)
    .describe(
      "The number of accounts at which auto_accounts stops opening more; further unknown keys get 401. An account takes about 20 KB. With replicas, each counts its own. Default 5000.",
    ),
  max_pending: z
    .int()
    .min(1)
    .exactOptional()
    .describe(
      "The number of orders, over all accounts, whose results or callbacks may be pending. Further orders wait for up to 5 s, then get 429 with Retry-After. With replicas, each counts its own. Default: as many as fit in a quarter of Node's memory.",
    ),
  max_rules: z
    .int()
    .min(1)
    .default(5_000)
    .describe(
      "The maximum number of rules in the active scenarios of an account. A scenario without rules counts as one. Default 5000.",
    ),
  journal: journal.prefault({}).describe("How much history an account keeps."),
  accounts: accountsValue.default([]).describe("The customers of the gateway; the first is the default account."),
};

/** The settings of the mock itself. */
export type MockSettings = Immutable<ReturnType<typeof mockSettings>>;

/** Gives each account the settings that it shares with the others, and opens a default account if there is none. */
export function mockSettings({
  seed,
  clock,
  callback_allow,
  auto_accounts,
  max_auto_accounts,
  max_pending,
  max_rules,
  journal,
  accounts,
  ...gateway
}: z.output<z.ZodObject<typeof mockShape>>) {
  const common = { seed, clock };
  // The config's author owns this machine.
  const settle = (written: (typeof accounts)[number]) => accountSettings(written, { ...common, trusted: true });
  const [first = accountValue.parse({}, PARSE_ONCE), ...others] = accounts;
  return {
    callback_allow,
    auto_accounts,
    max_auto_accounts,
    max_pending,
    max_rules,
    journal,
    gateway: gatewaySettings(gateway),
    ...common,
    accounts: [settle({ ...common, ...first }), ...others.map(settle)] as const,
  };
}

const HOST_NAME = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

export function isHost(text: string): boolean {
  return HOST_NAME.test(text);
}

function findHostFaults(text: string): ValueProblem[] {
  if (isHost(text)) return [];
  const [, inner] = /^(?:\w+:\/\/)?([a-z0-9_.-]+)(?::\d+)?(?:\/.*)?$/i.exec(text) ?? [];
  return [
    {
      problem: `${quoteText(text)} is not a host`,
      repair: inner === undefined ? "write a name, or *. and a name" : `write the name alone: ${inner}`,
    },
  ];
}
