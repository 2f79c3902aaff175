import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { callbackUrlValue } from "../document/account-values.ts";
import { complain, durationValue, keyThat, textThat } from "../document/values.ts";
import { RETRY_CAUSES, SINK_URL } from "../domain/settings.ts";
import { GUESS } from "./gateway-schema.ts";

/** The characters of a field name (RFC 9110 §5.1). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Set by the transport itself: a second one would break the message. */
const OWN_HEADERS = [
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const headerName = keyThat((text) => HEADER_NAME.test(text) && !OWN_HEADERS.includes(text.toLowerCase()), {
  what: "a header that can be added",
  repair: "write a name such as X-Token, none that the transport sets itself",
});

const headerValue = textThat((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text), {
  what: "a header's value",
  repair: "write one line of Latin-1 characters",
});

const spacing = z.lazy(() => z.union([durationValue.transform((wait) => [wait]), z.array(durationValue).min(1)]));

const retry = z.lazy(() =>
  z.strictObject({
    attempts: optionalKey(`Attempts in all, the first one included. Default 1. ${GUESS}`, () => z.int().min(1).max(1_000)),
    spacing: optionalKey(
      `Account time from one attempt's end to the next, one for all or a list whose last is repeated. Default "10s". ${GUESS}`,
      () => spacing,
    ),
    on: optionalKey(`What counts as not delivered. Default all of them. ${GUESS}`, () => z.array(z.enum(RETRY_CAUSES))),
  }),
);

/** Where results are sent, and how. */
export const callbacksValue = z.strictObject({
  airtime: optionalKey(`URL for airtime results; ${SINK_URL} delivers inside the sandbox. Default none.`, () => callbackUrlValue),
  sms: optionalKey(`URL for delivery reports; ${SINK_URL} delivers inside the sandbox. Default none.`, () => callbackUrlValue),
  timeout: optionalKey('Wall time for one answer. Default "3s".', () => durationValue.superRefine(checkTimeout)),
  concurrency: optionalKey("Callbacks under way at the same time. Default 64.", () => z.int().min(1).max(10_000)),
  retry: optionalKey("Whether and when a callback that did not arrive is tried again.", () => retry),
  headers: optionalKey("Headers added to each callback. Default none: callbacks carry only the gateway's own.", () =>
    z.record(headerName, headerValue),
  ),
  ca: optionalKey("A certificate authority to trust besides the usual ones, as PEM text.", () => z.string().superRefine(checkCertificate)),
  insecure: optionalKey("Takes any certificate. Default false.", () => z.boolean()),
  traceparent: optionalKey(
    "Sends the traceparent on that the request came with. Default false: callbacks carry only the gateway's own headers.",
    () => z.boolean(),
  ),
});

/** A receiver that has no time at all always fails, which nobody means. */
function checkTimeout(timeout: number, context: z.RefinementCtx): void {
  if (timeout === 0) complain(context, { problem: "is too short for any answer", repair: 'write at least "1ms"' });
}

function checkCertificate(text: string, context: z.RefinementCtx): void {
  if (text.includes("-----BEGIN CERTIFICATE-----")) return;
  complain(context, {
    problem: "is not a certificate in PEM form",
    repair: 'write "ca: |" and below it the file\'s text, which begins with -----BEGIN CERTIFICATE-----',
  });
}
