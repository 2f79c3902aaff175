import { type Client, type JsonAnswer, report } from "./client.ts";
import { Halt } from "./halt.ts";
import { numberAt, textAt } from "./json-view.ts";
import { paint, printable } from "./wording.ts";

/** Prints a refusal of the gateway with its envelope, and halts. The envelope's code decides: `http_status: always_200` is a setting. */
export function refuseUnlessAccepted(client: Client, answer: JsonAnswer): void {
  if (numberAt(answer.json, "status_code") === 200) return;
  report(client, answer, explainRefusal(client, answer));
  throw new Halt(1, "");
}

function explainRefusal({ target, terminal }: Client, { asked, status, headers, json, text }: JsonAnswer): string[] {
  const code = numberAt(json, "status_code");
  if (code === undefined)
    return [
      paint(`${asked} got ${status}, not with the gateway's envelope:`, false, terminal),
      printable(text.slice(0, 1_000)) || "(no body)",
      `A scenario can do that. If none does, ${target.url} is not a sandbox: name it with --url; kredo serve prints its address.`,
    ];
  return [
    paint(`Refused with ${code}: ${printable(textAt(json, "description") ?? "")}`, false, terminal),
    JSON.stringify(json, undefined, 2),
    ...["x-kredo-hint", "x-kredo-rule"].flatMap((name) => sayHeader(name, headers[name])),
  ];
}

function sayHeader(name: string, value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${printable(String(value))}`];
}
