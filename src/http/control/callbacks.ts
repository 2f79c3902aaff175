import * as z from "zod";
import { readAttempts } from "../../account/readings/attempts.ts";
import { callbacksValue } from "../../config/callbacks-schema.ts";
import { callbackUrlValue } from "../../document/account-values.ts";
import { type CallbackSettings, type CallbackUrl, type Operation, SINK_URL } from "../../domain/settings.ts";
import { formatDuration } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import { setCallbacks } from "../../engine/commands.ts";
import type { World } from "../../engine/world.ts";
import type { CallbackTransport } from "../../ports/callback-transport.ts";
import { type AccountCall, accountEndpoint } from "./account-endpoint.ts";
import { attemptJson, attemptShape } from "./attempt-json.ts";
import { callbackTestEndpoint } from "./callback-test.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { limitValue, listOf } from "./values.ts";

export const callbacksShape = z.object({
  airtime: z.string().nullable(),
  sms: z.string().nullable(),
  timeout: z.string(),
  concurrency: z.int(),
  retry: z.object({ attempts: z.int(), spacing: z.array(z.string()), on: z.array(z.string()) }),
  headers: z.record(z.string(), z.string()),
  ca: z.string().nullable(),
  insecure: z.boolean(),
  traceparent: z.boolean().describe("Whether callbacks carry the traceparent of their request."),
});

const changeValue = callbacksValue.extend({
  airtime: callbackUrlValue.nullable().describe("URL for airtime results; null takes it away.").exactOptional(),
  sms: callbackUrlValue.nullable().describe("URL for delivery reports; null takes it away.").exactOptional(),
  ca: callbacksValue.shape.ca.unwrap().nullable().exactOptional(),
});

type Change = z.output<typeof changeValue>;

const CALLED = "/accounts/{account}/callbacks";
const answers = { 200: { description: "Where callbacks go, and how", schema: callbacksShape } };

export function callbackEndpoints(world: World, transport: CallbackTransport): Endpoint[] {
  return [
    accountEndpoint(
      world,
      { method: "get", path: CALLED, summary: "Read where callbacks go", query: NOTHING, body: NOTHING, answers },
      ({ account }) => callbacksJson(account.state.settings.callbacks),
    ),
    accountEndpoint(
      world,
      {
        method: "put",
        path: CALLED,
        summary: "Change the keys that are there; a public host needs the admin token or callback_allow",
        query: NOTHING,
        body: changeValue,
        answers,
      },
      changeCallbacks,
    ),
    callbackTestEndpoint(world, transport),
    accountEndpoint(
      world,
      {
        method: "get",
        path: `${CALLED}/received`,
        summary: `List what the receiver inside the sandbox got (URL ${SINK_URL}), newest first`,
        query: z.strictObject({ request_id: z.string().exactOptional(), limit: limitValue }),
        body: NOTHING,
        answers: { 200: { description: "Callback attempts", schema: listOf(attemptShape) } },
      },
      ({ account, query }) => listReceived(account, query),
    ),
  ];
}

export function callbacksJson({
  urls,
  timeout,
  concurrency,
  retry,
  headers,
  ca,
  insecure,
  traceparent = false,
}: CallbackSettings): z.output<typeof callbacksShape> {
  return {
    airtime: urls.airtime?.url ?? null,
    sms: urls.sms?.url ?? null,
    timeout: formatDuration(timeout),
    concurrency,
    retry: { attempts: retry.attempts, spacing: retry.spacing.map(formatDuration), on: [...retry.on] },
    headers: { ...headers },
    ca: ca ?? null,
    insecure,
    traceparent,
  };
}

async function changeCallbacks({ account, body, isTrusted }: AccountCall<unknown, Change>): Promise<unknown> {
  const trusts = (url: string): boolean => isTrusted || account.isOwnersUrl(url);
  await setCallbacks(account, changed(account.state.settings.callbacks, body, trusts));
  return callbacksJson(account.state.settings.callbacks);
}

function changed(before: CallbackSettings, change: Change, trusts: (url: string) => boolean): CallbackSettings {
  const { airtime, sms, ca, retry, timeout, concurrency, headers, insecure, traceparent } = change;
  const { ca: caBefore, ...rest } = before;
  const certificate = ca === undefined ? caBefore : (ca ?? undefined);
  return {
    ...rest,
    urls: { ...changedUrl("airtime", before, { url: airtime, trusts }), ...changedUrl("sms", before, { url: sms, trusts }) },
    retry: { ...before.retry, ...retry },
    ...(timeout !== undefined && { timeout }),
    ...(concurrency !== undefined && { concurrency }),
    ...(headers !== undefined && { headers }),
    ...(insecure !== undefined && { insecure }),
    ...(traceparent !== undefined && { traceparent }),
    ...(certificate !== undefined && { ca: certificate }),
  };
}

function changedUrl(
  operation: Operation,
  { urls }: CallbackSettings,
  { url, trusts }: { url: string | null | undefined; trusts: (url: string) => boolean },
) {
  const before = urls[operation];
  if (url === undefined) return before === undefined ? {} : { [operation]: before };
  return url === null ? {} : { [operation]: { url, trusted: trusts(url) || isUnchanged(url, before) } };
}

/** A URL that is written again as it was keeps the trust it had: reading the settings and putting them back changes nothing. */
function isUnchanged(url: string, before: CallbackUrl | undefined): boolean {
  return before !== undefined && before.trusted && before.url === url;
}

async function listReceived(account: Account, query: { request_id?: string; limit: number }): Promise<unknown> {
  const received = readAttempts(await account.read())
    .filter(({ url, requestId }) => url === SINK_URL && requestId === (query.request_id ?? requestId))
    .toReversed();
  return {
    items: received.slice(0, query.limit).map((attempt) => attemptJson(account, attempt)),
    total: received.length,
    evicted: account.evicted,
  };
}
