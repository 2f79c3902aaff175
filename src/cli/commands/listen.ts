import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { callOverHttp } from "../../adapters/http-exchange.ts";
import { CliError } from "../cli-error.ts";
import { type CallbackUrls, type Client, clientFor, readUrls, registerUrls } from "../client.ts";
import { numberAt, textAt, valueAt } from "../json-view.ts";
import { openReceiver, type Received, type Receiver, type ReceiverOptions } from "../receiver.ts";
import { controlFlagsWhere } from "../target.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { durationFlag, numberFlag } from "../flag-values.ts";
import { paint, printable } from "../output.ts";
import { printLines, type Terminal } from "../terminal.ts";
import { readJson } from "../../control-client/control-client.ts";
import { quote } from "../../document/describe-value.ts";
import { messageOf } from "../../domain/message-of.ts";
import { formatDuration, type Millis, MINUTE } from "../../domain/time.ts";

const HOST = "127.0.0.1";
const OPERATION = "{operation}";

export const listen: Command = {
  name: "listen",
  about: [
    "Receive the account's callbacks, print them, and acknowledge them or forward them to your application.",
    "The callback URLs are registered while it runs and restored when it stops.",
  ].join(" "),
  flags: [
    {
      name: "forward-to",
      value: "URL",
      about: `forward each callback to this URL and return the application's answer; ${OPERATION} is replaced by airtime or sms`,
    },
    { name: "port", value: "N", about: "the port to listen on (default: any free port)" },
    { name: "host", value: "ADDRESS", about: `the address to listen on (default: ${HOST})` },
    {
      name: "callback-host",
      value: "NAME",
      about:
        "the name by which the sandbox reaches this machine: host.docker.internal from a container, often with --host 0.0.0.0",
    },
    { name: "delay", value: "DURATION", about: "wait this long before each answer; the gateway waits 3s" },
    { name: "status", value: "N", about: "answer with this status (default: 200)" },
    ...controlFlagsWhere("print each callback's body exactly as received"),
  ],
  examples: [
    "kredo listen",
    "kredo listen --forward-to http://localhost:3000/hooks/{operation}",
    "kredo listen --status 500 --delay 2s",
  ],
  docs: "docs/troubleshooting-callbacks.md",
  async run(args, terminal) {
    const client = await clientFor(args, terminal);
    const host = args.flags.get("host") ?? HOST;
    const port = numberFlag(args, "port", { min: 0, max: 65_535, otherwise: 0 });
    const { answer, words } = args.flags.has("forward-to") ? forwarding(args, client) : answering(args, client);
    const interruption = terminal.interruption();
    const receiver = await openOrFail({ host, port, answer });
    try {
      await listenAt(client, ownUrls(args, host, receiver), words, interruption);
    } finally {
      await receiver.close();
    }
    return 0;
  },
};

/** How callbacks are answered, and a description of it. */
interface Answering extends Pick<ReceiverOptions, "answer"> {
  readonly words: string;
}

function answering(args: ParsedArgs, client: Client): Answering {
  const status = numberFlag(args, "status", { min: 200, max: 599, otherwise: 200 });
  const delay = durationFlag(args, "delay", 0);
  return {
    words: `answering ${status}${delay === 0 ? "" : ` after ${formatDuration(delay)}`}`,
    async answer(received, signal) {
      print(client, received);
      await client.terminal.pause(delay, signal);
      return status;
    },
  };
}

/** Longer than the gateway ever waits for an answer, whatever its `timeout`. */
const LIMIT: Millis = 2 * MINUTE;

/** Returns the application's answer. If there is none, the sandbox gets 502, as from any proxy (RFC 9110, 15.6.3). */
function forwarding({ flags }: ParsedArgs, client: Client): Answering {
  const template = flags.get("forward-to") ?? "";
  const urlFor = (operation: string): string => template.replaceAll(OPERATION, operation);
  if (!/^https?:\/\/[^/]/.test(template) || !URL.canParse(urlFor("sms")))
    throw new CliError(
      2,
      `--forward-to: ${quote(template)} is not a URL; write a URL like http://localhost:3000/hooks`,
    );
  for (const flag of ["status", "delay"])
    if (flags.has(flag))
      throw new CliError(
        2,
        `--${flag}: not allowed together with --forward-to, because the application answers; omit one of the two`,
      );
  const { clock, stderr } = client.terminal;
  return {
    words: `forwarding to ${template}`,
    async answer(received, signal) {
      const begun = clock.now();
      const url = urlFor(received.operation);
      const reply = await callOverHttp({
        method: "POST",
        url,
        headers: forwarded(received.headers),
        body: received.body,
        limit: LIMIT,
        signal,
      });
      const took = `${clock.now() - begun} ms`;
      const outcome =
        reply.kind === "answered"
          ? paint(`${reply.status} in ${took}`, reply.status < 300 ? "green" : "red", client.terminal)
          : paint(
              `no answer from ${url} after ${took} (${signal.aborted ? "the sandbox stopped waiting" : reply.reason})`,
              "red",
              client.terminal,
            );
      print(client, received, `  → ${outcome}`);
      if (client.isRaw) printLines(stderr, [outcome]);
      return reply.kind === "answered" ? reply.status : 502;
    },
  };
}

/** Returns the headers to forward, without those that concern the connection (RFC 9110, 7.6.1) or are rewritten. */
function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  const own = ["connection", "keep-alive", "transfer-encoding", "host", "content-length", "expect"];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      own.includes(name) || typeof value !== "string" ? [] : [[name, value]],
    ),
  );
}

function print({ terminal, isRaw }: Client, received: Received, outcome = ""): void {
  printLines(terminal.stdout, [isRaw ? received.body : `${describeCallback(received, terminal)}${outcome}`]);
}

async function openOrFail(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await openReceiver(options);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = isTaken ? "it is in use" : messageOf(error);
    throw new CliError(
      3,
      `Cannot listen on ${options.host} port ${options.port} (${reason}): choose another with --port or --host.`,
    );
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
  if (!URL.canParse(base))
    throw new CliError(2, `${quote(named)} cannot be part of a URL; set a name or an address with --callback-host`);
  return { airtime: `${base}/airtime`, sms: `${base}/sms` };
}

/** Registers the URLs until it is interrupted. */
async function listenAt(client: Client, ours: OwnUrls, words: string, interruption: AbortSignal): Promise<void> {
  const remarks = client.isRaw ? client.terminal.stderr : client.terminal.stdout;
  const old = await readUrls(client);
  try {
    await registerUrls(client, ours);
    const where = `callbacks of ${client.target.account} at ${ours.airtime} and ${ours.sms}`;
    printLines(remarks, [`Receiving ${where}, ${words}; stop with Ctrl-C.`]);
    if (!interruption.aborted) await once(interruption, "abort");
  } finally {
    printLines(remarks, [await restoreUrls(client, ours, old)]);
  }
}

/** Restores the old URLs if ours are still registered; URLs that were set in the meantime stay. Returns what it did. */
async function restoreUrls(client: Client, ours: OwnUrls, old: CallbackUrls): Promise<string> {
  const current = await readUrls(client);
  const ownOperations = (["airtime", "sms"] as const).filter((operation) => current[operation] === ours[operation]);
  const restored = Object.fromEntries(ownOperations.map((operation) => [operation, old[operation]]));
  if (ownOperations.length > 0) await registerUrls(client, restored);
  const urls = { ...current, ...restored };
  const isWhole = urls.airtime === old.airtime && urls.sms === old.sms;
  const outcome = isWhole ? "Restored" : "Left unchanged, because they were set to something else in the meantime";
  return `${outcome}: airtime ${urls.airtime ?? "none"}, sms ${urls.sms ?? "none"}.`;
}

/** Formats a callback on one line: time of day, operation, request_id, result, charge, balance. Numbers stay as received. */
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

/** Local time of day, to the millisecond. */
function timeOfDay({ clock }: Terminal): string {
  const at = new Date(clock.now());
  return `${at.toTimeString().slice(0, "00:00:00".length)}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function complain(body: string, isWhole: boolean): string {
  const shown = printable(body.slice(0, 200)) || "nothing";
  return isWhole ? `not a callback's JSON: ${shown}` : `the connection ended early, after: ${shown}`;
}

function amountAt(json: unknown, field: string): string {
  return numberAt(json, field)?.toString() ?? "?";
}
