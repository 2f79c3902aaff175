import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { formatDuration, SECOND } from "../domain/time.ts";
import { awaitResult } from "./await-result.ts";
import { askGateway, clientFor, report } from "./client.ts";
import { durationFlag } from "./flag-values.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { textAt } from "./json-view.ts";
import { expectWords } from "./read-said.ts";
import { refuseUnlessAccepted } from "./refuse-unless-accepted.ts";
import { ALL_TARGET_FLAGS } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { paint, printable } from "./wording.ts";

const SENDER_ID = "SANDBOX";
const WITHIN = 30 * SECOND;

const AIRTIME_USAGE = "send airtime PHONE AMOUNT";
const SMS_USAGE = "send sms PHONE TEXT";

export const send: Verb = {
  usage: [`${AIRTIME_USAGE} [flags]`, `${SMS_USAGE} [flags]`],
  about: "Sends what is written, as it is written, and prints the acknowledgment. A TEXT of - is read from standard input.",
  flags: [
    { name: "sender-id", value: "ID", about: `who an SMS is from; ${SENDER_ID} if not said` },
    { name: "wait", about: "waits for the result and prints it; exit code 1 unless it succeeded" },
    { name: "within", value: "DURATION", about: `how long --wait waits; ${formatDuration(WITHIN)} if not said` },
    ...ALL_TARGET_FLAGS,
  ],
  run: sendOrder,
};

async function sendOrder(said: Said, terminal: Terminal): Promise<ExitCode> {
  const client = await clientFor(said, terminal);
  const within = durationFlag(said, "within", WITHIN);
  const answer = await askGateway(client, { method: "POST", ...(await readOrder(said, terminal)) });
  refuseUnlessAccepted(client, answer);
  const requestId = textAt(answer.json, "request_id") ?? "";
  const acknowledgment = paint(`Accepted: ${printable(textAt(answer.json, "description") ?? "")}`, true, terminal);
  const advice = said.flags.has("wait") ? [] : ["The result comes by callback: kredo listen prints it, and so does --wait here."];
  report(client, answer, [acknowledgment, `request_id ${printable(requestId)}`, ...advice]);
  // The key that was sent with is the account to look in, unless another one is named.
  const account = said.flags.get("account") ?? client.target.consumerKey;
  return said.flags.has("wait") ? awaitResult({ ...client, target: { ...client.target, account } }, requestId, within) : 0;
}

async function readOrder(said: Said, terminal: Terminal): Promise<{ path: string; body: Record<string, string> }> {
  const [operation, ...words] = said.words;
  if (operation === "airtime") {
    const [phone_number, amount] = expectWords(words, ["PHONE", "AMOUNT"], AIRTIME_USAGE);
    return { path: "/api/v2/airtime", body: { phone_number, amount } };
  }
  if (operation !== "sms") throw new Halt(2, explainOperation(operation));
  const [phone_number, text] = expectWords(words, ["PHONE", "TEXT"], SMS_USAGE);
  const message = text === "-" ? await readText(terminal) : text;
  return { path: "/api/v2/sms", body: { phone_number, message, sender_id: said.flags.get("sender-id") ?? SENDER_ID } };
}

/** The line end that `echo` and editors put last is not part of the message. */
async function readText(terminal: Terminal): Promise<string> {
  return (await terminal.readStdin()).replace(/\r?\n$/, "");
}

function explainOperation(written: string | undefined): string {
  if (written === undefined) return `what to send is missing; write kredo ${AIRTIME_USAGE} or kredo ${SMS_USAGE}`;
  const meant = closestWord(written, ["airtime", "sms"]);
  return `${quote(written)} cannot be sent; ${meant === undefined ? "write airtime or sms" : `did you mean "${meant}"?`}`;
}
