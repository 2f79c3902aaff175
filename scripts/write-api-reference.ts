import type { RecordedCall } from "./api-examples.ts";
import { answerOf, curlOf, STREAM } from "./curl-examples.ts";
import { type Call, type CallGroup, listCalls } from "./list-calls.ts";
import { cell, code, type Field, keyList } from "./markdown.ts";
import type { ApiDescription } from "./openapi.ts";

const OF_ACCOUNT = "/__admin/accounts/{account}/";

/** Writes the page of the gateway and the control API: what each call does, and an example of it. OpenAPI has the rest. */
export function writeApiReference(description: ApiDescription, recorded: readonly RecordedCall[]): string {
  const first = new Map(recorded.toReversed().map((made) => [made.call, made]));
  return [
    "# Gateway and control API",
    "",
    "One example of each call, its answer shortened with `…`. For all parameters, bodies and answers, read the OpenAPI document:",
    "`GET /__admin/openapi.json`, or `schema/openapi.json` in the package. `schema/postman.json` is a collection for Postman, Bruno, Insomnia and",
    "Hoppscotch: run from top to bottom, it opens an account, makes every call on it and deletes it.",
    "",
    "The gateway requires Basic authentication with an account's key and secret. The control API requires `Authorization: Bearer` if an admin",
    'token is set. It refuses a call with `{"status", "problem", "repair"}`. Bodies are JSON; the control API also takes YAML. A path that does',
    `not begin with a slash is below ${code(OF_ACCOUNT)}: a consumer key, or \`default\` for the first account.`,
    ...listCalls(description).flatMap((group) => tellGroup(group, first)),
    "",
  ].join("\n");
}

function tellGroup({ title, calls }: CallGroup, recorded: ReadonlyMap<string, RecordedCall>): string[] {
  return ["", `## ${title}`, "", ...callTable(calls), ...tellFields(calls), ...tellExamples(calls, recorded)];
}

/** Its columns are aligned, because `kredo docs` prints it as it is. */
function callTable(calls: readonly Call[]): string[] {
  const rows = calls.map(({ method, path, summary }) => [
    code(`${method} ${path.replace(OF_ACCOUNT, "")}`),
    cell(firstSentence(summary)),
  ]);
  const width = Math.max(...rows.map(([call = ""]) => call.length));
  return [["call", "does"], ["-".repeat(width), "---"], ...rows].map(
    ([call = "", does]) => `${call.padEnd(width)} | ${does}`,
  );
}

function firstSentence(summary: string): string {
  return `${summary.split(/[.:;] /)[0]}.`;
}

/** The keys of what clients of the gateway send and get. Answers of the same description have the same keys, told once. */
function tellFields(calls: readonly Call[]): string[] {
  const told = new Map<string, string[]>();
  for (const { method, path, body, answers } of calls.filter((call) => !call.path.startsWith("/__admin/"))) {
    if (body.length > 0) told.set(`Body of ${code(`${method} ${path}`)}:`, keyList(body));
    for (const { status, description, fields } of answers)
      told.set(`${status === "default" ? "Other" : status}: ${description}`, keyList(fields.filter(isTop)));
  }
  return [...told].flatMap(([title, keys]) => ["", title, ...(keys.length === 0 ? [] : ["", ...keys])]);
}

/** Returns whether a key of an answer is told here. OpenAPI has those below it, too. */
function isTop({ path }: Field): boolean {
  return !path.includes(".");
}

function tellExamples(calls: readonly Call[], recorded: ReadonlyMap<string, RecordedCall>): string[] {
  const stream = calls.some(({ path }) => path.endsWith("/events")) ? STREAM : [];
  const shown = calls.flatMap(({ method, path }) => recorded.get(`${method} ${path}`) ?? []);
  const examples = shown.map((made) => [curlOf(made), ...answerOf(made).map((line) => `# ${line}`)].join("\n"));
  if (shown.length === 0) return stream;
  return ["", "```sh", examples.join("\n\n"), "```"];
}
