import { numberAt, readJson, textAt, valueAt } from "./json-view.ts";
import type { Received } from "./receiver.ts";
import type { Terminal } from "./terminal.ts";
import { paint, printable } from "./wording.ts";

/** A callback on one line: time of day, operation, request_id, result, charge, balance, with the numbers as they came. */
export function describeCallback({ operation, body, isWhole }: Received, terminal: Terminal): string {
  const json = readJson(body);
  const head = `${timeOfDay(terminal)}  ${printable(operation).padEnd("airtime".length)}`;
  const code = valueAt(json, "result_code");
  if (code === undefined) return `${head}  ${paint(complain(body, isWhole), false, terminal)}`;
  const result = paint(printable(`${JSON.stringify(code)} ${textAt(json, "result_desc") ?? ""}`.trim()), code === 200, terminal);
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
