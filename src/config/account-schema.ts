import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { rateLimitValue, senderIdsValue } from "../document/account-values.ts";
import { amountValue, complain, textThat } from "../document/values.ts";
import { callbacksValue } from "./callbacks-schema.ts";
import { clockValue } from "./clock-schema.ts";
import { CONSUMER_KEY } from "./defaults.ts";
import { GUESS } from "./gateway-schema.ts";

/** The control API's own word for the first account. */
const RESERVED_KEY = "default";

/** A colon ends the user-id, and control characters have no place in it (RFC 7617 §2). */
const consumerKeyValue = z.lazy(() => z.string().superRefine(checkConsumerKey));

/** Never quoted in a message. */
const consumerSecretValue = z.lazy(() => z.string().superRefine(checkSecret));

const filled = textThat((text) => text.trim() !== "", { what: "a text with something in it", repair: "write it, or remove the key" });

const officeMobile = textThat((text) => /^\+\d{7,15}$/.test(text), {
  what: "a number in international form",
  repair: "write a plus and the digits, like +254712345678",
});

const productAccount = z.lazy(() =>
  z.strictObject({
    account: filled.describe("The account's name."),
    service_name: filled.describe('What it is for: "sms", "airtime".'),
  }),
);

const organization = z.lazy(() =>
  z.strictObject({
    name: optionalKey("The registered name.", () => filled),
    location: optionalKey("City or address of registration.", () => filled),
    website: optionalKey("The web address.", () => filled),
    office_email: optionalKey("The e-mail address.", () => filled),
    office_mobile: optionalKey("The telephone number with a leading plus.", () => officeMobile),
    top_up_code: optionalKey("The account number to quote at the mobile-money paybill.", () => filled),
    accounts: optionalKey("Active product accounts. Default one each for airtime and sms.", () => z.array(productAccount)),
  }),
);

/** One customer of the gateway, as the config file and the control API describe it. */
export const accountValue = z.strictObject({
  consumer_key: optionalKey(
    "The user name of Basic authentication, without a colon. Default sandbox-key for the first account; needed for every other.",
    () => consumerKeyValue,
  ),
  consumer_secret: optionalKey("The password of Basic authentication. Default sandbox-secret.", () => consumerSecretValue),
  balance: optionalKey("KES in the wallet at the start and after each reset. Default 10000.00.", () => amountValue),
  seed: optionalKey("The account's own seed. Default the sandbox's.", () => z.int().min(0)),
  clock: optionalKey("The account's own clock. Default the sandbox's.", () => clockValue),
  callbacks: optionalKey("Where results are sent, and how.", () => callbacksValue),
  sender_ids: optionalKey(
    "Registered sender IDs: a text, or a mapping with its carriers. Default SANDBOX and 20254 with all three carriers.",
    () => senderIdsValue,
  ),
  organization: optionalKey(
    "The profile that account-details answers with. What is not given is made up from the seed.",
    () => organization,
  ),
  rate_limit: optionalKey(`Requests allowed in a period. Default no limit. ${GUESS}`, () => rateLimitValue),
});

export type WrittenAccount = z.output<typeof accountValue>;

/** All accounts of a sandbox; the first is the default one. */
export const accountsValue = z.lazy(() => z.array(accountValue).superRefine(checkKeys, { when: ({ value }) => Array.isArray(value) }));

function checkConsumerKey(key: string, context: z.RefinementCtx): void {
  if (key === "") complain(context, { problem: "is empty", repair: "write a key or remove it" });
  if (key.includes(":"))
    complain(context, {
      problem: `${JSON.stringify(key)} has a colon, which ends the key in Basic authentication`,
      repair: "write it without",
    });
  if (hasControlCharacter(key)) complain(context, { problem: "has a control character", repair: "write printable characters only" });
  if (key === RESERVED_KEY)
    complain(context, { problem: `"${RESERVED_KEY}" is what the control API calls the first account`, repair: "write another key" });
}

function checkSecret(secret: string, context: z.RefinementCtx): void {
  if (secret === "") complain(context, { problem: "is empty", repair: "write a secret or remove the key" });
  if (hasControlCharacter(secret))
    complain(context, { problem: "has a control character, perhaps a line end", repair: "write printable characters only" });
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Runs although single accounts may be wrong, so that all mistakes come at once. */
function checkKeys(accounts: readonly unknown[], context: z.RefinementCtx): void {
  const keys = accounts.map(writtenKey);
  for (const [index, key] of keys.entries()) {
    if (index > 0 && key === undefined)
      complain(context, {
        path: [index],
        problem: "needs a consumer_key",
        repair: "add one, because only the first account has a default",
      });
    const first = keys.indexOf(key);
    if (typeof key === "string" && first < index)
      complain(context, {
        path: [index, "consumer_key"],
        problem: `${JSON.stringify(key)} is the key of accounts[${first}] already`,
        repair: "write another one",
      });
  }
}

/** Nothing only where the key is missing; what is not text at all is refused elsewhere. */
function writtenKey(account: unknown, index: number): unknown {
  if (typeof account !== "object" || account === null) return null;
  if ("consumer_key" in account) return account.consumer_key;
  return index === 0 ? CONSUMER_KEY : undefined;
}
