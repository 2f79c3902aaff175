import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { rateLimitValue, senderIdsValue } from "../document/account-values.ts";
import { withOrigin } from "../document/origins.ts";
import { amountValue, complain, textThat, textWithout } from "../document/values.ts";
import { callbacksValue } from "./callbacks-schema.ts";
import { clockValue } from "./clock-schema.ts";
import { findKeyFaults, findRepeatedKeys, findSecretFaults, isFilled, isInternational } from "./checks.ts";
import { GUESS } from "./gateway-schema.ts";

const consumerKeyValue = textWithout(findKeyFaults);

const consumerSecretValue = textWithout(findSecretFaults);

const filled = textThat(isFilled, { what: "a text with something in it", repair: "write it, or remove the key" });

const officeMobile = textThat(isInternational, {
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
export const accountsValue = withOrigin(
  z.lazy(() =>
    z.array(accountValue).superRefine((accounts, context) => findRepeatedKeys(accounts).forEach((wrong) => complain(context, wrong)), {
      // Although single accounts may be wrong, so that all mistakes come at once.
      when: ({ value }) => Array.isArray(value),
    }),
  ),
  { kind: "list", each: accountValue, by: findRepeatedKeys },
);
