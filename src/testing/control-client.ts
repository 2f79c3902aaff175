import { sayProblem } from "../document/problem.ts";
import type { Mistake } from "../http/problem.ts";

/** Sends one request to a sandbox, in process or over HTTP. */
export type Send = (request: Request) => Promise<Response>;

/** What the control API refused to do: its HTTP status, the problem with its repair, and the whole answer. */
export class ControlError extends Error {
  readonly status: number;
  readonly answer: unknown;

  constructor(status: number, answer: unknown) {
    super(describe(status, answer));
    this.status = status;
    this.answer = answer;
  }
}

export interface ControlTarget {
  /** Without a slash at its end. */
  readonly url: string;
  readonly send: Send;
  readonly adminToken?: string;
  /** The URL by which the sandbox reaches what a URL means here, where that is another machine; the same unless said. */
  readonly reachable?: (url: string) => string;
}

/** The control API of one account. */
export class ControlClient {
  readonly #target: ControlTarget;
  readonly #base: string;

  constructor(target: ControlTarget, base: string) {
    this.#target = target;
    this.#base = base;
  }

  /** A request to any path of the sandbox. */
  send(path: string, init: RequestInit): Promise<Response> {
    return this.#target.send(new Request(new URL(path, this.#target.url), init));
  }

  /** A URL of this machine, as the sandbox would call it. */
  reachable(url: string): string {
    return this.#target.reachable?.(url) ?? url;
  }

  /** An answer as it comes: a stream, a file. */
  open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#target.adminToken !== undefined) headers.set("authorization", `Bearer ${this.#target.adminToken}`);
    return this.send(`${this.#base}${path}`, { ...init, headers });
  }

  get<Answer>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<Answer> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return this.#call("GET", search.size === 0 ? path : `${path}?${search.toString()}`);
  }

  /** An answer that is text and not JSON. */
  async getText(path: string): Promise<string> {
    const response = await this.open(path);
    const text = await response.text();
    if (!response.ok) throw new ControlError(response.status, JSON.parse(text));
    return text;
  }

  post<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#call("POST", path, body);
  }

  /** A body in YAML. */
  postYaml<Answer>(path: string, yaml: string): Promise<Answer> {
    return this.#send("POST", path, { type: "application/yaml", text: yaml });
  }

  patch<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#call("PATCH", path, body);
  }

  put<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#call("PUT", path, body);
  }

  delete(path: string): Promise<void> {
    return this.#call("DELETE", path);
  }

  #call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#send(method, path, body === undefined ? undefined : { type: "application/json", text: JSON.stringify(body) });
  }

  /** The caller names the shape, which the control API's own schema fixes. */
  async #send<Answer>(method: string, path: string, body: { type: string; text: string } | undefined): Promise<Answer> {
    const { adminToken } = this.#target;
    const headers = {
      ...(body && { "content-type": body.type }),
      ...(adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }),
    };
    const response = await this.send(`${this.#base}${path}`, { method, headers, ...(body && { body: body.text }) });
    const text = await response.text();
    const answer = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) throw new ControlError(response.status, answer);
    return answer;
  }
}

function describe(status: number, answer: unknown): string {
  if (typeof answer !== "object" || answer === null || !("problem" in answer)) return `the control API answered ${status}`;
  const first = `${status}: ${String(answer.problem)}${"repair" in answer ? `; ${String(answer.repair)}` : ""}`;
  return [first, ...("problems" in answer ? sayOthers(answer.problems) : [])].join("\n");
}

/** The mistakes of a text that was sent, from the second on; the first one is the problem itself. */
function sayOthers(problems: unknown): string[] {
  if (!Array.isArray(problems)) return [];
  return problems.slice(1).map(({ line, column, path, problem, repair }: Mistake) => {
    const place = line === undefined ? "" : `${line}:${column} `;
    return `  ${place}${sayProblem(path, problem)}; ${repair}`;
  });
}
