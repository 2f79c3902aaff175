import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { callOverHttp } from "../../control/client/http-exchange.ts";
import { ControlError, parseJsonOrUndefined } from "../../control/client/control-client.ts";
import { readCallback } from "../../gateway/account/readings/callback.ts";
import { describeMeaningWithCode } from "../../gateway/account/readings/describe-order.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { FRAMING } from "../../gateway/domain/headers.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import {
  type RegisteredUrls,
  type Client,
  clientFor,
  callControl,
  follow,
  readUrls,
  registerUrls,
} from "../client/client.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { numberFlag } from "../terminal/flag-values.ts";
import { textAt, valueAt } from "../terminal/json-view.ts";
import { paint, printable } from "../terminal/output.ts";
import { CONTROL_FLAGS } from "../client/target.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";
import { type Operation, PRODUCTS, forEachProduct } from "../../gateway/domain/order.ts";

const HOST = "127.0.0.1";
const OPERATION = "{operation}";

export const command: Command = {
  name: "listen",
  about: [
    "Receive the account's callbacks, print them, and acknowledge them or forward them to your application.",
    "The callback URLs are registered while it runs and restored when it stops. With --json, it prints each body as received.",
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
    ...CONTROL_FLAGS,
  ],
  examples: ["kredo listen", "kredo listen --forward-to http://localhost:3000/hooks/{operation}"],
  docs: "troubleshooting",
  async run(args, terminal) {
    const client = await clientFor(args, terminal);
    const host = args.flags.get("host") ?? HOST;
    const port = numberFlag(args, "port", [0, 65_535], 0);
    const template = readTemplate(args);
    const interruption = terminal.interruption();
    const answer = (received: Received, signal: AbortSignal) => answerCallback(received, template, client, signal);
    const receiver = createServer((request, response) => void receive(request, response, answer));
    try {
      await openOrFail(receiver, host, port);
      await listenAt(client, ownUrls(args, host, receiver), template, interruption);
    } finally {
      // Frees the port and drops pending answers.
      const closed = receiver.listening ? once(receiver.close(), "close") : undefined;
      receiver.closeAllConnections();
      await closed;
    }
    return 0;
  },
};

/** Where callbacks are forwarded to; undefined if they are only acknowledged. */
function readTemplate({ flags }: ParsedArgs): string | undefined {
  const template = flags.get("forward-to");
  if (
    template === undefined ||
    (/^https?:\/\/[^/]/.test(template) && URL.canParse(template.replaceAll(OPERATION, "sms")))
  )
    return template;
  throw invalidInput("--forward-to", {
    problem: `${quoteText(template)} is not a URL`,
    repair: "write a URL like http://localhost:3000/hooks",
  });
}

type Urls = Readonly<Record<Operation, string>>;

interface Received {
  /** The first segment of the path. */
  readonly operation: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Returns the status to answer with. The signal aborts when the sender disconnects or the receiver closes; the result is then ignored. */
type Answer = (received: Received, signal: AbortSignal) => Promise<number>;

/** Longer than the gateway ever waits for an answer, whatever its `timeout`. */
const FORWARD_LIMIT: Millis = 2 * MINUTE;

/** Prints a callback and how it is answered. If the application does not answer, the sandbox gets 502, as from any proxy (RFC 9110, 15.6.3). */
async function answerCallback(
  received: Received,
  template: string | undefined,
  { terminal, isRaw }: Client,
  signal: AbortSignal,
): Promise<number> {
  const print = (outcome: string): void =>
    printLines(terminal.stdout, [isRaw ? received.body : `${describeCallback(received, terminal)}${outcome}`]);
  if (template === undefined) {
    print("");
    return 200;
  }
  const begun = terminal.clock.now();
  const url = template.replaceAll(OPERATION, received.operation);
  const headers = forwarded(received.headers);
  const reply = await callOverHttp({ method: "POST", url, headers, body: received.body, limit: FORWARD_LIMIT, signal });
  const took = `${terminal.clock.now() - begun} ms`;
  const isGood = reply.kind === "answered" && reply.status < 300;
  const outcome =
    reply.kind === "answered"
      ? `${reply.status} in ${took}`
      : `no answer from ${url} after ${took} (${signal.aborted ? "the sandbox stopped waiting" : reply.reason})`;
  const painted = paint(outcome, isGood ? "green" : "red", terminal);
  print(`  → ${painted}`);
  if (isRaw) printLines(terminal.stderr, [painted]);
  return reply.kind === "answered" ? reply.status : 502;
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      FRAMING.has(name) || typeof value !== "string" ? [] : [[name, value]],
    ),
  );
}

async function receive(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { method, url = "", headers } = request;
  if (method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  // A connection that ends before the body does leaves nothing to answer.
  const body = await text(request).catch(() => undefined);
  if (body === undefined) return;
  const status = await answer({ operation: url.split(/[/?]/)[1] || "?", headers, body }, disconnected.signal);
  if (!disconnected.signal.aborted) response.writeHead(status).end();
}

async function openOrFail(receiver: Server, host: string, port: number): Promise<void> {
  try {
    await once(receiver.listen(port, host), "listening");
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = isTaken ? "it is in use" : messageOf(error);
    throw new CliError(3, `Cannot listen on ${host} port ${port} (${reason}): choose another with --port or --host.`);
  }
}

/** A wildcard address cannot be called; a sandbox on this machine calls the loopback address. */
function ownUrls({ flags }: ParsedArgs, host: string, receiver: Server): Urls {
  const address = receiver.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const named = flags.get("callback-host") ?? { "0.0.0.0": HOST, "::": "::1" }[host] ?? host;
  const base = `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
  if (!URL.canParse(base))
    throw new CliError(2, `${quoteText(named)} cannot be part of a URL; set a name or an address with --callback-host`);
  return forEachProduct((product) => `${base}/${product}`);
}

/** Registers the URLs until it is interrupted, and again each time the sandbox has been restarted. */
async function listenAt(
  client: Client,
  ours: Urls,
  template: string | undefined,
  interruption: AbortSignal,
): Promise<void> {
  const { terminal, target, isRaw } = client;
  const remark = (line: string): void => printLines(isRaw ? terminal.stderr : terminal.stdout, [line]);
  const { json } = await callControl(client, { method: "GET", path: "" });
  const profile = textAt(json, "profile") ?? "?";
  let old: RegisteredUrls | undefined = await readUrls(client);
  try {
    await registerUrls(client, ours);
    const where = `callbacks of ${target.account} (profile ${profile}) at ${Object.values(ours).join(" and ")}`;
    const answering = template === undefined ? "answering 200" : `forwarding to ${template}`;
    remark(`Receiving ${where}, ${answering}; stop with Ctrl-C.`);
    while (await hasEnded(client, interruption)) {
      const found = await untilBack(client, interruption);
      // The connection alone may have broken.
      if (found?.airtime === ours.airtime) continue;
      old = found;
      if (old === undefined) break;
      await registerUrls(client, ours);
      remark(`The sandbox at ${target.url} was restarted; receiving its callbacks again.`);
    }
  } finally {
    remark(old === undefined ? goneFrom(client) : await restoreUrls(client, ours, old));
  }
}

/** Waits until the sandbox ends its event stream; false once the command is interrupted. */
async function hasEnded(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await follow(client, { signal, opened: () => {}, took: () => {}, alongside: {} });
  } catch (error) {
    // What refuses the stream is still there.
    if (error instanceof ControlError && !signal.aborted) await once(signal, "abort");
  }
  return !signal.aborted;
}

const RECONNECT_EVERY: Millis = SECOND;

/** Returns what is registered with the sandbox once it answers; undefined if the command is interrupted before. */
async function untilBack(client: Client, interruption: AbortSignal): Promise<RegisteredUrls | undefined> {
  while (!interruption.aborted) {
    const urls = await readIfThere(client);
    if (urls !== undefined) return urls;
    await client.terminal.pause(RECONNECT_EVERY, interruption).catch(() => {});
  }
  return undefined;
}

function goneFrom({ target }: Client): string {
  return `The sandbox at ${target.url} has gone, and the URLs with it.`;
}

/** Restores the old URLs if ours are still registered; URLs that were set in the meantime stay. Returns what it did. */
async function restoreUrls(client: Client, ours: Urls, old: RegisteredUrls): Promise<string> {
  const current = await readIfThere(client);
  if (current === undefined) return goneFrom(client);
  const ownOperations = PRODUCTS.filter((operation) => current[operation] === ours[operation]);
  const restored = Object.fromEntries(ownOperations.map((operation) => [operation, old[operation]]));
  if (ownOperations.length > 0) await registerUrls(client, restored);
  const urls = { ...current, ...restored };
  const isWhole = PRODUCTS.every((product) => urls[product] === old[product]);
  const outcome = isWhole ? "Restored" : "Left unchanged, because they were set to something else in the meantime";
  return `${outcome}: ${PRODUCTS.map((product) => `${product} ${urls[product] ?? "none"}`).join(", ")}.`;
}

async function readIfThere(client: Client): Promise<RegisteredUrls | undefined> {
  try {
    return await readUrls(client);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === 3) return undefined;
    throw error;
  }
}

/**
 * Formats a callback on one line: time of day, operation, request_id, result, charge, balance; or why it cannot be read. Values stay as
 * received, which by `callback_values` is numbers or text.
 */
function describeCallback({ operation, headers, body }: Received, terminal: Terminal): string {
  const head = `${timeOfDay(terminal)}  ${printable(operation).padEnd("airtime".length)}`;
  const reading = readCallback({ headers: { "content-type": headers["content-type"] ?? "" }, body });
  if (reading.says === "unreadable") {
    const shown = printable(body.slice(0, 200)) || "nothing";
    return `${head}  ${paint(printable(describeMeaningWithCode(reading)), "red", terminal)}  ${shown}`;
  }
  const json = parseJsonOrUndefined(body);
  const code = JSON.stringify(valueAt(json, "result_code"));
  const words = printable(`${code} ${textAt(json, "result_desc") ?? ""}`.trim());
  const result = paint(words, reading.says === "delivered" ? "green" : "red", terminal);
  const [charge, balance] = ["charge", "account_balance"].map((key) => JSON.stringify(valueAt(json, key)) ?? "?");
  const money = printable(`charge ${charge}  balance ${balance}`);
  return `${head}  ${printable(reading.id)}  ${result}  ${money}`;
}

/** Local time of day, to the millisecond. */
function timeOfDay({ clock }: Terminal): string {
  const at = new Date(clock.now());
  return `${at.toTimeString().slice(0, "00:00:00".length)}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}
