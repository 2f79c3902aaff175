import { EXAMPLE_ACCOUNT, isOfGateway, methodOf, pathOf, type ExampleCall, type RecordedCall } from "./api-examples.ts";

const ORIGIN = "http://127.0.0.1:8254";

/** Characters of a line. */
const WIDTH = 88;

/** A body of the page may take this many characters; the collection and OpenAPI have it whole. */
const BODY_WIDTH = 140;

/** An example of an endless response, with what runs it. */
export const STREAM = [
  "",
  '<!-- run until="event: " -->',
  "```sh",
  `curl -N '${ORIGIN}/__admin/accounts/default/events?after=0'`,
  "```",
];

/** Returns the example as a command for a fresh sandbox. What an earlier call answered stands in capitals. */
export function curlOf(example: ExampleCall): string {
  const url = `${ORIGIN}${pathOf(example)}`
    .replace(/\{\{account\}\}(?=\/(?!reset|credentials))/, "default")
    .replace("{{account}}", EXAMPLE_ACCOUNT.consumer_key)
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => name.toUpperCase());
  const words = [
    "curl",
    ...(isOfGateway(example) ? ["-u sandbox-key:sandbox-secret"] : []),
    ...methodWords(example),
    url.includes("?") ? `'${url}'` : url,
    ...bodyWords(example),
  ];
  const line = words.join(" ");
  return line.length <= WIDTH || example.body === undefined ? line : line.replace(" --json", " \\\n  --json");
}

/** With a body, curl sends a POST by itself. */
function methodWords({ call, body }: ExampleCall): string[] {
  const method = methodOf({ call });
  return method === (body === undefined ? "GET" : "POST") ? [] : [`-X ${method}`];
}

function bodyWords({ body, file }: ExampleCall): string[] {
  if (body === undefined) return file === undefined ? [] : [`-o ${file}`];
  if (file !== undefined) return [`--json @${file}`];
  return [`--json '${fill(JSON.stringify(shortBody(body)))}'`];
}

/** Leaves out the last keys of a long body. */
function shortBody(body: object | string): object | string {
  const entries = Object.entries(body);
  return JSON.stringify(body).length <= BODY_WIDTH ? body : shortBody(Object.fromEntries(entries.slice(0, -1)));
}

function fill(text: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => name.toUpperCase());
}

/** Returns the beginning of a JSON response, or nothing if the response says nothing. */
export function answerOf({ text, file }: RecordedCall): string[] {
  return text === "" || file !== undefined ? [] : [brief(JSON.parse(text), WIDTH - "# ".length)];
}

/** Writes a value in at most so many characters, with `…` for what is left out. */
function brief(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(briefText(value));
  const whole = JSON.stringify(value);
  if (typeof value !== "object" || value === null || whole.length <= room) return whole;
  if (Array.isArray(value)) return `[${brief(value[0], room - "[,…]".length)}${value.length > 1 ? ",…" : ""}]`;
  return briefKeys(Object.entries(value), room - "{,…}".length);
}

/** Writes as many keys as have room. */
function briefKeys(entries: readonly [key: string, value: unknown][], room: number): string {
  const written: string[] = [];
  for (const [key, value] of entries) {
    const before = `${[...written, JSON.stringify(key)].join(",")}:`;
    const pair = `${JSON.stringify(key)}:${brief(value, Math.max(NESTED, room - before.length))}`;
    if ([...written, pair].join(",").length > room) return `{${[...written, "…"].join(",")}}`;
    written.push(pair);
  }
  return `{${written.join(",")}}`;
}

/** Cuts UUIDs, and texts longer than a moment. */
function briefText(text: string): string {
  const [, digits] = /^([0-9a-f]{8})-[0-9a-f-]{27}$/.exec(text) ?? [];
  if (digits !== undefined) return `${digits}-…`;
  return text.length <= MOMENT.length ? text : `${text.slice(0, MOMENT.length)}…`;
}

const MOMENT = "2025-01-06T06:00:00.000Z";

/** The least room for a value within another. */
const NESTED = 12;
