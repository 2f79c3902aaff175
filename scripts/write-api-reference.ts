import type { ApiDescription } from "./openapi.ts";
import { type Answer, type Call, type Content, listCalls } from "./list-calls.ts";
import type { Documented } from "./list-fields.ts";
import { anchor, code, type Field, keyTable } from "./markdown.ts";

/** Writes the reference page of the gateway and the control API, grouped by subject. */
export function writeApiReference(description: ApiDescription, elsewhere: Documented): string {
  const groups = listCalls(description, elsewhere);
  return [
    "# Gateway and control API",
    "",
    "The gateway requires Basic authentication with an account's key and secret. The control API requires `Authorization: Bearer` if an admin",
    'token is set. It refuses a call with `{"status", "problem", "repair"}`. Bodies are JSON. `{account}` is a consumer key, or `default` for',
    "the first account.",
    "",
    "This page is generated from `GET /__admin/openapi.json` and lists only the top-level keys of responses. The package",
    "also contains `schema/openapi.json`, with all keys and an example of each call, and `schema/postman.json`, a collection for Postman, Bruno,",
    "Insomnia and Hoppscotch. Run from top to bottom, the collection opens an account, makes every call on it and deletes it.",
    "",
    ...groups.map(
      ({ title, calls }) =>
        `- [${title}](#${anchor(title)}): ${calls.map(({ method, path }) => code(`${method} ${path}`)).join(", ")}`,
    ),
    ...groups.flatMap(({ title, calls }) => ["", `## ${title}`, ...calls.flatMap(tellCall)]),
    "",
  ].join("\n");
}

function tellCall({ method, path, summary, parameters, body, answers }: Call): string[] {
  const asked = parameters.filter((parameter) => parameter.path !== "{account}");
  return [
    "",
    `### ${method} ${path}`,
    "",
    `${summary}.`,
    ...tellFields("Parameters", asked),
    ...tellContent(`Body (${body.mediaTypes.join(", ")})`, body),
    ...answers.flatMap(tellAnswer),
  ];
}

function tellAnswer(answer: Answer): string[] {
  const { status, description, mediaTypes, type } = answer;
  const types = mediaTypes.length === 0 ? "" : ` (${mediaTypes.join(", ")}${type === "" ? "" : `: ${type}`})`;
  const sentence = `${status === "default" ? "Other" : status}: ${description.replace(/\.$/, "")}${types}`;
  return answer.fields.length === 0 ? ["", `${sentence}.`] : tellFields(sentence, answer.fields.filter(isNearTop));
}

/** Returns whether a key is at the top level of a response. The OpenAPI file has the others too. */
function isNearTop({ path }: Field): boolean {
  return path.replace(/^items\[\]\.?/, "").split(".").length === 1;
}

function tellContent(title: string, { mediaTypes, fields }: Content): string[] {
  return mediaTypes.length === 0 ? [] : tellFields(title, fields);
}

function tellFields(title: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return [];
  return ["", `${title}:`, "", ...keyTable(fields)];
}
