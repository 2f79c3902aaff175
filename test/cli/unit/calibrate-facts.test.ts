import { expect, test } from "vitest";
import { filesOnDisk } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { run } from "../../../src/cli/run.ts";
import { PROFILES, type Profile } from "../../../src/gateway/settings/profiles.ts";
import { fakeTerminal } from "../../support/terminal.ts";

/** What is publicly known of the gateway (public-facts.md), as a capture would show it, and what each profile says differently. */

const HEX = "0f8fad5bd9cb469fa16570867728950e";
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
/** The form of the observed profile, under which a request_id is to be no difference. */
const PADDED = `aB0Z${HEX}9xY7`;
const DIGITS = "The phone number must be between 10 and 12 digits.";
const REFUSED = { status_code: 422, description: "Validation failed." };
const SIMILAR = "A similar airtime request was made within the last 5 minutes.";

const accepted = (request_id: unknown) => ({ status_code: 200, description: "Operation successful.", request_id });
const bare = (validation_errors: object) => ({ validation_errors });
const nested = (errors: object) => ({ ...REFUSED, validation_errors: { status_code: 422, ...errors } });
const answer = (body: unknown) => ({ status: 422, body });
const asked = (order: object, body: unknown) => ({ request: { body: order }, body });
const airtime = (changes: object) => ({ phone_number: "254712345678", amount: "50", ...changes });
const callback = (changes: object, request_id = PADDED) => ({
  body: { request_id, charge: 47.55, account_balance: 1234.55, result_code: 200, result_desc: "Done.", ...changes },
});

interface Fact {
  readonly fact: string;
  readonly captured: object;
  /** What differs from each profile: `id: observed`. */
  readonly differs?: Readonly<Partial<Record<Profile, readonly string[]>>>;
}

const BARE = ["validation: bare"];
const OF_LARAVEL = {
  document: ["validation: bare", "validation-sentences: laravel"],
  sdk: BARE,
};

const FACTS: readonly Fact[] = [
  {
    fact: "the refusal in the PHP SDK's README",
    captured: answer({ ...REFUSED, validation_errors: { phone_number: [DIGITS] }, request_id: UUID }),
    differs: {
      document: ["validation-sentences: laravel"],
      observed: ["request-id: uuid", "refusal-request-id: id", "validation: full"],
    },
  },
  ...[
    { amount: ["The amount must be between 5 and 10000."] },
    { amount: ["The amount must be a number."] },
    { phone_number: [DIGITS] },
    { phone_number: ["The phone number field is required."] },
    { sender_id: ["The sender id field is required."] },
    { message: ["The message field is required."], sender_id: ["The sender id field is required."] },
    { message: ["The message field is required."], phone_number: [DIGITS] },
  ].map((errors) => ({
    fact: `Laravel's defaults: ${JSON.stringify(errors)}`,
    captured: answer(bare(errors)),
    differs: OF_LARAVEL,
  })),
  {
    fact: "a required message, of which Laravel says what Kredo says",
    captured: answer(bare({ message: ["The message field is required."] })),
    differs: { document: BARE, sdk: BARE },
  },
  ...[
    { amount: ["Only multiples of 5."], phone_number: [DIGITS] },
    { phone_number: [DIGITS], amount: ["Only multiples of 5."] },
  ].map((errors) => ({
    fact: `a sentence that no profile has, in any order: ${Object.keys(errors).join(", ")}`,
    captured: answer(bare(errors)),
    differs: {
      document: ["validation: bare", "validation-sentences: another sentence"],
      sdk: ["validation: bare", "validation-sentences: another sentence"],
      observed: ["validation-sentences: another sentence"],
    },
  })),
  {
    fact: "an unregistered sender ID in the Java SDK's test",
    captured: answer(bare({ sender_id: ["Unauthorized"] })),
    differs: { document: ["validation: bare", "unregistered-sender: laravel"], sdk: BARE },
  },
  {
    fact: "an unregistered sender ID of which Laravel says its own sentence",
    captured: answer(bare({ sender_id: ["The selected sender id is invalid."] })),
    differs: {
      document: ["validation: bare", "unregistered-sender: another sentence"],
      sdk: ["validation: bare", "unregistered-sender: another sentence"],
      observed: ["unregistered-sender: another sentence"],
    },
  },
  {
    fact: "a status_code inside validation_errors",
    captured: answer(nested({ phone_number: [DIGITS], sender_id: ["Unauthorized"] })),
    differs: {
      document: ["validation: nested", "validation-sentences: laravel", "unregistered-sender: laravel"],
      sdk: ["validation: nested"],
      observed: ["validation: nested"],
    },
  },
  {
    fact: "errors at the root beside status_code",
    captured: answer({ ...REFUSED, phone_number: [DIGITS], sender_id: ["Unauthorized"] }),
    differs: {
      document: ["validation: root", "validation-sentences: laravel", "unregistered-sender: laravel"],
      sdk: ["validation: root"],
      observed: ["validation: root"],
    },
  },
  { fact: "a request_id with four characters on either side", captured: accepted(PADDED), differs: ids("padded") },
  {
    fact: "a request_id with five characters on either side",
    captured: accepted(`aB0Zq${HEX}9xY7q`),
    differs: ids("padded_5"),
  },
  { fact: "a request_id of 32 digits", captured: accepted(HEX), differs: ids("hex") },
  { fact: "a request_id of the SDKs", captured: accepted(UUID), differs: ids("uuid") },
  ...["254712345678 with Ksh. 50", "+254733000001 with Ksh. 12.50", "0712345678 with Ksh. 10,000.00"].map((ending) => ({
    fact: `a successful airtime callback: ${ending}`,
    captured: callback({ result_desc: `You have topped up ${ending}.` }, UUID),
    differs: { document: ["result-desc: statum"], observed: ["request-id: uuid"] },
  })),
  ...["1234.560", "1234.567"].map((balance) => ({
    fact: `a balance with three decimals: ${balance}`,
    captured: { body: JSON.stringify(callback({}).body).replace("1234.55", balance) },
    differs: {
      document: ["request-id: padded", "decimals: 3"],
      sdk: ["request-id: padded", "decimals: 3"],
      observed: ["decimals: 3"],
    },
  })),
  {
    fact: "a callback of an order that is processing, which has not failed",
    captured: callback({ result_code: 100, charge: 1, result_desc: "Message in processing." }),
    differs: ids("padded"),
  },
  {
    fact: "a refused plus sign",
    captured: asked(airtime({ phone_number: "+254712345678" }), bare({ phone_number: [DIGITS] })),
    differs: {
      document: ["phone-numbers: digits", ...OF_LARAVEL.document],
      sdk: ["phone-numbers: digits", ...OF_LARAVEL.sdk],
    },
  },
  {
    fact: "a plus sign that is taken",
    captured: asked(airtime({ phone_number: "+254712345678" }), accepted(PADDED)),
    differs: {
      document: ["request-id: padded", "phone-numbers: lenient"],
      sdk: ["request-id: padded"],
      observed: ["phone-numbers: lenient"],
    },
  },
  {
    fact: "a refused amount that is a JSON number",
    captured: asked(airtime({ amount: 50 }), bare({ amount: ["The amount must be a string."] })),
    differs: { document: BARE, sdk: BARE },
  },
  {
    fact: "a message of white space alone",
    captured: asked(
      airtime({ amount: undefined, message: "  " }),
      bare({ message: ["The message field is required."] }),
    ),
    differs: { document: ["blank-messages: refuse", ...BARE], sdk: BARE },
  },
  {
    fact: "a repeated order that is refused at once",
    captured: answer(bare({ phone_number: [SIMILAR] })),
    differs: {
      document: ["duplicates: refuse", "validation: bare"],
      sdk: ["duplicates: refuse", "validation: bare"],
      observed: ["duplicates: refuse"],
    },
  },
  {
    fact: "a repeated order that fails by callback",
    captured: callback({ result_code: 422, charge: 0, result_desc: SIMILAR }),
    differs: {
      document: ["request-id: padded", "duplicates: fail_by_callback"],
      sdk: ["request-id: padded", "duplicates: fail_by_callback"],
      observed: ["duplicates: fail_by_callback"],
    },
  },
  {
    fact: "credentials, which tell nothing",
    captured: {
      request: { headers: { authorization: `Basic ${"c2Vj".repeat(22)}` }, body: airtime({}) },
      body: accepted(PADDED),
    },
    differs: ids("padded"),
  },
  {
    fact: "account-details as the Java SDK before 1.0.2 reads them, in which nothing is guessed",
    captured: { body: { ...accepted(PADDED), data: { name: "Shop", available_balance: 20.5 } } },
    differs: ids("padded"),
  },
  {
    fact: "an empty wallet, observed",
    captured: { status: 402, body: { status_code: 402, description: "Insufficient funds.", request_id: null } },
    differs: { document: ["refusal-request-id: null"], sdk: ["refusal-request-id: null"] },
  },
];

test.each(FACTS.map((fact) => [fact.fact, fact] as const))("%s", async (_fact, { captured, differs = {} }) => {
  const told = await Promise.all(PROFILES.map((profile) => calibrate(captured, profile)));

  expect(told).toEqual(
    PROFILES.map((profile) => {
      const expected = differs[profile] ?? [];
      return { profile, exitCode: expected.length > 0 ? 1 : 0, differs: expected };
    }),
  );
});

function ids(form: "uuid" | "hex" | "padded" | "padded_5"): Fact["differs"] {
  const isOf = { document: form === "uuid", sdk: form === "uuid", observed: form === "padded" };
  return Object.fromEntries(PROFILES.map((profile) => [profile, isOf[profile] ? [] : [`request-id: ${form}`]]));
}

interface Report {
  readonly rows: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly observed: readonly { readonly value: unknown }[];
  }[];
}

async function calibrate(captured: object, profile: Profile) {
  const terminal = { ...fakeTerminal({ stdin: JSON.stringify(captured) }), files: filesOnDisk };
  const exitCode = await run(["calibrate", "-", "--profile", profile, "--json"], terminal);
  const { rows }: Report = JSON.parse(terminal.printed());
  const different = rows.filter(({ verdict }) => verdict !== "agrees");
  return {
    profile,
    exitCode,
    differs: different.map(({ id, observed }) => `${id}: ${observed.map(({ value }) => String(value)).join(", ")}`),
  };
}
