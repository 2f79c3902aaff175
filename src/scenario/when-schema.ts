// Apart from the matchers themselves: a scenario that the build has read is followed without zod.
import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { carrierValue, complain, durationValue, keyThat } from "../document/values.ts";
import type { When } from "../domain/scenario.ts";
import type { MatcherKey } from "./matchers.ts";
import { COUNTERS, readCounting } from "./matchers/counting.ts";
import { OPERATIONS } from "./matchers/request.ts";
import { READ_BY_PATTERNS } from "./matchers/text.ts";
import { patternValue } from "./safe-pattern.ts";
import { comparisonOf, oneOrMore, phonePatternValue, senderIdText, shillingsValue, someOf, stateValue } from "./values.ts";

/** The characters of a field name (RFC 9110 §5.1). */
const headerName = keyThat((text) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text), {
  what: "a header's name",
  repair: "write a name such as X-Request-Source",
});

const headers = z.lazy(() =>
  z
    .record(headerName, z.string())
    .refine((patterns) => Object.keys(patterns).length > 0, { error: "is empty", params: { repair: "name a header, or remove it" } })
    .transform((patterns) => Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [name.toLowerCase(), pattern]))),
);

const SPELLINGS = { gsm7: "GSM-7", "GSM-7": "GSM-7", ucs2: "UCS-2", "UCS-2": "UCS-2" } as const;

const encoding = z.lazy(() => z.enum(["gsm7", "ucs2", "GSM-7", "UCS-2"]).transform((spelling) => SPELLINGS[spelling]));

type During = NonNullable<When["during"]>;

const stretch = z.lazy(() =>
  z
    .strictObject({
      from: optionalKey("Default 0s.", () => durationValue),
      to: optionalKey("This moment is no longer part of it. Default: without end.", () => durationValue),
    })
    .transform(({ from = 0, to }): During => ({ from, ...(to !== undefined && { to }) }))
    .superRefine(({ from, to = Infinity }, context) => {
      if (from >= to) complain(context, { problem: "is over before it begins", repair: "write from and to with from the smaller" });
    }),
);

/** As a matcher is called in a file. */
type WrittenMatcher = Exclude<MatcherKey, "phoneNumber" | "senderId"> | "phone_number" | "sender_id";

const matcherShape = {
  operation: optionalKey("airtime, sms or account-details: one, or a list. Without it: airtime and sms.", () =>
    oneOrMore(z.enum(OPERATIONS)),
  ),
  phone_number: optionalKey("The recipient: a number, a pattern like 25471*, or a list of them.", () => oneOrMore(phonePatternValue)),
  carrier: optionalKey("The carrier that serves the recipient, ported or not: one, or a list.", () => oneOrMore(carrierValue)),
  amount: optionalKey("The airtime amount in KES: a value, or a mapping of eq, gt, gte, lt and lte.", () => comparisonOf(shillingsValue)),
  balance: optionalKey(
    "What is available in the wallet before the request, in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
    () => comparisonOf(shillingsValue),
  ),
  message: optionalKey("The SMS text: all of it, what it contains, or a regular expression that it matches.", message),
  sender_id: optionalKey("The sender ID of an SMS: one, or a list.", () => oneOrMore(senderIdText)),
  encoding: optionalKey("How the SMS is encoded: gsm7 or ucs2.", () => encoding),
  parts: optionalKey("How many parts the SMS has: a number, or a mapping of eq, gt, gte, lt and lte.", () =>
    comparisonOf(z.int().min(0).max(255)),
  ),
  header: optionalKey(
    'Request headers: from name to pattern, { User-Agent: "okhttp*" }; "*" is any value, but there must be one.',
    () => headers,
  ),
  probability: optionalKey("The share of requests, 0 to 1; which ones, the seed decides.", () => z.number().min(0).max(1)),
  during: optionalKey("A stretch of the scenario's time, which begins when it is activated: { from: 30s, to: 2m }.", () => stretch),
  in: optionalKey("The named state that the scenario is in; `enter` moves it, and every scenario begins in `start`.", () => stateValue),
} satisfies Record<WrittenMatcher, z.ZodType>;

const ordinal = z.lazy(() => z.int().min(1).max(1_000_000_000));

/** The keys that count; they are one matcher. */
const countingShape = {
  first: optionalKey("The first so many of the requests that reach this rule and match the rest of its `when`.", () => ordinal),
  nth: optionalKey("This one alone of them.", () => ordinal),
  every: optionalKey("Each so-manieth of them: 3 is the third, the sixth, the ninth.", () => ordinal),
  after: optionalKey("All after the first so many of them.", () => ordinal),
  per: optionalKey("Counts apart for each; requests without one do not match. Default account.", () =>
    z.enum(["account", "phone_number", "sender_id"]),
  ),
};

/** Which requests a rule is about. */
export const whenValue = z.lazy(() =>
  z
    .strictObject({ ...matcherShape, ...countingShape })
    .superRefine((written, context) => {
      if (written.per !== undefined && COUNTERS.every((counter) => written[counter] === undefined))
        complain(context, { path: ["per"], problem: "has nothing to count", repair: `add one of ${COUNTERS.join(", ")}, or remove it` });
    })
    .transform(({ phone_number: phoneNumber, sender_id: senderId, first, nth, every, after, per, ...same }): When => {
      const count = readCounting({
        ...(first !== undefined && { first }),
        ...(nth !== undefined && { nth }),
        ...(every !== undefined && { every }),
        ...(after !== undefined && { after }),
        ...(per !== undefined && { per }),
      });
      return { ...same, ...(phoneNumber && { phoneNumber }), ...(senderId && { senderId }), ...(count && { count }) };
    }),
);

function message() {
  return someOf(
    z.strictObject({
      equals: optionalKey("The whole text.", () => z.string().min(1)),
      contains: optionalKey("A part of the text, upper and lower case as written.", () => z.string().min(1)),
      regex: optionalKey(
        `A regular expression, as JavaScript has them with the flag u; it sees the first ${READ_BY_PATTERNS} characters.`,
        () => patternValue,
      ),
    }),
  );
}
