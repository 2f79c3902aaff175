import type { TransactionJson } from "../../control/client/shapes.ts";
import { formatDuration, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { CliError, type ExitCode } from "../terminal/cli-error.ts";
import { callGateway, type Client, clientFor, callControl, printAnswer } from "../client/client.ts";
import type { Command, CommandGroup, ParsedArgs } from "../terminal/command.ts";
import { textAt } from "../terminal/json-view.ts";
import { formatShillings, paint, printable } from "../terminal/output.ts";
import { ALL_TARGET_FLAGS } from "../client/target.ts";
import type { Terminal } from "../terminal/terminal.ts";

const SENDER_ID = "SANDBOX";
const WITHIN: Millis = 30 * SECOND;

const WAIT_FLAG = {
  name: "wait",
  about: `wait up to ${formatDuration(WITHIN)} for the result and print it; exit code 1 unless it succeeded`,
};

const airtime: Command = {
  name: "airtime",
  about: "Send airtime and print the acknowledgment.",
  arguments: ["<PHONE>", "<AMOUNT>"],
  flags: [WAIT_FLAG, ...ALL_TARGET_FLAGS],
  examples: ["kredo send airtime 254712345678 100", "kredo send airtime 254712345678 100 --wait"],
  run: (args, terminal) => {
    const [phone_number, amount] = args.words;
    return sendOrder("airtime", { phone_number, amount }, args, terminal);
  },
};

const sms: Command = {
  name: "sms",
  about: "Send an SMS and print the acknowledgment. Use - as TEXT to read it from standard input.",
  arguments: ["<PHONE>", "<TEXT>"],
  flags: [
    { name: "sender-id", value: "ID", about: `the sender of the SMS (default: ${SENDER_ID})` },
    WAIT_FLAG,
    ...ALL_TARGET_FLAGS,
  ],
  examples: ['kredo send sms 254712345678 "Hello from Kredo"', "kredo send sms 254712345678 - < message.txt"],
  async run(args, terminal) {
    const [phone_number, text = ""] = args.words;
    const message = await readMessage(text, terminal);
    const sender_id = args.flags.get("sender-id") ?? SENDER_ID;
    return sendOrder("sms", { phone_number, message, sender_id }, args, terminal);
  },
};

export const command: CommandGroup = {
  name: "send",
  about: "Send airtime or an SMS to the gateway, exactly as written.",
  commands: [airtime, sms],
};

/** Reads the message from standard input if it is "-". `echo` and editors end a text with a line break, which is not part of it. */
export async function readMessage(text: string, terminal: Terminal): Promise<string> {
  if (text !== "-") return text;
  let read = "";
  for await (const piece of terminal.stdin()) read += piece;
  return read.replace(/\r?\n$/, "");
}

async function sendOrder(operation: string, body: object, args: ParsedArgs, terminal: Terminal): Promise<ExitCode> {
  const client = await clientFor(args, terminal);
  const isWaiting = args.flags.has("wait");
  const answer = await callGateway(client, { method: "POST", path: `/api/v2/${operation}`, body });
  const requestId = textAt(answer.json, "request_id") ?? "";
  const acknowledgment = paint(`Accepted: ${printable(textAt(answer.json, "description") ?? "")}`, "green", terminal);
  const advice = isWaiting ? [] : ["The result arrives by callback. To see it, run kredo listen, or add --wait."];
  printAnswer(client, answer, [acknowledgment, `request_id ${printable(requestId)}`, ...advice]);
  if (!isWaiting) return 0;
  return awaitResult({ ...client, target: { ...client.target, account: client.target.consumerKey } }, requestId);
}

const INTERVAL: Millis = 100;

/** Waits until a request has its result and its callback was tried, then prints both. Returns exit code 0 only if it succeeded. */
async function awaitResult(client: Client, requestId: string): Promise<ExitCode> {
  const { clock, pause } = client.terminal;
  const deadline = clock.now() + WITHIN;
  const call = { method: "GET", path: `transactions/${encodeURIComponent(requestId)}` } as const;
  let answer = await callControl(client, call);
  if (isOpen(answer.json)) await refuseIfManual(client);
  while (isOpen(answer.json) && clock.now() < deadline) {
    await pause(INTERVAL, new AbortController().signal);
    answer = await callControl(client, call);
  }
  const transaction = answer.json;
  const { state, callback } = transaction;
  if (state === "queued")
    throw new CliError(1, `No result within ${formatDuration(WITHIN)}: ${printable(callback.explanation)}`);
  printAnswer(client, answer, describeResult(client, transaction));
  return state === "succeeded" ? 0 : 1;
}

/** Returns whether the transaction may still change. A stuck one does not. */
function isOpen({ state, callback }: TransactionJson): boolean {
  return state === "queued" || (state !== "stuck" && (callback.state === "pending" || callback.state === "in_flight"));
}

/** On a manual clock nothing happens until somebody advances it, so waiting would be useless. */
async function refuseIfManual(client: Client): Promise<void> {
  const clock = await callControl(client, { method: "GET", path: "clock" });
  if (textAt(clock.json, "mode") !== "manual") return;
  throw new CliError(1, "The account's clock is manual. Run kredo advance to move it; the result arrives then.");
}

function describeResult({ terminal }: Client, transaction: TransactionJson): string[] {
  const { state, result_code: code, result_desc: text, charge, account_balance: balance, callback } = transaction;
  const result = printable(code === null ? state : `${state}: ${code} ${text}`);
  return [
    paint(result, state === "succeeded" ? "green" : "red", terminal),
    ...(charge === null || balance === null
      ? []
      : [`charge ${formatShillings(charge)}, balance ${formatShillings(balance)}`]),
    `callback: ${printable(callback.explanation)}`,
  ];
}
