import * as z from "zod";
import {
  amountValue,
  carrierValue,
  addProblem,
  type ValueProblem,
  durationValue,
  isFilled,
  senderIdValue,
  textMatching,
  checkedText,
} from "../document/values.ts";
import { quoteText } from "../document/describe-value.ts";
import { CARRIERS } from "../domain/carrier.ts";
import { CONSUMER_KEY_FORM, isConsumerKey } from "../domain/consumer-key.ts";
import { contentKey } from "../domain/draws.ts";
import type { AccountSettings, Organization } from "./account-settings.ts";
import { callbackSettings, callbacksValue } from "./callbacks.ts";
import { type ClockSettings, clockValue } from "./clock.ts";
import { CONSUMER_KEY, CONSUMER_SECRET } from "./defaults.ts";

export const consumerKeyValue = checkedText(findKeyFaults);

export const consumerSecretValue = checkedText(findSecretFaults);

const senderId = z.lazy(() =>
  z.union([
    senderIdValue.transform((id) => ({ sender_id: id, carriers: CARRIERS })),
    z
      .strictObject({
        sender_id: senderIdValue.describe(
          "5 or 6 digits, or up to 11 characters with at least one letter; case-sensitive.",
        ),
        carriers: z
          .array(carrierValue)
          .exactOptional()
          .describe("The carriers it is registered with. Default all of them."),
      })
      .transform((written) => ({ sender_id: written.sender_id, carriers: written.carriers ?? CARRIERS })),
  ]),
);

/** Registered sender IDs: each a string, or a mapping with its carriers. */
export const senderIdsValue = z.lazy(() => z.array(senderId).superRefine(checkRepeatedSenderIds));

/** A number of requests per period. The period defaults to one second. */
export const rateLimitValue = z.lazy(() =>
  z.strictObject({
    requests: z.int().min(1).describe("Requests accepted in each period; more are refused with 429."),
    per: durationValue
      .superRefine(checkPeriod)
      .prefault("1s")
      .describe('The period, on the account\'s clock. Default "1s".'),
  }),
);

const filled = textMatching(isFilled, { what: "a non-empty string", repair: "write a value, or remove the key" });

const officeMobile = textMatching(isInternational, {
  what: "a number in international form",
  repair: "write a plus sign and digits, like +254712345678",
});

const productAccount = z.lazy(() =>
  z.strictObject({
    account: filled.describe("The account's name."),
    service_name: filled.describe('What it is for: "sms", "airtime".'),
  }),
);

const organization = z.lazy(() =>
  z.strictObject({
    name: filled.exactOptional().describe("The registered name."),
    location: filled.exactOptional().describe("City or address of registration."),
    website: filled.exactOptional().describe("The web address."),
    office_email: filled.exactOptional().describe("The e-mail address."),
    office_mobile: officeMobile.exactOptional().describe("The telephone number with a leading plus sign."),
    top_up_code: filled.exactOptional().describe("The account number to quote at the mobile-money paybill."),
    accounts: z
      .array(productAccount)
      .exactOptional()
      .describe("Active product accounts. Default: as account_details.accounts says."),
  }),
);

/** One customer of the gateway, as the config file and the control API describe it. */
export const accountValue = z.strictObject({
  consumer_key: consumerKeyValue
    .exactOptional()
    .describe(
      "The user name of Basic authentication: 1 to 128 printable ASCII characters without a colon. Default: sandbox-key for the first account; required for all others.",
    ),
  consumer_secret: consumerSecretValue
    .exactOptional()
    .describe("The password of Basic authentication. Default sandbox-secret."),
  balance: amountValue
    .prefault("10000.00")
    .describe("KES in the wallet at the start and after each reset. Default 10000.00."),
  seed: z
    .int()
    .min(0)
    .exactOptional()
    .describe(
      "Fixes ids, delays and outcomes. Default: the sandbox's seed for the first account; for others, one made of it and the key.",
    ),
  clock: clockValue.exactOptional().describe("The account's own clock. Default: the sandbox's clock."),
  callbacks: callbacksValue.default({}).describe("Where results are sent, and how."),
  sender_ids: senderIdsValue
    .prefault(["SANDBOX", "20254"])
    .describe(
      "Registered sender IDs: each a string, or a mapping with its carriers. Default: SANDBOX and 20254 with all carriers.",
    ),
  organization: organization
    .default({})
    .describe(
      "The organization that account-details returns. Omitted keys get values generated from the seed, else the key.",
    ),
  rate_limit: rateLimitValue.exactOptional().describe("Requests allowed per period. Default: no limit."),
});

export type WrittenAccount = z.output<typeof accountValue>;

/** An account as configured. Missing parts of its organization are generated later, from the seed. */
export type AccountTemplate = Omit<AccountSettings, "organization"> & { readonly organization: Partial<Organization> };

/** Defaults for keys that an account's description omits. */
export interface AccountDefaults {
  /** The sandbox's seed. */
  readonly seed?: number;
  readonly clock: ClockSettings;
  /** Whether this machine's owner wrote the callback URLs, so that public hosts may be called. */
  readonly trusted: boolean;
}

/** Returns an account with every setting filled in except the rest of its organization. */
export function accountSettings(written: WrittenAccount, { seed, clock, trusted }: AccountDefaults): AccountTemplate {
  const { callbacks, consumer_key: consumerKey = CONSUMER_KEY, ...others } = written;
  return {
    consumer_key: consumerKey,
    consumer_secret: CONSUMER_SECRET,
    any_secret: false,
    clock,
    seed: seedFor(consumerKey, seed),
    ...others,
    callbacks: callbackSettings(callbacks, trusted),
  };
}

/** Makes a seed of the sandbox's and a consumer key, so that no two accounts give the same ids. */
export function seedFor(consumerKey: string, sandboxSeed: number | undefined): number | undefined {
  return sandboxSeed === undefined ? undefined : contentKey(`${sandboxSeed}|${consumerKey}`);
}

/** All accounts of a sandbox; the first is the default one. */
export const accountsValue = z.array(accountValue).superRefine(checkKeys, {
  // Also checked if single accounts are invalid, so that all mistakes are reported at once.
  when: ({ value }) => Array.isArray(value),
});

/** A period of 0 would start over with each request and never limit any. */
function checkPeriod(period: number, context: z.RefinementCtx): void {
  if (period === 0)
    addProblem(context, { problem: "is zero, so nothing would be limited", repair: 'write at least "1ms"' });
}

function checkRepeatedSenderIds(grants: readonly { sender_id: string }[], context: z.RefinementCtx): void {
  const ids = grants.map(({ sender_id: id }) => id);
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index)
      addProblem(context, {
        path: [index],
        problem: `${JSON.stringify(id)} is listed twice`,
        repair: "remove one of the two",
      });
  }
}

/** Returns whether the text is a telephone number with a leading plus sign. */
function isInternational(text: string): boolean {
  return /^\+\d{7,15}$/.test(text);
}

/** The control API's name for the first account. */
const RESERVED_KEY = "default";

function findKeyFaults(key: string): ValueProblem[] {
  if (isConsumerKey(key)) return [];
  if (key === RESERVED_KEY)
    return [
      { problem: `"${RESERVED_KEY}" is what the control API calls the first account`, repair: "write another key" },
    ];
  return [{ problem: `${quoteText(key)} is not ${CONSUMER_KEY_FORM.what}`, repair: CONSUMER_KEY_FORM.repair }];
}

/** A secret is never quoted in a message. */
function findSecretFaults(secret: string): ValueProblem[] {
  const found: ValueProblem[] = [];
  if (secret === "") found.push({ problem: "is empty", repair: "write a secret or remove the key" });
  if (hasControlCharacter(secret))
    found.push({ problem: "has a control character, perhaps a line break", repair: "use printable characters only" });
  return found;
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Refuses accounts without a key, except the first, and accounts that repeat another's key. */
function checkKeys(accounts: readonly unknown[], context: z.RefinementCtx): void {
  const keys = accounts.map(writtenKey);
  for (const [index, key] of keys.entries()) {
    const first = keys.indexOf(key);
    if (index > 0 && key === undefined) {
      const repair = "add one, because only the first account has a default";
      addProblem(context, { path: [index], problem: "needs a consumer_key", repair });
    }
    if (typeof key === "string" && first < index) {
      const problem = `${JSON.stringify(key)} is already the key of accounts[${first}]`;
      addProblem(context, { path: [index, "consumer_key"], problem, repair: "write another one" });
    }
  }
}

/** Returns undefined only if the key is missing; a value that is not a string is reported elsewhere. */
function writtenKey(account: unknown, index: number): unknown {
  if (typeof account !== "object" || account === null) return null;
  if ("consumer_key" in account) return account.consumer_key;
  return index === 0 ? CONSUMER_KEY : undefined;
}
