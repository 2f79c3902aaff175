import * as fc from "fast-check";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import { formatDuration } from "../../../src/gateway/domain/time.ts";

const carrier = fc.constantFrom(...CARRIERS);
const millis = fc.integer({ min: 0, max: 86_400_000 });
const duration = millis.map(formatDuration);
const shillings = fc.oneof(
  fc.integer({ min: 0, max: 999_999_999_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer({ min: 0, max: 20_000 }).map((cents) => (cents / 100).toFixed(2)),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const delay = fc.oneof(
  duration,
  fc.record({ fixed: duration }),
  fc
    .tuple(millis, millis)
    .map(([a, b]) => ({ uniform: [formatDuration(Math.min(a, b)), formatDuration(Math.max(a, b))] })),
  fc.record({ lognormal: fc.record({ median: duration, sigma: fc.double({ min: 0, max: 3, noNaN: true }) }) }),
);
// Texts that YAML would take for something else if they were not quoted, and any others.
const text = fc.oneof(
  fc.constantFrom(
    "true",
    "null",
    "0012",
    "1e3",
    "~",
    "- a",
    "a #b",
    "*a",
    "&a",
    "!a",
    "'",
    '"',
    "a: b",
    "a\nb\n",
    " a ",
    "\t",
    "\u00e9\u20ac",
  ),
  fc.string({ unit: "grapheme", minLength: 1 }),
);
const ruleName = fc
  .oneof(
    fc.constantFrom("true", "0012", "1e3", "off", "- a", "a #b", "*a", "a: b", "50% / 2"),
    fc.string({ unit: "grapheme", minLength: 1 }),
  )
  .filter((name) => name.trim() === name && /^[^\p{Cc}]{1,200}$/u.test(name));
const senderId = fc.oneof(fc.stringMatching(/^\d{5,6}$/), fc.stringMatching(/^[A-Z][A-Z0-9]{0,10}$/));
const phoneNumber = fc.oneof(fc.constantFrom("254712345678", "254733000111"), fc.stringMatching(/^254[17]\d{8}$/));
const pattern = fc.oneof(phoneNumber, fc.constantFrom("*", "25471*", "*678", "254*1*8"));

function oneOrMore<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | Value[]> {
  return fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }));
}

/** A mapping with at least one of the keys. */
function someOf(shape: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(shape, { requiredKeys: [] }).filter((mapping) => Object.keys(mapping).length > 0);
}

/** Bounds with something between them. */
function comparison(bound: fc.Arbitrary<string>) {
  const range = fc
    .tuple(bound, bound, fc.constantFrom("gt", "gte"), fc.constantFrom("lt", "lte"))
    .filter(([least, most]) => Number(least) < Number(most))
    .map(([least, most, from, to]) => ({ [from]: least, [to]: most }));
  const single = fc.tuple(fc.constantFrom("eq", "gt", "gte", "lt", "lte"), bound).map(([key, one]) => ({ [key]: one }));
  return fc.oneof(bound, single, range);
}

const anywhere = {
  balance: comparison(shillings),
  probability: fc.oneof(fc.constantFrom(0, 1), share),
  during: fc.oneof(
    fc.record({ from: duration }),
    fc
      .tuple(millis, fc.integer({ min: 1, max: 86_400_000 }))
      .map(([from, length]) => ({ from: formatDuration(from), to: formatDuration(from + length) })),
  ),
  between: fc
    .tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 12, max: 24 }), fc.boolean())
    .map(([a, b, isOvernight]) => [isOvernight ? b % 24 : a, isOvernight ? a + 1 : b])
    .filter(([from, to]) => from !== to)
    .chain(([from, to]) =>
      fc.record(
        {
          from: fc.constant(`${String(from).padStart(2, "0")}:00`),
          to: fc.constant(`${String(to).padStart(2, "0")}:00`),
          days: oneOrMore(fc.constantFrom("mon", "fri", "sun")),
        },
        { requiredKeys: ["from", "to"] },
      ),
    ),
  not: someOf({ carrier: oneOrMore(carrier), amount: comparison(shillings), probability: share }),
};

const orders = { phone_number: oneOrMore(pattern), carrier: oneOrMore(carrier) };

const texts = {
  sender_id: oneOrMore(senderId),
};

const count = fc.integer({ min: 1, max: 12 });

function counting(counted: string, ...per: readonly string[]) {
  return fc.oneof(
    fc.constant({}),
    fc
      .tuple(
        someOf({ first: count, nth: count, every: count, after: count }).filter(takesAny),
        someOf({
          per: fc.constantFrom("account", ...per),
          of: someOf({ operation: fc.constant(counted), carrier: oneOrMore(carrier) }),
        }),
      )
      .map(([counters, by]) => ({ ...counters, ...by })),
  );
}

/** Whether there is a request that all of the counters take. */
function takesAny({ first = 24, nth, every = 1, after = 0 }: Record<string, unknown>): boolean {
  const taken = Array.from({ length: 24 }, (_, index) => index + 1).filter(
    (number) => number > Number(after) && number % Number(every) === 0 && (nth === undefined || number === nth),
  );
  return taken.some((number) => number <= Number(first));
}

/** `counted` is an operation of the rule: a rule that counts others can never fire. */
function when(
  operation: fc.Arbitrary<unknown>,
  counted: string,
  matchers: Record<string, fc.Arbitrary<unknown>>,
  ...per: readonly string[]
) {
  const rest = fc.record({ ...anywhere, ...matchers }, { requiredKeys: [] });
  return fc
    .tuple(fc.record({ operation }), rest, counting(counted, ...per))
    .map((pieces) => Object.assign({}, ...pieces));
}

const aboutDetails = when(fc.constant("account-details"), "account-details", {});
const aboutOrders = fc.oneof(
  when(
    fc.constantFrom("airtime", ["airtime", "account-details"]),
    "airtime",
    { ...orders, amount: comparison(shillings) },
    "phone_number",
  ),
  when(fc.constantFrom("sms", ["sms"]), "sms", { ...orders, ...texts }, "phone_number", "sender_id"),
  when(
    fc.constantFrom(["airtime", "sms"]),
    "sms",
    { ...orders, ...texts, amount: comparison(shillings) },
    "phone_number",
    "sender_id",
  ),
);

const status = fc.oneof(fc.constantFrom(401, 402, 403, 422, 429, 500), fc.integer({ min: 400, max: 599 }));
const template = fc.oneof(
  text.filter((written) => !written.includes("{{")),
  fc.constant('{"id":"{{request_id}}","to":"{{ phone_number }}"}'),
);
const headers = fc.dictionary(fc.stringMatching(/^X-[A-Za-z]{1,8}$/), fc.constantFrom("30", "a b", ""), { maxKeys: 2 });
const content = {
  body: template,
  content_type: fc.constantFrom("text/html", "application/xml; charset=utf-8"),
  headers,
};
const redirect = fc.record({
  status: fc.constantFrom(301, 302, 307),
  headers: fc.constant({ Location: "https://moved.test/" }),
});
const refuse = fc.oneof(
  status,
  redirect,
  fc.record({ status, delay, ...content }, { requiredKeys: ["status"] }),
  fc.record(
    {
      status,
      description: text,
      validation_errors: fc.dictionary(text, fc.array(text, { minLength: 1, maxLength: 2 }), { maxKeys: 2 }),
    },
    { requiredKeys: ["status"] },
  ),
);
const ack = someOf({ delay, status: fc.constantFrom(200, 202, 500, 503), ...content });
const breakage = fc.constantFrom("reset", "empty", "hang", "truncate", "garbage", "drip");
const outcome = {
  result_code: fc.integer({ min: 1, max: 999_999 }),
  result_desc: text,
  carrier,
  charge: fc.oneof(
    shillings,
    fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
  ),
};
const partly = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
);
const waiting = { delay, hold_until: duration };
const broken = {
  unknown_id: fc.boolean(),
  malformed: fc.boolean(),
  wrong_content_type: fc.boolean(),
};
const times = fc.integer({ min: 2, max: 4 });
const contrary = fc.constantFrom({}, { contradict: true }, { reverse: true });
const often = fc
  .tuple(fc.record({ times, gap: delay }, { requiredKeys: ["times"] }), contrary)
  .map(([repeats, other]) => ({ ...repeats, ...other }));
const late = someOf({ delay, reorder: fc.integer({ min: 1, max: 3 }), body: template, headers, ...broken });
const callback = fc.oneof(
  fc.constant({ drop: true }),
  fc.tuple(often, late).map(([repeats, rest]) => ({ ...repeats, ...rest })),
  late,
);

const accepted = fc.record(
  {
    ack,
    connection: breakage.map((kind) => `${kind}_after_accept`),
    result: fc.oneof(
      someOf({ ...outcome, ...waiting, delivered_parts: partly, stuck: fc.constant(false) }),
      fc.record({ lost_parts: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }) }),
      fc.record({ outcome: fc.constantFrom("success", "failed", "rejected", "not_on_network", "timed_out") }),
    ),
    callback,
    wallet: shillings,
  },
  { requiredKeys: [] },
);
const early = fc
  .tuple(someOf(broken), fc.record({ ack, result: someOf(outcome) }, { requiredKeys: [] }))
  .map(([rest, others]) => ({ ...others, callback: { before_ack: true, ...rest } }));
const stuck = fc.record(
  { ack, result: fc.record({ stuck: fc.constant(true), carrier }, { requiredKeys: ["stuck"] }) },
  { requiredKeys: ["result"] },
);
const unaccepted = fc.oneof(
  fc.record({ refuse, connection: breakage.map((kind) => `${kind}_before_accept`) }, { requiredKeys: ["refuse"] }),
  fc.record({ connection: breakage.map((kind) => `${kind}_before_accept`) }, { requiredKeys: ["connection"] }),
);

function rule(about: fc.Arbitrary<unknown>, then: fc.Arbitrary<unknown>) {
  return fc.record({ name: ruleName, when: about, then, continue: fc.boolean() }, { requiredKeys: ["name", "then"] });
}

/** Whether a rule loses parts of messages, and concerns none. */
function isForNobody(about: unknown, then: unknown): boolean {
  return (
    /_parts"/.test(JSON.stringify(then)) &&
    !JSON.stringify(about ?? "sms")
      .replace(/"of":.*/, "")
      .includes("sms")
  );
}

const rules = fc.uniqueArray(
  fc.oneof(
    rule(aboutOrders, fc.oneof(accepted, early, stuck, unaccepted)).filter(
      ({ when, then }) => !isForNobody(when, then),
    ),
    fc.record({ name: ruleName, when: aboutDetails, then: unaccepted }),
  ),
  { selector: ({ name }) => name, maxLength: 6 },
);

const rateLimit = fc.record(
  { requests: fc.integer({ min: 1, max: 20 }), per: fc.integer({ min: 1, max: 86_400_000 }).map(formatDuration) },
  { requiredKeys: ["requests"] },
);
const word = fc.constantFrom("revoked", "restored");
const secret = text.filter((written) => !/\p{Cc}/u.test(written));

function steps(names: readonly string[]) {
  const action = fc.oneof(
    fc.constantFrom("balance", "add").chain((change) => fc.record({ wallet: fc.record({ [change]: shillings }) })),
    fc.record({ credentials: fc.oneof(word, fc.record({ secret })) }),
    fc.tuple(senderId, word).map(([id, is]) => ({ sender_id: { [id]: is } })),
    fc.dictionary(carrier, fc.constantFrom("down", "up"), { minKeys: 1 }).map((states) => ({ carrier: states })),
    fc.record({ rate_limit: fc.oneof(fc.constant("none"), rateLimit) }),
    ...(names.length === 0
      ? []
      : [
          fc
            .tuple(fc.constantFrom(...names), fc.constantFrom("on", "off"))
            .map(([name, is]) => ({ rule: { [name]: is } })),
        ]),
  );
  const timing = fc.oneof(
    fc.record({ at: duration }),
    fc.record({ at: fc.constantFrom("15:00", "00:00:30") }),
    fc.record({ at: duration, every: fc.constantFrom("5m", "1d") }, { requiredKeys: ["every"] }),
  );
  return fc.array(
    fc.tuple(timing, action).map(([when, what]) => ({ ...when, do: what })),
    { maxLength: 6 },
  );
}

const setup = fc.record(
  {
    wallet: fc.record({ balance: shillings }),
    sender_ids: fc.uniqueArray(
      fc.oneof(senderId, fc.record({ sender_id: senderId, carriers: fc.shuffledSubarray([...CARRIERS]) })),
      {
        selector: (grant) => (typeof grant === "string" ? grant : grant.sender_id),
        maxLength: 3,
      },
    ),
    callbacks: fc.record(
      {
        airtime: fc.constantFrom("kredo:sink", "http://localhost:3000/hooks?token=a#b"),
        sms: fc.constant("kredo:sink"),
      },
      { requiredKeys: [] },
    ),
    numbers: fc.record({ ported: fc.dictionary(phoneNumber, carrier, { maxKeys: 3 }) }),
    rate_limit: rateLimit,
  },
  { requiredKeys: [] },
);

/**
 * Scenarios as they stand in a file, before YAML: all of them are accepted. Written with `JSON.stringify` or with the YAML
 * library they are a file's text.
 */
export const writtenScenario = fc
  .tuple(
    fc.record(
      { name: fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/), description: text, seed: fc.maxSafeNat(), setup },
      { requiredKeys: ["name"] },
    ),
    rules.chain((written) =>
      fc.record({ rules: fc.constant(written), timeline: steps(written.map(({ name }) => name)) }),
    ),
  )
  .map(([head, { rules, timeline }]) => ({ version: 1, ...head, rules, timeline: [...timeline] }));
