import type { Finding } from "../../control-client/verdict-shapes.ts";
import { quote } from "../../document/describe-value.ts";
import { parseKes } from "../../domain/kes.ts";
import type {
  ActiveScenario,
  ActiveScenarios,
  CallbackSettings,
  ChangedCallbacks,
  Clock,
  Transaction,
  Wallet,
} from "../../control-client/shapes.ts";
import { controlCommand } from "../control-command.ts";
import { CliError, invalidInput, readOrExplain } from "../cli-error.ts";
import type { CommandGroup, ParsedArgs } from "../command.ts";
import { numberFlag } from "../flag-values.ts";
import { count, formatTable, printable, formatShillings } from "../output.ts";
import { printWarnings } from "../terminal.ts";

export const topUp = controlCommand<Wallet>({
  name: "top-up",
  about: "Add shillings to the account's wallet, as a paybill payment would.",
  arguments: ["<AMOUNT>"],
  examples: ["kredo top-up 500", "kredo top-up 99.50 --account test-1"],
  field: "available",
  request({ words: [amount = ""] }) {
    if (parseKes(amount) !== undefined) return { method: "POST", path: "wallet/top-ups", body: { amount } };
    const repair = "write shillings like 500 or 99.50";
    throw invalidInput("AMOUNT", { problem: `${quote(amount)} is not an amount`, repair });
  },
  describe: ({ available }, { words: [amount] }) => [
    `Topped up by ${formatShillings(Number(amount))}: ${formatShillings(available)} available.`,
  ],
});

export const resend = controlCommand({
  name: "resend",
  about: "Send the callback of a settled transaction again, byte for byte.",
  arguments: ["<REQUEST_ID>"],
  examples: ["kredo resend 3f0e8c1a-6f0e-4c2b-9a57-0d6f0f6b8f11"],
  request: ({ words: [requestId = ""] }) => ({
    method: "POST",
    path: `transactions/${encodeURIComponent(requestId)}/resend`,
  }),
  describe: (_, { words: [requestId = ""] }) => [`Sending the callback of ${requestId} again.`],
});

export const reset = controlCommand({
  name: "reset",
  about: [
    "Reset the account to its initial state: wallet, journal, counters and clock. Pending callbacks are dropped.",
    "During a rehearsal, it restores what the account had before.",
  ].join(" "),
  examples: ["kredo reset", "kredo reset --account test-1"],
  request: () => ({ method: "POST", path: "reset" }),
  describe: (_, __, { account }) => [`Reset ${account} to its initial state.`],
});

export const clock = controlCommand<Clock>({
  name: "clock",
  about: "Print the account's clock and what is due next, or set it: real, manual, or x and a speed, such as x10.",
  arguments: ["[CLOCK]"],
  examples: ["kredo clock", "kredo clock manual"],
  field: "pending",
  request: ({ words: [mode] }) =>
    mode === undefined ? { method: "GET", path: "clock" } : { method: "PUT", path: "clock", body: mode },
  describe: ({ mode, now, scale, pending: { total, next } }) => [
    `${mode === "scaled" ? `x${scale}` : mode}, now ${now}; ${total === 0 ? "nothing is pending" : `${total} pending`}`,
    ...formatTable(next.map(({ at, kind, request_id: requestId = "" }) => [at, kind, requestId])),
  ],
});

export const callbacks = controlCommand<CallbackSettings & Partial<ChangedCallbacks>>({
  name: "callbacks",
  about: "Print where callbacks are sent, or register URL for airtime and SMS; none removes it.",
  arguments: ["[URL]"],
  flags: [
    { name: "airtime", value: "URL", about: "register this URL for airtime results" },
    { name: "sms", value: "URL", about: "register this URL for delivery reports" },
  ],
  examples: ["kredo callbacks http://localhost:3000/hooks", "kredo callbacks --sms none"],
  docs: "docs/troubleshooting-callbacks.md",
  field: "timeout",
  request({ words: [url], flags }) {
    const urls = { airtime: flags.get("airtime") ?? url, sms: flags.get("sms") ?? url };
    if (urls.airtime === undefined && urls.sms === undefined) return { method: "GET", path: "callbacks" };
    return {
      method: "PUT",
      path: "callbacks",
      body: { ...urlChange("airtime", urls.airtime), ...urlChange("sms", urls.sms) },
    };
  },
  describe({ airtime, sms, warnings = [] }, _, { terminal }) {
    printWarnings(terminal, warnings);
    return [`airtime  ${printable(airtime ?? "none")}`, `sms      ${printable(sms ?? "none")}`];
  },
});

function urlChange(operation: string, url: string | undefined): Record<string, string | null> {
  return url === undefined ? {} : { [operation]: url === "none" ? null : url };
}

export const transactions = controlCommand<Rows<Transaction>>({
  name: "transactions",
  about: "List accepted requests and their results, newest first.",
  flags: [
    {
      name: "state",
      value: "STATE",
      choices: ["queued", "succeeded", "failed", "stuck"],
      about: "only those in this state",
    },
    { name: "operation", value: "OPERATION", choices: ["airtime", "sms"], about: "only airtime or only SMS" },
    { name: "phone-number", value: "PHONE", about: "only those to this number; * stands for any digits" },
    { name: "limit", value: "N", about: "how many (default: 20)" },
  ],
  examples: ["kredo transactions", "kredo transactions --state failed --json"],
  field: "items",
  request(args) {
    const limit = numberFlag(args, "limit", { min: 1, max: 1_000, otherwise: 20 });
    return {
      method: "GET",
      path: withQuery("transactions", args, ["state", "operation", "phone-number"], { limit: String(limit) }),
    };
  },
  describe: ({ items, total }) => [
    ...formatTable(items.map(describeTransaction)),
    items.length === total ? `${count(total, "transaction")}.` : `${items.length} of ${count(total, "transaction")}.`,
  ],
});

export const findings = controlCommand<Rows<Finding>>({
  name: "findings",
  about:
    "List defects and risks that the sandbox saw in your backend's behaviour, most severe first, each with its repair.",
  flags: [
    {
      name: "severity",
      value: "SEVERITY",
      choices: ["defect", "risk", "cost", "hint"],
      about: "only those of this severity",
    },
  ],
  examples: ["kredo findings", "kredo findings --severity defect"],
  docs: "docs/findings.md",
  field: "items",
  request: (args) => ({ method: "GET", path: withQuery("findings", args, ["severity"]) }),
  describe: ({ items }) => [...items.flatMap(describeFinding), `${count(items.length, "finding")}.`],
});

const listScenarios = controlCommand<ActiveScenarios>({
  name: "list",
  about: "List the active scenarios, in the order in which their rules are tried.",
  examples: ["kredo scenario list"],
  docs: "docs/scenarios.md",
  field: "items",
  request: () => ({ method: "GET", path: "scenarios" }),
  describe: ({ items }) => describeScenarios(items),
});

const startScenario = controlCommand<ActiveScenarios>({
  name: "start",
  about:
    "Start a shipped scenario (see kredo list) or one of your own: NAME or FILE. An active scenario of the same name is restarted.",
  arguments: ["<SCENARIO>"],
  flags: [{ name: "first", about: "try its rules before those of the active scenarios, instead of after" }],
  examples: ["kredo scenario start callback-never", "kredo scenario start ./scenarios/mine.yaml"],
  docs: "docs/scenarios.md",
  field: "items",
  request({ words: [scenario = ""], flags }, { files }) {
    const request = { method: "POST", path: flags.has("first") ? "scenarios?place=first" : "scenarios" };
    if (!/[/\\]|\.(ya?ml|json)$/.test(scenario)) return { ...request, body: { name: scenario } };
    const content = readOrExplain(scenario, files, "write the path of a scenario file");
    if ("text" in content) return { ...request, yaml: content.text };
    throw new CliError(2, content.mistake);
  },
  describe: ({ items }) => describeScenarios(items),
});

const stopScenario = controlCommand({
  name: "stop",
  about: "Stop an active scenario; without NAME, all of them.",
  arguments: ["[NAME]"],
  examples: ["kredo scenario stop callback-never", "kredo scenario stop"],
  docs: "docs/scenarios.md",
  request: ({ words: [name] }) => ({
    method: "DELETE",
    path: name === undefined ? "scenarios" : `scenarios/${encodeURIComponent(name)}`,
  }),
  describe: (_, { words: [name] }) => [name === undefined ? "Stopped all scenarios." : `Stopped ${name}.`],
});

export const scenario: CommandGroup = {
  name: "scenario",
  about: "List, start and stop scenarios in a running sandbox.",
  commands: [listScenarios, startScenario, stopScenario],
  examples: [...startScenario.examples, ...stopScenario.examples],
  docs: "docs/scenarios.md",
};

interface Rows<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

function withQuery(
  path: string,
  { flags }: ParsedArgs,
  names: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const given = names.flatMap((name) =>
    flags.has(name) ? [[name.replace("-", "_"), flags.get(name) ?? ""] as const] : [],
  );
  const query = new URLSearchParams(Object.fromEntries([...given, ...Object.entries(more)])).toString();
  return query === "" ? path : `${path}?${query}`;
}

function describeTransaction(transaction: Transaction): string[] {
  const {
    accepted_at: at,
    operation,
    phone_number: phoneNumber,
    state,
    result_code: code,
    request_id: requestId,
    charge,
  } = transaction;
  const result = code === null ? state : `${state} ${code}`;
  return [at, operation, phoneNumber, result, charge === null ? "" : formatShillings(charge), requestId].map(printable);
}

function describeFinding({ severity, title, id, seen, repair, count: times }: Finding): string[] {
  return [`${severity}  ${title} (${id}), ${count(times, "time")}`, `  ${printable(seen)}`, `  ${printable(repair)}`];
}

function describeScenarios(scenarios: readonly ActiveScenario[]): string[] {
  if (scenarios.length === 0) return ["No scenario is active."];
  return ["Active:", ...formatTable(scenarios.map(({ name, description = "" }) => [name, printable(description)]))];
}
