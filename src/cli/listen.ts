import { once } from "node:events";
import { quote } from "../document/describe-value.ts";
import { formatDuration } from "../domain/time.ts";
import { type Client, clientFor } from "./client.ts";
import { describeCallback } from "./describe-callback.ts";
import { durationFlag, numberFlag } from "./flag-values.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { expectWords } from "./read-said.ts";
import { nameUrl, standInFor } from "./listener-url.ts";
import { openReceiver, type Received, type Receiver, type ReceiverOptions } from "./receiver.ts";
import { type CallbackUrls, putBackUrls, readRightful, registerUrls } from "./register-urls.ts";
import { controlFlagsWhere } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { messageOf } from "../domain/message-of.ts";

const USAGE = "listen";
const HOST = "127.0.0.1";

export const listen: Verb = {
  usage: [`${USAGE} [flags]`],
  about: "Registers itself for the account's callbacks, prints and acknowledges them, and puts the old URLs back when it is stopped.",
  flags: [
    { name: "port", value: "N", about: "the port to listen on; a free one if not said" },
    { name: "host", value: "ADDRESS", about: `the address to listen on; ${HOST} if not said` },
    {
      name: "callback-host",
      value: "NAME",
      about: "how the sandbox calls this machine: host.docker.internal from a container (then often with --host 0.0.0.0)",
    },
    { name: "delay", value: "DURATION", about: "waits this long before each answer; the gateway waits 3s" },
    { name: "status", value: "N", about: "answers with this status; 200 if not said" },
    ...controlFlagsWhere("prints each callback's body as it came"),
  ],
  run: listenUntilStopped,
};

async function listenUntilStopped(said: Said, terminal: Terminal): Promise<ExitCode> {
  expectWords(said.words, [], USAGE);
  const client = await clientFor(said, terminal);
  const options = readOptions(said, client);
  const interruption = terminal.interruption();
  const receiver = await openOrHalt(options);
  try {
    const own = ownUrls(said, options.host, receiver);
    const old = await readRightful(client);
    const ours = { airtime: standInFor(old.airtime, own.airtime), sms: standInFor(old.sms, own.sms) };
    await listenAt(client, { ours, old, notice: describeReceiver(options, client, own) }, interruption);
  } finally {
    await receiver.close();
  }
  return 0;
}

function readOptions(said: Said, client: Client): ReceiverOptions {
  const { terminal } = client;
  return {
    host: said.flags.get("host") ?? HOST,
    port: numberFlag(said, "port", { min: 0, max: 65_535, otherwise: 0 }),
    status: numberFlag(said, "status", { min: 200, max: 599, otherwise: 200 }),
    delay: durationFlag(said, "delay", 0),
    pause: terminal.pause,
    onReceived: (received) => print(client, received),
  };
}

function print({ terminal, isRaw }: Client, received: Received): void {
  printLines(terminal.stdout, [isRaw ? received.body : describeCallback(received, terminal)]);
}

async function openOrHalt(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await openReceiver(options);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = isTaken ? "it is in use" : messageOf(error);
    throw new Halt(3, `Cannot listen on ${options.host} port ${options.port} (${reason}): choose another one with --port or --host.`);
  }
}

interface OwnUrls {
  readonly airtime: string;
  readonly sms: string;
}

/** Nobody can call an address that means all of them; a sandbox on this machine calls the loopback. */
function ownUrls({ flags }: Said, host: string, { port }: Receiver): OwnUrls {
  const named = flags.get("callback-host") ?? { "0.0.0.0": HOST, "::": "::1" }[host] ?? host;
  const base = `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
  if (!URL.canParse(base)) throw new Halt(2, `${quote(named)} cannot stand in a URL; write a name or an address with --callback-host`);
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
    const { urls, isWhole } = await putBackUrls(client, ours, old);
    const said = isWhole ? "Put back" : "Left as somebody else set it meanwhile";
    printLines(remarks, [`${said}: airtime ${nameUrl(urls.airtime)}, sms ${nameUrl(urls.sms)}.`]);
  }
}
