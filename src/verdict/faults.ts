import type { Breakage } from "../gateway/scenario/effects/applied-rules.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import type { WrittenAction } from "../gateway/scenario/timeline-steps.ts";

type WrittenRule = NonNullable<Scenario["rules"]>[number];
export type WrittenEffects = WrittenRule["then"];

/** One thing that can go wrong, written as a few lines of a scenario file. */
export type Fault = {
  /** Identifies the fault in commands, reports and replays. */
  readonly id: string;
  /** What happens, as a sentence without its full stop. */
  readonly words: string;
  /** What happens where it hits a request for account details; without it, it cannot. */
  readonly atDetails?: string;
  readonly group: FaultGroup;
  /** What it leaves a good application with: an order that it cannot know the outcome of, one refused, or one that it is told has failed. */
  readonly leaves?: "unknown" | "refused" | "failed";
  /** Whether it takes long in wall time. */
  readonly isSlow?: true;
  /** Whether an application may rightly send nothing more after it until a person has looked: it lacks money or credentials. */
  readonly mayHalt?: true;
} & (
  | { readonly then: WrittenEffects }
  /** Changes the account from the beginning, instead of one request. */
  | { readonly setup: Scenario["setup"] }
  /** Happens to the account at some moment, as a step of a timeline. */
  | { readonly happens: WrittenAction; readonly isFromStart?: true }
);

/** In the order in which an order passes through them. */
export const FAULT_GROUPS = ["refusal", "connection", "acknowledgment", "result", "callback", "account"] as const;
export type FaultGroup = (typeof FAULT_GROUPS)[number];

const REFUSALS: readonly Fault[] = [
  { ...refusal(401, "unauthorized"), mayHalt: true },
  { ...refusal(402, "insufficient funds"), mayHalt: true },
  { ...refusal(403, "access denied"), mayHalt: true },
  refusal(422, "validation failed"),
  refusal(429, "too many requests"),
  refusal(500, "internal server error"),
];

/** Responses of a proxy in front of the gateway, which do not say whether the order was accepted behind it. */
const PROXY_ANSWERS: readonly Fault[] = [502, 503, 504].flatMap((status): Fault[] => {
  const page = { status, body: `<html><body><h1>${status}</h1></body></html>`, content_type: "text/html" };
  const answers = `a proxy answers ${status} in HTML`;
  return [
    {
      id: `proxy-${status}`,
      words: `${answers}, and the order is not accepted`,
      atDetails: answers,
      group: "refusal",
      leaves: "unknown",
      then: { refuse: page },
    },
    {
      id: `proxy-${status}-after-accept`,
      words: `${answers}, and the order is accepted behind it`,
      group: "acknowledgment",
      leaves: "unknown",
      then: { ack: page },
    },
  ];
});

const SLOW = { isSlow: true } as const;

const BREAKAGE_WORDS: readonly (readonly [breakage: Breakage, words: string, slow?: typeof SLOW])[] = [
  ["reset", "the connection is reset"],
  ["empty", "the connection closes without an answer"],
  ["hang", "the answer never arrives", SLOW],
  ["truncate", "only half of the answer arrives"],
  ["garbage", "something arrives that is not HTTP"],
  ["drip", "the answer arrives byte by byte", SLOW],
];

const BREAKAGES: readonly Fault[] = BREAKAGE_WORDS.flatMap(([breakage, words, slow]): Fault[] => [
  {
    id: `${breakage}-before-accept`,
    words: `${words}, and the order is not accepted`,
    atDetails: words,
    group: "connection",
    leaves: "unknown",
    ...slow,
    then: { connection: `${breakage}_before_accept` },
  },
  {
    id: `${breakage}-after-accept`,
    words: `${words}, and the order is accepted`,
    group: "connection",
    leaves: "unknown",
    ...slow,
    then: { connection: `${breakage}_after_accept` },
  },
]);

const RESULTS: readonly Fault[] = [
  result("failed", "the carrier fails the order"),
  result("rejected", "the carrier rejects the order"),
  result("not_on_network", "the carrier does not serve the number"),
  result("timed_out", "the carrier times out"),
  {
    id: "never-settles",
    words: "the result never arrives",
    group: "result",
    leaves: "unknown",
    then: { result: { stuck: true } },
  },
];

const FAILED = { result: { outcome: "failed" } } as const;
const REPEATED = { times: 2, gap: "1m" };
const LOST_ACK = { connection: "reset_after_accept" } as const;
/** Nothing that the application can use arrives. */
const UNTOLD = { leaves: "unknown" } as const;

const CALLBACKS: readonly Fault[] = [
  { ...callback("callback-dropped", "the callback is never sent", { drop: true }), ...UNTOLD },
  callback("callback-twice-at-once", "the callback is sent twice at the same moment", { times: 2 }),
  callback("callback-twice", "the callback is sent twice, a minute apart", REPEATED),
  callback("callback-three-times", "the callback is sent three times", { ...REPEATED, times: 3 }),
  callback("callback-late", "the callback is sent one hour late", { delay: "1h" }),
  callback("callback-before-ack", "the callback is sent before the acknowledgment", { before_ack: true }),
  callback("contradiction-after-success", "a second callback says failed after a first said delivered", {
    ...REPEATED,
    contradict: true,
  }),
  callback(
    "contradiction-after-failure",
    "a second callback says delivered after a first said failed",
    { ...REPEATED, contradict: true },
    FAILED,
  ),
  callback("reversal-after-success", "the success is taken back with its charge, and a second callback says so", {
    ...REPEATED,
    reverse: true,
  }),
  callback("failure-twice", "the carrier fails the order, and the callback is sent twice", REPEATED, FAILED),
  callback(
    "failure-before-ack",
    "the carrier fails the order, and the callback is sent before the acknowledgment",
    { before_ack: true },
    FAILED,
  ),
  callback(
    "failure-wrong-content-type",
    "the carrier fails the order, and the callback has the wrong content type",
    { wrong_content_type: true },
    FAILED,
  ),
  {
    id: "lost-ack-then-failure",
    words: "the connection is reset, the order is accepted, and the carrier fails it",
    group: "callback",
    ...UNTOLD,
    then: { ...LOST_ACK, ...FAILED },
  },
  {
    ...callback(
      "lost-ack-then-callback-twice",
      "the connection is reset, the order is accepted, and the callback is sent twice",
      REPEATED,
      LOST_ACK,
    ),
    ...UNTOLD,
  },
  { ...callback("callback-malformed", "the callback is not JSON", { malformed: true }), ...UNTOLD },
  callback("callback-wrong-content-type", "the callback has the wrong content type", { wrong_content_type: true }),
  callback("callback-with-new-field", "the callback has a field that the specification does not know", {
    unknown_field: true,
  }),
  {
    ...callback("callback-unknown-request-id", "the callback has a request_id that was never issued", {
      unknown_id: true,
    }),
    ...UNTOLD,
  },
];

const ACCOUNTS: readonly Fault[] = [
  {
    id: "wallet-empty",
    words: "the wallet is empty",
    group: "account",
    mayHalt: true,
    setup: { wallet: { balance: "0" } },
  },
  {
    id: "credentials-revoked",
    words: "the credentials are revoked",
    group: "account",
    mayHalt: true,
    happens: { credentials: "revoked" },
  },
  {
    id: "credentials-revoked-throughout",
    words: "the credentials are revoked from the beginning",
    group: "account",
    mayHalt: true,
    happens: { credentials: "revoked" },
    isFromStart: true,
  },
];

/** Every fault that `explore` tries and `trigger` sets. */
export const FAULTS: readonly Fault[] = [
  ...REFUSALS,
  ...PROXY_ANSWERS,
  ...BREAKAGES,
  {
    id: "slow-acknowledgment",
    words: "the acknowledgment takes 11 seconds",
    atDetails: "the answer takes 11 seconds",
    group: "acknowledgment",
    isSlow: true,
    then: { ack: { delay: "11s" } },
  },
  ...RESULTS,
  ...CALLBACKS,
  ...ACCOUNTS,
];

export function findFault(id: string): Fault | undefined {
  return FAULTS.find((fault) => fault.id === id);
}

/** Returns the fault that a scenario written by `writeFault` makes happen. */
export function faultOf(scenario: string): Fault | undefined {
  return findFault(scenario.replace(/-to-[\dx]+$/, ""));
}

/**
 * Writes a scenario in which this fault happens to the first request that `when` matches. Defaults to the next airtime or SMS request. One
 * for a phone number has a name of its own, so that it can be armed for several.
 */
export function writeFault(fault: Fault, when: WrittenRule["when"] = { first: 1 }): Scenario {
  const { phone_number: to } = when;
  const name = typeof to === "string" ? `${fault.id}-to-${to.replaceAll(/\D/g, "x")}` : fault.id;
  const head = { version: 1 as const, name, description: `${sentence(fault.words)}.` };
  if ("then" in fault) return { ...head, rules: [{ name: fault.words, when, then: fault.then }] };
  return { ...head, ...writeAccountFault(fault, "0s") };
}

export function happensBetweenOrders(fault: Fault): boolean {
  return "happens" in fault && fault.isFromStart !== true;
}

/** What changes the account, at once or at this moment after the scenario's beginning. */
export function writeAccountFault(
  fault: Exclude<Fault, { then: unknown }>,
  at: string,
): Pick<Scenario, "setup" | "timeline"> {
  if ("setup" in fault) return { setup: fault.setup };
  return { timeline: [{ at: fault.isFromStart === true ? "0s" : at, do: fault.happens }] };
}

function refusal(status: number, words: string): Fault {
  const happened = `the gateway refuses with ${status}, ${words}`;
  // Account details cost nothing, and have no fields to validate.
  const atDetails = status === 402 || status === 422 ? undefined : happened;
  return {
    id: `refused-${status}`,
    words: happened,
    atDetails,
    group: "refusal",
    leaves: "refused",
    then: { refuse: status },
  };
}

function result(outcome: NonNullable<WrittenEffects["result"]>["outcome"] & string, words: string): Fault {
  const id = `result-${outcome.replaceAll("_", "-")}`;
  return { id, words, group: "result", leaves: "failed", then: { result: { outcome } } };
}

/** Something that happens to the callback, and perhaps to its order first. */
function callback(id: string, words: string, effect: WrittenEffects["callback"], first: WrittenEffects = {}): Fault {
  const fails = first === FAILED && ({ leaves: "failed" } as const);
  return { id, words, group: "callback", ...fails, then: { ...first, callback: effect } };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
