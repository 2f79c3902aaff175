import { Hono } from "hono";
import * as z from "zod";
import { settingsInForce } from "../gateway/account/state.ts";
import { isBeginning } from "../gateway/account/event-guards.ts";
import { shownEvents } from "../gateway/account/readings/journal-slice.ts";
import type { Attempted } from "../gateway/account/events.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import {
  type CallbackSettings,
  type CallbackUrl,
  callbackHeaders,
  callbacksValue,
  callbackUrlValue,
  splitUrls,
} from "../gateway/settings/callbacks.ts";
import { forEachProduct, PRODUCT_WORDS } from "../gateway/domain/order.ts";
import { CALLBACK_URLS, SINK_URL, urlsFrom } from "../gateway/domain/callback-outcome.ts";
import { addProblem } from "../gateway/document/values.ts";
import { CALLBACK_PLACEHOLDERS, contentTypeValue, templateValue } from "../gateway/scenario/effects/template-values.ts";
import { resend, setCallbacks } from "../gateway/engine/commands.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv, ControlServices } from "./env.ts";
import { answerInTurn } from "./in-turn.ts";
import { validBody, validQuery } from "./validate.ts";
import { copiedDeliveryOf, attemptJson, attemptShape } from "./callback-attempts.ts";
import { durationJson, type Json } from "./json.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import { isLongPage, listOf, newestFirst, listPage, pageQuery, type PageQuery } from "./pages.ts";

export const callbacksShape = z.object({
  ...forEachProduct(() => z.string().nullable()),
  copy: z.string().nullable().describe("A second URL that every callback is sent to as well."),
  timeout: durationJson,
  concurrency: z.int(),
  retry: z.object({ attempts: z.int(), spacing: z.array(durationJson), on: z.array(z.string()) }),
  headers: z.record(z.string(), z.string()),
  user_agent: z.string().nullable(),
  accept: z.string().nullable(),
  ca: z.string().nullable(),
  insecure: z.boolean(),
  traceparent: z.boolean().describe("Whether callbacks carry the traceparent of their request."),
});

export const changeValue = callbacksValue.extend({
  ...forEachProduct((product) =>
    callbackUrlValue.nullable().describe(`URL for ${PRODUCT_WORDS[product].results}; null removes it.`).exactOptional(),
  ),
  copy: callbackUrlValue.nullable().describe("A second URL for every callback; null removes it.").exactOptional(),
  user_agent: callbacksValue.shape.user_agent.unwrap().nullable().exactOptional(),
  accept: callbacksValue.shape.accept.unwrap().nullable().exactOptional(),
  ca: callbacksValue.shape.ca.unwrap().nullable().exactOptional(),
});

type Change = z.output<typeof changeValue>;

const resendValue = z
  .strictObject({
    request_ids: z.array(z.string()).min(1).max(1_000).describe("Of settled transactions."),
    body: templateValue(CALLBACK_PLACEHOLDERS)
      .exactOptional()
      .describe("The body to send instead; for a single callback."),
    content_type: contentTypeValue.exactOptional().describe("The Content-Type to send instead; for a single callback."),
    headers: callbackHeaders.exactOptional().describe("Headers to add or replace; for a single callback."),
  })
  .superRefine(({ request_ids: ids, ...edited }, context) => {
    if (new Set(ids).size > 1 && Object.keys(edited).length > 0)
      addProblem(context, { problem: "edits several callbacks", repair: "write one request_id" });
  });

/** The response to a change. */
export const changedShape = callbacksShape.extend({
  warnings: z.array(z.string()).describe("Why callbacks to the new URL would never be sent."),
});

export const callbackCalls = new Hono<AccountEnv>()
  .get("/callbacks", describeRoute("Read where callbacks go", callbacksShape), (c) =>
    c.json(callbacksJson(settingsInForce(c.var.account.state).callbacks)),
  )
  .put(
    "/callbacks",
    describeRoute("Change the given keys. A public host needs the admin token or callback_allow", changedShape),
    validBody(changeValue),
    (c) => {
      const { account, isTrusted, services } = c.var;
      changeCallbacks(account, c.req.valid("json"), isTrusted);
      return c.json(changedJson(account, c.req.valid("json"), services));
    },
  )
  .post(
    "/callbacks/resend",
    describeRoute("Send callbacks again, byte for byte: all of them or none. A single one may be edited", undefined, {
      shownBy: "/accounts/:account/transactions",
    }),
    validBody(resendValue),
    (c) => {
      const { request_ids: ids, ...edited } = c.req.valid("json");
      resend(c.var.account, [...new Set(ids)], Object.keys(edited).length === 0 ? undefined : edited);
      return c.body(null, 204);
    },
  )
  .get(
    "/callbacks/sent",
    describeRoute("List the callback attempts, newest first", listOf(attemptShape)),
    validQuery(z.strictObject(pageQuery)),
    answerInTurn(isLongPage),
    (c) => c.json(listAttempts(c.var.account, c.req.valid("query"))),
  )
  .get(
    "/callbacks/received",
    describeRoute(
      `List the callbacks that the built-in receiver (URL ${SINK_URL}) got, newest first`,
      listOf(attemptShape),
    ),
    validQuery(z.strictObject(pageQuery)),
    answerInTurn(isLongPage),
    (c) => c.json(listAttempts(c.var.account, c.req.valid("query"), SINK_URL)),
  );

/** Lists the attempts to one URL, or to all. A copy counts. */
function listAttempts(account: RunningAccount, wanted: PageQuery, to?: string) {
  const isListed = (attempt: Attempted): boolean =>
    to === undefined || attempt.url === to || copiedDeliveryOf(account.state, attempt)?.url === to;
  const shown = shownEvents(account.journal.read());
  const attempts = shown
    .slice(
      Math.max(
        shown.findLastIndex(({ event }) => isBeginning(event)),
        0,
      ),
    )
    .flatMap(({ number, event }) => (event.kind === "attempted" && isListed(event) ? [{ number, event }] : []));
  return listPage(account, newestFirst(attempts), wanted, ({ event }) => attemptJson(account, event));
}

export function callbacksJson(settings: CallbackSettings): Json<typeof callbacksShape> {
  const { urls, timeout, concurrency, retry, headers, user_agent, accept, ca, insecure, traceparent } = settings;
  return {
    ...forEachProduct((product) => urls[product]?.url ?? null),
    copy: urls.copy?.url ?? null,
    timeout: formatDuration(timeout),
    concurrency,
    retry: { attempts: retry.attempts, spacing: retry.spacing.map(formatDuration), on: retry.on },
    headers,
    user_agent: user_agent ?? null,
    accept: accept ?? null,
    ca: ca ?? null,
    insecure,
    traceparent: traceparent ?? false,
  };
}

function changeCallbacks(account: RunningAccount, change: Change, isTrusted: boolean): void {
  const trusts = (url: string): boolean => isTrusted || account.isOwnersUrl(url);
  const registered = CALLBACK_URLS.filter((key) => change[key] !== undefined);
  setCallbacks(account, changed(account.state.settings.callbacks, change, trusts), registered);
}

function changedJson(
  account: RunningAccount,
  change: Change,
  { reasonNeverSent }: ControlServices,
): Json<typeof changedShape> {
  const { callbacks } = settingsInForce(account.state);
  const set = CALLBACK_URLS.filter((key) => typeof change[key] === "string");
  return {
    ...callbacksJson(callbacks),
    warnings: set.flatMap((key) => {
      const target = callbacks.urls[key];
      const reason = target && reasonNeverSent(target);
      return reason === undefined
        ? []
        : [`${key}: no callback will be sent there, because ${reason}. ${WITHOUT_TUNNEL}`];
    }),
  };
}

const WITHOUT_TUNNEL =
  "A receiver on this machine needs no tunnel: register http://localhost:PORT/PATH, from a container http://host.docker.internal:PORT/PATH";

/** Keeps omitted settings; null removes one. */
function changed(
  before: CallbackSettings,
  { retry, ...change }: Change,
  trusts: (url: string) => boolean,
): CallbackSettings {
  const { urls, others: given } = splitUrls(change);
  const { user_agent, accept, ca, ...others } = { ...before, ...given };
  return {
    ...others,
    ...(user_agent && { user_agent }),
    ...(accept && { accept }),
    ...(ca && { ca }),
    urls: urlsFrom((key) => changedUrl(before.urls[key], urls[key], trusts)),
    retry: { ...before.retry, ...retry },
  };
}

function changedUrl(
  before: CallbackUrl | undefined,
  url: string | null | undefined,
  trusts: (url: string) => boolean,
): CallbackUrl | undefined {
  if (url === undefined) return before;
  return url === null ? undefined : { url, trusted: trusts(url) };
}
