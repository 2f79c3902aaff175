import { once } from "node:events";
import { CliError } from "../cli-error.ts";
import { type Client, clientFor } from "../client/client.ts";
import { numberAt, textAt, valueAt } from "../client/json-view.ts";
import { nameUrl, replacing } from "../client/callback-urls.ts";
import { openReceiver, type Received, type Receiver, type ReceiverOptions } from "../client/receiver.ts";
import { type CallbackUrls, restoreUrls, readOriginalUrls, registerUrls } from "../client/callback-urls.ts";
import { controlFlagsWhere } from "../client/target.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { durationFlag, numberFlag } from "../flag-values.ts";
import { paint, printable } from "../output/text.ts";
import { printLines, type Terminal } from "../terminal.ts";
import { readJson } from "../../control-client/control-client.ts";
import { quote } from "../../document/describe-value.ts";
import { messageOf } from "../../domain/message-of.ts";
import { formatDuration } from "../../domain/time.ts";

const HOST = "127.0.0.1";

export const listen: Command = {
  name: "listen",
  about: [
    "Receive the account's callbacks, print and acknowledge them.",
    "The callback URLs are registered while it runs and restored when it stops.",
  ].join(" "),
  flags: [
    { name: "port", value: "N", about: "the port to listen on (default: any free port)" },
    { name: "host", value: "ADDRESS", about: `the address to listen on (default: ${HOST})` },
    {
      name: "callback-host",
      value: "NAME",
      about: "the name by which the sandbox reaches this machine: host.docker.internal from a container, often with --host 0.0.0.0",
    },
    { name: "delay", value: "DURATION", about: "wait this long before each answer; the gateway waits 3s" },
    { name: "status", value: "N", about: "answer with this status (default: 200)" },
    ...controlFlagsWhere("print each callback's body exactly as received"),
  ],
  examples: ["kredo listen", "kredo listen --status 500 --delay 2s"],
  docs: "docs/troubleshooting-callbacks.md",
  async run(args, terminal) {
    const client = await clientFor(args, terminal);
    const options = readOptions(args, client);
    const interruption = terminal.interruption();
    const receiver = await openOrFail(options);
    try {
      const own = ownUrls(args, options.host, receiver);
      const old = await readOriginalUrls(client);
      const ours = { airtime: replacing(old.airtime, own.airtime), sms: replacing(old.sms, own.sms) };
      await listenAt(client, { ours, old, notice: describeReceiver(options, client, own) }, interruption);
    } finally {
      await receiver.close();
    }
    return 0;
  },
};

function readOptions(args: ParsedArgs, client: Client): ReceiverOptions {
  const { terminal } = client;
  return {
    host: args.flags.get("host") ?? HOST,
    port: numberFlag(args, "port", { min: 0, max: 65_535, otherwise: 0 }),
    status: numberFlag(args, "status", { min: 200, max: 599, otherwise: 200 }),
    delay: durationFlag(args, "delay", 0),
    pause: terminal.pause,
    onReceived: (received) => print(client, received),
  };
}

function print({ terminal, isRaw }: Client, received: Received): void {
  printLines(terminal.stdout, [isRaw ? received.body : describeCallback(received, terminal)]);
}

async function openOrFail(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await openReceiver(options);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = isTaken ? "it is in use" : messageOf(error);
    throw new CliError(3, `Cannot listen on ${options.host} port ${options.port} (${reason}): choose another with --port or --host.`);
  }
}

interface OwnUrls {
  readonly airtime: string;
  readonly sms: string;
}

/** A wildcard address cannot be called; a sandbox on this machine calls the loopback address. */
function ownUrls({ flags }: ParsedArgs, host: string, { port }: Receiver): OwnUrls {
  const named = flags.get("callback-host") ?? { "0.0.0.0": HOST, "::": "::1" }[host] ?? host;
  const base = `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
  if (!URL.canParse(base)) throw new CliError(2, `${quote(named)} cannot be part of a URL; give a name or an address with --callback-host`);
  return { airtime: `${base}/airtime`, sms: `${base}/sms` };
}

function describeReceiver({ status, delay }: ReceiverOptions, { target }: Client, { airtime, sms }: OwnUrls): string {
  const late = delay === 0 ? "" : ` after ${formatDuration(delay)}`;
  return `Receiving callbacks of ${target.account} at ${airtime} and ${sms}, answering ${status}${late}; stop with Ctrl-C.`;
}

interface Registration {
  readonly ours: CallbackUrls;
  readonly old: CallbackUrls;
  readonly notice: string;
}

async function listenAt(client: Client, { ours, old, notice }: Registration, interruption: AbortSignal): Promise<void> {
  const remarks = client.isRaw ? client.terminal.stderr : client.terminal.stdout;
  try {
    await registerUrls(client, ours);
    printLines(remarks, [notice]);
    if (!interruption.aborted) await once(interruption, "abort");
  } finally {
    const { urls, isWhole } = await restoreUrls(client, ours, old);
    const outcome = isWhole ? "Restored" : "Left unchanged, because they were set to something else in the meantime";
    printLines(remarks, [`${outcome}: airtime ${nameUrl(urls.airtime)}, sms ${nameUrl(urls.sms)}.`]);
  }
}

/** A callback on one line: time of day, operation, request_id, result, charge, balance, with the numbers as they came. */
function describeCallback({ operation, body, isWhole }: Received, terminal: Terminal): string {
  const json = readJson(body);
  const head = `${timeOfDay(terminal)}  ${printable(operation).padEnd("airtime".length)}`;
  const code = valueAt(json, "result_code");
  if (code === undefined) return `${head}  ${paint(complain(body, isWhole), "red", terminal)}`;
  const result = paint(
    printable(`${JSON.stringify(code)} ${textAt(json, "result_desc") ?? ""}`.trim()),
    code === 200 ? "green" : "red",
    terminal,
  );
  const money = `charge ${amountAt(json, "charge")}  balance ${amountAt(json, "account_balance")}`;
  return `${head}  ${printable(textAt(json, "request_id") ?? "?")}  ${result}  ${money}`;
}

/** As the clock on the wall shows it, to the millisecond. */
function timeOfDay({ clock }: Terminal): string {
  const at = new Date(clock.now());
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((number) => String(number).padStart(2, "0"));
  return `${hours}:${minutes}:${seconds}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function complain(body: string, isWhole: boolean): string {
  const shown = printable(body.slice(0, 200)) || "nothing";
  return isWhole ? `no callback's JSON: ${shown}` : `the connection ended early, after: ${shown}`;
}

function amountAt(json: unknown, field: string): string {
  return numberAt(json, field)?.toString() ?? "?";
}
