import type { When } from "../domain/scenario.ts";
import { during, inState, probability } from "./matchers/course.ts";
import type { Matcher } from "./matchers/matcher.ts";
import { amount, balance } from "./matchers/money.ts";
import { carrier, phoneNumber } from "./matchers/recipient.ts";
import { header, operation } from "./matchers/request.ts";
import { encoding, message, parts, senderId } from "./matchers/text.ts";

/** Counters are apart: they come after all others, and they remember. */
export type MatcherKey = keyof EveryMatcher;

/** Required, so that a matcher without an entry does not compile. */
export type EveryMatcher = Required<Omit<When, "count">>;

type MatcherTable = { readonly [Key in keyof EveryMatcher]: Matcher<EveryMatcher[Key]> };

/** Every matcher, the cheap ones first and the draw last: this is the order they are tried in. */
export const MATCHERS: MatcherTable = {
  operation,
  phoneNumber,
  carrier,
  senderId,
  encoding,
  amount,
  balance,
  parts,
  in: inState,
  during,
  header,
  message,
  probability,
};

export const MATCHER_KEYS: readonly MatcherKey[] = Object.keys(MATCHERS).filter(isMatcherKey);

/** The matchers of a `when` as they stand in a file, the counters apart. */
export function printMatchers(when: When): Record<string, unknown> {
  return Object.fromEntries(MATCHER_KEYS.flatMap((key) => printMatcher(key, when[key])));
}

function isMatcherKey(key: string): key is MatcherKey {
  return Object.hasOwn(MATCHERS, key);
}

function printMatcher<Key extends MatcherKey>(key: Key, value: EveryMatcher[Key] | undefined): [string, unknown][] {
  return value === undefined ? [] : [[MATCHERS[key].key, MATCHERS[key].print(value)]];
}
