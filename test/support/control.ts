import { expect } from "vitest";
import { ExchangeLog } from "../../src/gateway/http/exchanges.ts";
import { type ControlOptions, createControlApi } from "../../src/control/control-api.ts";
import { streamVerdicts, verdictCalls } from "../../src/verdict/endpoints/routes.ts";
import { openShippedScenarios } from "../../src/gateway/adapters/files/shipped-scenarios.ts";
import { type WatchedWorld, watchedWorld, type WatchedWorldOptions } from "./watched-world.ts";
import { accountSettings } from "./gateway/world.ts";

const shipped = await openShippedScenarios();

export interface TestControl extends WatchedWorld {
  /** Calls the control API below /__admin; a body that is no text becomes JSON. */
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** The same, for what is not JSON. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly stop: () => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line typescript/no-explicit-any -- a test reads whatever came back
  readonly body: any;
}

interface TestControlOptions extends WatchedWorldOptions {
  readonly control?: Partial<ControlOptions>;
}

/** A control API on a world of its own. */
export function testControl(options: TestControlOptions = {}): TestControl {
  const set = watchedWorld(options);
  const stopping = new AbortController();
  const app = createControlApi(set.world, {
    adminHosts: [],
    openAccount: async (written) =>
      set.world.open(accountSettings({ consumer_key: written.consumer_key ?? "made-up-key" })),
    calls: verdictCalls(set.findings),
    alongside: streamVerdicts(set.findings),
    reasonNeverSent: () => undefined,
    shipped,
    transport: set.transport,
    exchanges: new ExchangeLog(stopping.signal, () => {}),
    report: (fault) => `report-${set.faults.push(fault)}`,
    stopping: stopping.signal,
    ...options.control,
  });
  const fetch = async (path: string, init?: RequestInit): Promise<Response> => app.request(`/__admin${path}`, init);
  const call: TestControl["call"] = async (...request) => answerOf(await fetch(request[1], requestOf(request)));
  return { ...set, fetch, call, stop: () => stopping.abort() };
}

type Written = Parameters<TestControl["call"]>;

function requestOf([method, , body, headers = {}]: Written): RequestInit {
  if (body === undefined) return { method, headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method, headers: { "content-type": "application/json", ...headers }, body: text };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** A stream of server-sent events, read a chunk at a time. */
export interface Listening {
  next(): Promise<string>;
}

/** Listens to the default account unless told otherwise, past the first comment. */
export async function listen(
  fetch: TestControl["fetch"],
  headers: Record<string, string> = {},
  path = "/accounts/default/events",
): Promise<Listening> {
  const response = await fetch(path, { headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string> => (await reader?.read())?.value ?? "the end";
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await next()).toMatch(/^: ready\n\n/);
  return { next };
}
