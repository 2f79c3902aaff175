import { formatDuration, type Instant, type Millis } from "../domain/time.ts";
import { type Client, control, type JsonAnswer, report } from "./client.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { numberAt, textAt } from "./json-view.ts";
import { paint, printable, sayKes } from "./wording.ts";

const INTERVAL: Millis = 100;

/** Waits until a request has its result and its callback has been tried, then prints both. Well only if it succeeded. */
export async function awaitResult(client: Client, requestId: string, within: Millis): Promise<ExitCode> {
  const { clock, pause } = client.terminal;
  const deadline: Instant = clock.now() + within;
  const path = `/transactions/${encodeURIComponent(requestId)}`;
  let answer = await control(client, { method: "GET", path });
  if (isOpen(answer)) await refuseIfManual(client);
  while (isOpen(answer) && clock.now() < deadline) {
    await pause(INTERVAL, new AbortController().signal);
    answer = await control(client, { method: "GET", path });
  }
  if (stateOf(answer) === "queued") throw new Halt(1, `No result within ${formatDuration(within)}: ${explainCallback(answer)}`);
  report(client, answer, describeResult(client, answer));
  return stateOf(answer) === "succeeded" ? 0 : 1;
}

/** A stuck one will not change any more. */
function isOpen(answer: JsonAnswer): boolean {
  const state = stateOf(answer);
  return state === "queued" || (state !== "stuck" && textAt(answer.json, "callback", "state") === "pending");
}

/** Nothing comes while nobody moves the clock, so that waiting would be in vain. */
async function refuseIfManual(client: Client): Promise<void> {
  const clock = await control(client, { method: "GET", path: "/clock" });
  if (textAt(clock.json, "mode") !== "manual") return;
  throw new Halt(1, "The account's clock is manual: the result comes when kredo advance moves it.");
}

function stateOf({ json }: JsonAnswer): string {
  return textAt(json, "state") ?? "unknown";
}

function explainCallback({ json }: JsonAnswer): string {
  return printable(textAt(json, "callback", "explanation") ?? "it is still queued.");
}

function describeResult({ terminal }: Client, answer: JsonAnswer): string[] {
  const { json } = answer;
  const state = stateOf(answer);
  const code = numberAt(json, "result_code");
  const result = code === undefined ? "" : `: ${code} ${textAt(json, "result_desc") ?? ""}`;
  return [
    paint(printable(`${state}${result}`), state === "succeeded", terminal),
    ...(state === "stuck" ? [] : [`charge ${sayKes(numberAt(json, "charge"))}, balance ${sayKes(numberAt(json, "account_balance"))}`]),
    `callback: ${explainCallback(answer)}`,
  ];
}
