import type { Immutable } from "../domain/immutable.ts";
import * as z from "zod";
import { amount } from "./matchers/amount.ts";
import { balance } from "./matchers/balance.ts";
import { between } from "./matchers/between.ts";
import { carrier } from "./matchers/carrier.ts";
import { checkCounting, countingShape } from "./matchers/counting.ts";
import { during } from "./matchers/during.ts";
import type { Matcher } from "./matchers/matcher.ts";
import { operation } from "./matchers/operation.ts";
import { phoneNumber } from "./matchers/phone-number.ts";
import { probability } from "./matchers/probability.ts";
import { senderId } from "./matchers/sender-id.ts";
import { shapeOf, atLeastOneKey } from "../document/values.ts";

/** Every matcher in the order of testing: cheap ones first, the random draw last. */
const TABLE = {
  [operation.key]: operation,
  [phoneNumber.key]: phoneNumber,
  [carrier.key]: carrier,
  [senderId.key]: senderId,
  [amount.key]: amount,
  [balance.key]: balance,
  [during.key]: during,
  [between.key]: between,
  [probability.key]: probability,
};

const matchersSchema = z.lazy(() => atLeastOneKey(z.strictObject(shapeOf(TABLE))));

/** The conditions of a rule. */
export const whenSchema = z.lazy(() =>
  z
    .strictObject({
      ...shapeOf(TABLE),
      not: matchersSchema.exactOptional().describe("Excludes requests that match all of these: { carrier: airtel }."),
      ...countingShape,
      of: matchersSchema
        .exactOptional()
        .describe("Counts the requests that match these, not the whole `when`: every: 7, of: { operation: sms }."),
    })
    .superRefine(checkCounting),
);

export type When = Immutable<z.output<typeof whenSchema>>;

/** Matchers without counting, as in `not` and `of`. */
export type Matchers = NonNullable<When["not"]>;

export type MatcherKey = keyof typeof TABLE;

export type MatcherValue<Key extends MatcherKey> = NonNullable<When[Key]>;

export const MATCHERS: { readonly [Key in MatcherKey]: Matcher<Key, MatcherValue<Key>> } = TABLE;

export const MATCHER_KEYS: readonly MatcherKey[] = Object.keys(MATCHERS).filter(isMatcherKey);

function isMatcherKey(key: string): key is MatcherKey {
  return Object.hasOwn(TABLE, key);
}
