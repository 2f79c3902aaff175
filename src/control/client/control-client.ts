import { sayProblem } from "../../gateway/document/problem.ts";
import type { RequestMistake } from "../problem.ts";
import type { AccountCalls, AnswerOf, Calls, PathOf } from "./calls-of.ts";
import type { ListJson, ListBound } from "./shapes.ts";

/** Sends one request to a sandbox, in process or over HTTP. */
export type Send = (request: Request) => Promise<Response>;

/** A refusal by the control API: its HTTP status, the problem with its repair, and the whole response body. */
export class ControlError extends Error {
  static override readonly name = "ControlError";
  override readonly name = ControlError.name;
  readonly status: number;
  readonly answer: unknown;

  constructor(status: number, answer: unknown) {
    super(describeRefusal(status, answer));
    this.status = status;
    this.answer = answer;
  }
}

export interface ControlTarget {
  /** Without a trailing slash. */
  readonly url: string;
  readonly send: Send;
  readonly adminToken?: string;
  /** Rewrites a local URL for a sandbox that runs on another machine. By default, URLs stay unchanged. */
  readonly reachable?: (url: string) => string;
}

/** A client of which only streams and files are read. */
export type Opener = Pick<ControlClient, "open">;

export type Query = Readonly<Record<string, string | number | undefined>>;

/** A response of any status, with its body read to the end. */
export interface ControlAnswer {
  readonly status: number;
  readonly text: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown;
  /** The method and path of the request. */
  readonly call: string;
}

/** The control API as a whole. */
export const ADMIN_PATH = "/__admin/";

/** The control API of one account. */
export function accountPath(account: string): string {
  return `${ADMIN_PATH}accounts/${encodeURIComponent(account)}/`;
}

/** A client for the control API below one path: `ADMIN_PATH` or an `accountPath`. */
export class ControlClient<Of extends Calls = AccountCalls> {
  readonly #target: ControlTarget;
  readonly #base: string;

  constructor(target: ControlTarget, base: string) {
    this.#target = target;
    this.#base = base;
  }

  /** Sends a request to any path of the sandbox. */
  send(path: string, init: RequestInit): Promise<Response> {
    return this.#target.send(new Request(`${this.#target.url}${path}`, init));
  }

  /** Rewrites a URL of this machine so that the sandbox can call it. */
  reachable(url: string): string {
    return this.#target.reachable?.(url) ?? url;
  }

  /** Returns the response without reading its body: a stream or a file. */
  open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#target.adminToken !== undefined) headers.set("authorization", `Bearer ${this.#target.adminToken}`);
    return this.send(this.#pathOf(path), { ...init, headers });
  }

  /** An empty path means the account itself. */
  #pathOf(path: string): string {
    return path === "" ? this.#base.replace(/\/$/, "") : `${this.#base}${path}`;
  }

  /** Sends a request and returns the answer, even if it is a refusal. */
  call(method: string, path: string, body?: unknown): Promise<ControlAnswer> {
    if (body === undefined) return this.#call(path, { method });
    const headers = { "content-type": "application/json" };
    return this.#call(path, { method, headers, body: JSON.stringify(body) });
  }

  /** Sends YAML and returns the answer, even if it is a refusal. */
  callYaml(path: string, yaml: string, method: "POST" | "PUT" = "POST"): Promise<ControlAnswer> {
    return this.#call(path, { method, headers: { "content-type": "application/yaml" }, body: yaml });
  }

  async #call(path: string, init: RequestInit): Promise<ControlAnswer> {
    const response = await this.open(path, init);
    const text = await response.text();
    return {
      status: response.status,
      text,
      json: parseJsonOrUndefined(text),
      call: `${init.method} ${this.#pathOf(path)}`,
    };
  }

  /** Types of responses, here and below, are those of the control API's routes. */
  async get<Path extends PathOf<Of, "$get">>(path: Path, query: Query = {}): Promise<AnswerOf<Of, Path, "$get">> {
    return jsonOf(await this.call("GET", withQuery(path, query)));
  }

  /** Gets the rows of a list with pages: all of them, or the first so many. */
  async list<Path extends PathOf<Of, "$get">>(
    path: Path,
    { limit, ...query }: Query & ListBound = {},
  ): Promise<RowOf<AnswerOf<Of, Path, "$get">>[]> {
    type Page = ListJson<RowOf<AnswerOf<Of, Path, "$get">>>;
    const ask = async (page: Query): Promise<Page> =>
      jsonOf(await this.call("GET", withQuery(path, { ...query, ...page })));
    return (await readPages(ask, limit)).items;
  }

  /** Gets a text response. */
  async getText(path: string): Promise<string> {
    const answer = await this.call("GET", path);
    if (answer.status >= 400) throw new ControlError(answer.status, answer.json);
    return answer.text;
  }

  async post<Path extends PathOf<Of, "$post">>(path: Path, body: unknown): Promise<AnswerOf<Of, Path, "$post">> {
    return jsonOf(await this.call("POST", path, body));
  }

  async postYaml<Path extends PathOf<Of, "$post">>(path: Path, yaml: string): Promise<AnswerOf<Of, Path, "$post">> {
    return jsonOf(await this.callYaml(path, yaml));
  }

  async putYaml<Path extends PathOf<Of, "$put">>(path: Path, yaml: string): Promise<AnswerOf<Of, Path, "$put">> {
    return jsonOf(await this.callYaml(path, yaml, "PUT"));
  }

  async patch<Path extends PathOf<Of, "$patch">>(path: Path, body: unknown): Promise<AnswerOf<Of, Path, "$patch">> {
    return jsonOf(await this.call("PATCH", path, body));
  }

  async put<Path extends PathOf<Of, "$put">>(path: Path, body: unknown): Promise<AnswerOf<Of, Path, "$put">> {
    return jsonOf(await this.call("PUT", path, body));
  }

  async delete(path: PathOf<Of, "$delete">): Promise<void> {
    jsonOf(await this.call("DELETE", path));
  }
}

type RowOf<Page> = Page extends { items: (infer Row)[] } ? Row : never;

/** The rows of a page. A page of more waits for other large responses. */
const PAGE_ROWS = 1_000;

/** Reads the pages of a list up to so many rows. Returns the last one with the rows of all. */
export async function readPages<Page extends ListJson<unknown>>(
  ask: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page>,
  limit = Infinity,
): Promise<Page> {
  const items: Page["items"] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await ask({ limit: Math.min(limit - items.length, PAGE_ROWS), cursor });
    items.push(...page.items);
    cursor = page.next ?? undefined;
    if (cursor === undefined || items.length >= limit) return { ...page, items };
  }
}

/** Appends a query to a path, without the values that are undefined. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** JSON whose type the caller knows. */
export type Parsed = ReturnType<typeof JSON.parse>;

/** Returns the JSON of an answer; null if it is empty. Throws a `ControlError` if it is a refusal. */
export function jsonOf({ status, text, json }: ControlAnswer): Parsed {
  if (status >= 400) throw new ControlError(status, json);
  // What is not JSON is parsed again for the reason.
  return json ?? JSON.parse(text || "null");
}

/** Parses JSON text; returns undefined if it is not JSON. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeRefusal(status: number, answer: unknown): string {
  if (typeof answer !== "object" || answer === null || !("problem" in answer))
    return `the control API answered ${status}`;
  const first = `${status}: ${String(answer.problem)}${"repair" in answer ? `; ${String(answer.repair)}` : ""}`;
  return [first, ...("problems" in answer ? describeOthers(answer.problems) : [])].join("\n");
}

/** Describes the second and later mistakes in a submitted text; the first one is the problem itself. */
function describeOthers(problems: unknown): string[] {
  if (!Array.isArray(problems)) return [];
  return problems.slice(1).map(({ line, column, path, problem, repair }: RequestMistake) => {
    const place = line === undefined ? "" : `${line}:${column} `;
    return `  ${place}${sayProblem(path, problem)}; ${repair}`;
  });
}
