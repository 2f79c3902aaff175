import * as z from "zod";
import { CALLBACK_URLS, RETRY_CAUSES, SINK_URL, urlsFrom, type UrlUse } from "../domain/callback-outcome.ts";
import { findWrongHeader } from "../domain/headers.ts";
import type { Immutable } from "../domain/immutable.ts";
import { SECOND } from "../domain/time.ts";
import { forEachProduct, PRODUCT_WORDS } from "../domain/order.ts";
import { duration } from "../domain/schemas.ts";
import { addProblem, durationValue, checkedHeaders, textMatching, checkedText } from "../document/values.ts";

export const callbackUrlValue = textMatching(isCallbackUrl, {
  what: "a URL that can be called",
  repair: `write http:// or https:// and a host, or ${SINK_URL}`,
});

function isCallbackUrl(text: string): boolean {
  if (text === SINK_URL) return true;
  return /^https?:\/\/[^/?#\s]/i.test(text) && !/\s/.test(text) && URL.canParse(text);
}

/** Headers that a callback carries besides the gateway's own. */
export const callbackHeaders = checkedHeaders(findWrongHeader);

const headerValue = checkedText((value) => findWrongHeader("accept", value));

const retryAttempts = z.int().min(1).max(1_000);

const concurrencyValue = z.int().min(1).max(10_000);

const certificateValue = z.string().superRefine(checkCertificate);

const spacing = z.lazy(() => z.union([durationValue.transform((wait) => [wait]), z.array(durationValue).min(1)]));

const retry = z.lazy(() =>
  z.strictObject({
    attempts: retryAttempts.exactOptional().describe("The number of attempts, including the first. Default 1."),
    spacing: spacing
      .exactOptional()
      .describe(
        'Account time from one attempt\'s end to the next: one value for all, or a list whose last value repeats. Default "10s".',
      ),
    on: z.array(z.enum(RETRY_CAUSES)).exactOptional().describe("What counts as not delivered. Default all of them."),
  }),
);

/** Where results are sent, and how. Has no defaults, because a change through the control API leaves omitted keys unchanged. */
export const callbacksValue = z.strictObject({
  ...forEachProduct((product) =>
    callbackUrlValue
      .exactOptional()
      .describe(`URL for ${PRODUCT_WORDS[product].results}; ${SINK_URL} delivers inside the sandbox. Default none.`),
  ),
  copy: callbackUrlValue
    .exactOptional()
    .describe(
      "A second URL that every callback is sent to as well. Its answer is shown and decides nothing. Default none.",
    ),
  timeout: durationValue.superRefine(checkTimeout).exactOptional().describe('Wall time for one answer. Default "3s".'),
  concurrency: concurrencyValue.exactOptional().describe("The most callbacks in flight at the same time. Default 64."),
  retry: retry.exactOptional().describe("Whether and when an undelivered callback is sent again."),
  headers: callbackHeaders
    .exactOptional()
    .describe("Headers to add to each callback. Default none: callbacks carry only the gateway's own."),
  user_agent: headerValue.exactOptional().describe("The User-Agent header of each callback. Default none."),
  accept: headerValue.exactOptional().describe("The Accept header of each callback. Default none."),
  ca: certificateValue
    .exactOptional()
    .describe("A certificate authority to trust besides the usual ones, as PEM text."),
  insecure: z.boolean().exactOptional().describe("Accepts any certificate. Default false."),
  traceparent: z
    .boolean()
    .exactOptional()
    .describe(
      "Sends the request's traceparent with the callback. Default false: callbacks carry only the gateway's own headers.",
    ),
});

type WrittenCallbacks = z.output<typeof callbacksValue>;

/** A callback URL as an account keeps it. */
const callbackUrl = z.object({
  url: callbackUrlValue,
  /** Whether this machine's owner set it (config, flag, variable, admin token), so that public hosts may be called. */
  trusted: z.boolean(),
});
export type CallbackUrl = Immutable<z.output<typeof callbackUrl>>;

export const urlUses = z.array(z.enum(CALLBACK_URLS));

export const callbackUrls = z.partialRecord(z.enum(CALLBACK_URLS), callbackUrl);

/** Where results are sent, and how, as an account keeps it. */
export const callbacks = z.object({
  urls: callbackUrls,
  timeout: duration.gt(0),
  concurrency: concurrencyValue,
  retry: z.object({ attempts: retryAttempts, spacing: z.array(duration).min(1), on: z.array(z.enum(RETRY_CAUSES)) }),
  headers: callbackHeaders,
  user_agent: headerValue.exactOptional(),
  accept: headerValue.exactOptional(),
  ca: certificateValue.exactOptional(),
  insecure: z.boolean(),
  traceparent: z.boolean().exactOptional(),
});
export type CallbackSettings = Immutable<z.output<typeof callbacks>>;

export type RetryPolicy = CallbackSettings["retry"];

/** `trusted` means that this machine's owner wrote the URLs, so that they may name public hosts. */
export function callbackSettings({ retry, ...written }: WrittenCallbacks, trusted: boolean): CallbackSettings {
  const { urls, others } = splitUrls(written);
  return {
    urls: withTrust(urls, trusted),
    timeout: 3 * SECOND,
    concurrency: 64,
    retry: { attempts: 1, spacing: [10 * SECOND], on: RETRY_CAUSES, ...retry },
    headers: {},
    insecure: false,
    ...others,
  };
}

/** Takes the URLs out of what is written beside them. */
export function splitUrls<Url, Written extends Partial<Record<UrlUse, Url>>>({
  airtime,
  sms,
  copy,
  ...others
}: Written & Partial<Record<UrlUse, Url>>) {
  return { urls: { airtime, sms, copy }, others };
}

/** Returns the URLs that are set, as an account keeps them. */
export function withTrust(
  written: Readonly<Partial<Record<UrlUse, string>>>,
  trusted: boolean,
): CallbackSettings["urls"] {
  return urlsFrom((key) => {
    const url = written[key];
    return url === undefined ? undefined : { url, trusted };
  });
}

/** A receiver with no time to answer would always fail. */
function checkTimeout(timeout: number, context: z.RefinementCtx): void {
  if (timeout === 0) addProblem(context, { problem: "is too short for any answer", repair: 'write at least "1ms"' });
}

function checkCertificate(text: string, context: z.RefinementCtx): void {
  if (text.includes("-----BEGIN CERTIFICATE-----")) return;
  addProblem(context, {
    problem: "is not a certificate in PEM form",
    repair: 'write "ca: |" and below it the file\'s text, which begins with -----BEGIN CERTIFICATE-----',
  });
}
