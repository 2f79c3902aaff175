import { findJsonExcess, MAX_SIGNS } from "../gateway/document/nesting.ts";
import type * as z from "zod";
import { explainIssues, MAX_MISTAKES } from "../gateway/document/explain-issues.ts";
import { parseDocument } from "../gateway/document/parse-document.ts";
import { formatPath, sayProblem } from "../gateway/document/problem.ts";
import { HttpProblem, type RequestMistake } from "./problem.ts";
import { messageOf } from "../gateway/domain/message-of.ts";

/** A request body with its text. JSON is already parsed, YAML is not. */
export type ControlBody =
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "yaml"; readonly text: string };

/** An empty body means the same as an empty mapping. */
const NO_BODY: ControlBody = { kind: "json", value: {}, text: "" };

/** The most bytes of an ordinary body. A guess: the control API takes settings and amounts, not files. */
const LARGEST_BODY = 1_048_576;

/** Twice the size of a thousand plain rules. Parsing a larger scenario would block other requests. */
const LARGEST_SCENARIO = 262_144;

/** About ten thousand cells with their exchanges. */
const LARGEST_EXPLORATION = 16 * LARGEST_BODY;

/** A whole journal is larger: its default limit is 16 MiB in memory, and its JSON is longer. */
const LARGEST_IMPORT = 64 * LARGEST_BODY;

/**
 * Reads the text of a changing call's body. Throws an `HttpProblem`: 415 if it is neither JSON nor YAML (a foreign web page can send neither
 * without a preflight), 400 if it is not text or not JSON.
 */
export function readControlBody(request: Request, bytes: Uint8Array | undefined): ControlBody {
  if (bytes === undefined || bytes.length === 0) return NO_BODY;
  const { mostSigns } = limitsAt(new URL(request.url).pathname);
  const kind = kindOf(request.headers.get("content-type"));
  const text = decode(bytes);
  return kind === "yaml" ? { kind, text } : { kind, value: parseJson(text, mostSigns), text };
}

/** Reads the body of a changing call. Throws an `HttpProblem` 413 if it is too large. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Whoever looks at a body has the whole request built, so the method comes first.
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) return undefined;
  const declared = Number(request.headers.get("content-length") ?? 0);
  return readAtMost(request.body, declared, limitsAt(new URL(request.url).pathname).largest);
}

interface BodyLimits {
  readonly largest: number;
  readonly mostSigns: number;
}

function limitsAt(path: string): BodyLimits {
  // Neither has more than one comma or colon for eight bytes.
  if (path.endsWith("/import")) return { largest: LARGEST_IMPORT, mostSigns: LARGEST_IMPORT / 8 };
  if (path.endsWith("/exploration")) return { largest: LARGEST_EXPLORATION, mostSigns: LARGEST_EXPLORATION / 8 };
  const largest = /\/scenarios(\/[^/]+)?$/.test(path) ? LARGEST_SCENARIO : LARGEST_BODY;
  return { largest, mostSigns: MAX_SIGNS };
}

async function readAtMost(
  body: ReadableStream<Uint8Array>,
  declared: number,
  largest: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (declared > largest) throw tooLarge(largest);
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > largest) throw tooLarge(largest);
      chunks.push(chunk);
    }
  } catch (problem) {
    if (problem instanceof HttpProblem) throw problem;
    // The stream fails if the client disconnects. That is not our bug, and nobody reads the response.
    throw new HttpProblem(400, ["the client left before the end of its body", "send all of it"]);
  }
  return Buffer.concat(chunks);
}

function kindOf(contentType: string | null): ControlBody["kind"] {
  const [mediaType = ""] = (contentType ?? "").toLowerCase().split(";");
  if (/^application\/([a-z0-9.-]+\+)?json$/.test(mediaType.trim())) return "json";
  if (/^application\/(x-)?yaml$/.test(mediaType.trim())) return "yaml";
  const problem = contentType === null ? "the body has no Content-Type" : `the control API does not read ${mediaType}`;
  throw new HttpProblem(415, [problem, "send Content-Type: application/json or application/yaml"], {
    headers: { accept: "application/json, application/yaml" },
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, ["the body is not valid UTF-8", "send it in UTF-8"]);
  }
}

function parseJson(text: string, mostSigns: number): unknown {
  const excess = findJsonExcess(text, mostSigns);
  if (excess !== undefined) throw new HttpProblem(400, [excess.problem, excess.repair]);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpProblem(400, [`the body is not JSON: ${messageOf(error)}`, "correct it"]);
  }
}

function tooLarge(largest: number): HttpProblem {
  return new HttpProblem(413, [`the body is larger than ${largest} bytes`, "send less at a time"], {
    headers: { connection: "close" },
  });
}

/** Parses a body with its schema. Throws an `HttpProblem` 422 with all mistakes at once. */
export function parseBody<Schema extends z.ZodType>(body: ControlBody, schema: Schema): z.output<Schema> {
  if (body.kind === "json") return parseValue(body.value, schema, "body");
  const parsed = parseDocument(body.text, schema, "body");
  if ("value" in parsed) return parsed.value;
  throw invalid(parsed.problems);
}

/** Parses a value with its schema; `whole` is its name in messages. Throws an `HttpProblem` 422. */
export function parseValue<Schema extends z.ZodType>(value: unknown, schema: Schema, whole: string): z.output<Schema> {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  throw invalid(
    explainIssues(checked.error.issues, schema).map((mistake) => ({
      ...mistake,
      path: formatPath(mistake.path) || whole,
    })),
  );
}

/** Returns the refusal of a call with these mistakes. */
export function invalid(mistakes: readonly RequestMistake[]): HttpProblem {
  const problems = mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ path, line, column, problem, repair }) => ({ path, line, column, problem, repair }));
  const [{ path, line, column, problem, repair } = UNKNOWN] = problems;
  const more =
    mistakes.length > 1 ? ` (and ${mistakes.length < MAX_MISTAKES ? "" : "at least "}${mistakes.length - 1} more)` : "";
  const place = line === undefined ? "" : `body:${line}:${column} `;
  return new HttpProblem(422, [`${place}${sayProblem(path, problem)}${more}`, repair], { problems });
}

const UNKNOWN: RequestMistake = { path: "body", problem: "does not fit", repair: "change it" };
