import * as z from "zod";
import { optionalKey } from "./optional-key.ts";
import { CARRIERS } from "../domain/carrier.ts";
import { type RateLimit, type SenderIdGrant, SINK_URL } from "../domain/settings.ts";
import { SECOND } from "../domain/time.ts";
import { isCallbackUrl } from "./read-text.ts";
import { carrierValue, complain, durationValue, senderIdValue, textThat } from "./values.ts";

export const callbackUrlValue = textThat(isCallbackUrl, {
  what: "a URL that can be called",
  repair: `write http:// or https:// and a host, or ${SINK_URL}`,
});

const senderId = z.lazy(() =>
  z.union([
    senderIdValue.transform((id): SenderIdGrant => ({ senderId: id, carriers: CARRIERS })),
    z
      .strictObject({
        sender_id: senderIdValue.describe("5 or 6 digits, or at most 11 characters with a letter among them; case sensitive."),
        carriers: optionalKey("The carriers it is registered with. Default all three.", () => z.array(carrierValue)),
      })
      .transform((written): SenderIdGrant => ({ senderId: written.sender_id, carriers: written.carriers ?? CARRIERS })),
  ]),
);

/** Registered sender IDs: each a text, or a mapping with its carriers. */
export const senderIdsValue = z.lazy(() => z.array(senderId).superRefine(checkRepeatedSenderIds));

/** So many requests in each period, a second if it names none. */
export const rateLimitValue = z.lazy(() =>
  z
    .strictObject({
      requests: z.int().min(1).describe("Requests that are taken in each period; more are refused with 429."),
      per: optionalKey('The period, on the account\'s clock. Default "1s".', () => durationValue.superRefine(checkPeriod)),
    })
    .transform(({ requests, per = SECOND }): RateLimit => ({ requests, per })),
);

/** A period of no time at all begins anew with each request, so that it never limits any. */
function checkPeriod(period: number, context: z.RefinementCtx): void {
  if (period === 0) complain(context, { problem: "is no time at all, so nothing would be limited", repair: 'write at least "1ms"' });
}

function checkRepeatedSenderIds(grants: readonly SenderIdGrant[], context: z.RefinementCtx): void {
  const ids = grants.map(({ senderId: id }) => id);
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index)
      complain(context, { path: [index], problem: `${JSON.stringify(id)} is there already`, repair: "remove one of the two" });
  }
}
