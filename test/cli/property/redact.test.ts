import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Calibrator } from "../../../src/calibration/calibration.ts";
import { exchangeIn } from "../../../src/calibration/captured-exchanges.ts";
import { Redactor } from "../../../src/calibration/redact.ts";
import { run } from "../../../src/cli/run.ts";
import { configSchema } from "../../../src/config.ts";
import type { ObservedExchange } from "../../../src/calibration/observed-exchange.ts";
import { fakeTerminal } from "../../support/terminal.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kredo-redact-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** Captures with the gateway: every kind of exchange in every format that the docs name. A leaf, a key or a header is a place. */
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const ID = "aB0Z0f8fad5bd9cb469fa16570867728950e9xY7";
const ACCEPTED = { status_code: 200, description: "Operation successful.", request_id: UUID };
const CALLBACK = {
  request_id: ID,
  charge: 47.5,
  account_balance: "1234.50",
  result_code: 200,
  result_desc: "Airtime top-up of KES 50.00 to 254712345678 was successful.",
};
const REFUSED = {
  status_code: 422,
  description: "Validation failed.",
  validation_errors: { amount: ["The amount must be a string."], sender_id: ["The sender_id ACME is not registered."] },
  request_id: null,
};
const AT_ROOT = { status_code: 422, description: "Validation failed.", ...REFUSED.validation_errors };
const DETAILS = {
  ...ACCEPTED,
  organization: {
    name: "Shop",
    details: { available_balance: 20.5, office_email: "a@b.example", mpesa_account_top_up_code: "B9E573" },
    accounts: [{ account: "ACME", service_name: "sms" }],
  },
};
const ORDER = { phone_number: "254712345678", amount: "50" };
const SMS = { phone_number: "0712345678", message: "Habari", sender_id: "ACME" };
const HEADERS = {
  "user-agent": "okhttp/4",
  accept: "*/*",
  "content-type": "application/json",
  "content-encoding": "gzip",
  "transfer-encoding": "chunked",
  "retry-after": "5",
  "www-authenticate": "Basic",
  authorization: "Basic eA==",
  "x-token": "t",
};

const CAPTURES: readonly unknown[] = [
  ACCEPTED,
  CALLBACK,
  REFUSED,
  AT_ROOT,
  DETAILS,
  {
    at: "2025-10-17T08:00:00Z",
    request: { path: "/api/v2/sms", body: SMS },
    status: 200,
    headers: HEADERS,
    body: ACCEPTED,
  },
  { at: 1_760_688_000, request: { body: ORDER }, status: 422, body: REFUSED },
  { at: "2025-10-17T08:00:03Z", request: { path: "/hook", headers: HEADERS, body: CALLBACK }, status: 200, body: "ok" },
  {
    startedDateTime: "2025-10-17T08:00:00.000+03:00",
    time: 420,
    request: {
      method: "POST",
      url: "https://api.example.com/api/v2/airtime",
      headers: [{ name: "Authorization", value: "Basic eA==" }],
      postData: { text: ORDER },
    },
    response: { status: 422, headers: [{ name: "Retry-After", value: "5" }], content: { text: REFUSED } },
  },
  {
    received_at: "2025-10-17T08:00:00Z",
    request: { method: "POST", target: "/api/v2/sms", headers: [["host", "x"]], body: { text: SMS } },
    response: { status: 200, head: "", body: { text: DETAILS } },
  },
  { kind: "refused", at: 1_760_688_000_000, path: "/api/v2/sms", code: 401, description: "Unauthorized.", body: SMS },
];

/** A secret, and what of it must be nowhere. */
interface Secret {
  readonly written: string;
  readonly traces: readonly string[];
}

const NAMES = ["Wanjiku", "Achieng", "Kiprotich", "Mwangi", "Nekesa", "Odhiambo", "Jane", "O'Brien", "Zawadi"];
const names = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES)).map((pair) => pair.join(" "));
const secret = (written: string, ...traces: string[]): Secret => ({ written, traces: [written, ...traces] });
const digits = (length: number) => fc.integer({ min: 10 ** (length - 1), max: 10 ** length - 1 }).map(String);

const phones = fc
  .tuple(
    fc.constantFrom(
      "254",
      "+254",
      "0",
      "",
      "tel:+254",
      "00254",
      "254-",
      "+254 (0)",
      "%2B254",
      "phone=254",
      "wa.me/254",
    ),
    fc.constantFrom("712", "110", "733"),
    digits(6),
    fc.constantFrom("", " ", "-"),
  )
  .map(([country, prefix, rest, between]) => {
    const [middle, end] = [rest.slice(0, 3), rest.slice(3)];
    return secret([country + prefix, middle, end].join(between), rest, `${middle}${between}${end}`);
  });
const codes = fc
  .integer({ min: 5, max: 12 })
  .chain(digits)
  .map((code) => secret(code));
const people = names.map((name) => secret(name, ...name.split(" ")));
const addresses = fc.tuple(names, digits(5)).map(([name, number]) => {
  const user = name.replaceAll(/[^a-z]/gi, "").toLowerCase() + number;
  return secret(`${user}@mail.example`, user, "mail.example");
});
const messages = fc
  .tuple(
    names,
    fc.constantFrom(
      "meet me at the network office",
      "your code is",
      "the message is required, same time",
      "Ksh. 5,000 for",
    ),
    digits(6),
  )
  .map(([name, words, code]) =>
    secret(`${name}: ${words} ${code} 🙂`, ...name.split(" "), code, "meet me", "code is", "🙂"),
  );
const tokens = fc
  .uint8Array({ minLength: 12, maxLength: 24 })
  .map((bytes) => Buffer.from(bytes))
  .chain((bytes) =>
    fc.constantFrom(bytes.toString("base64"), bytes.toString("hex"), `eyJ.${bytes.toString("base64url")}`),
  )
  .map((token) => secret(token));
const secrets = fc.oneof(phones, codes, people, addresses, messages, tokens);

/** How a secret stands in its place. */
const ENCODINGS: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => (/^[1-9]\d*$/.test(text) ? Number(text) : ` ${text} `),
  (text) => [text],
  (text) => [[{ note: text }]],
  (text) => ({ phone_number: { description: text } }),
  (text) => ({ [text]: text }),
  (text) => JSON.stringify({ phone_number: text }),
  (text) => JSON.stringify(JSON.stringify([text])),
  (text) => Buffer.from(text).toString("base64"),
  (text) => encodeURIComponent(text),
  (text) => text.toUpperCase(),
  (text) => `The ${text} field is required.`,
  (text) => `The sender_id is not registered. ${text}`,
  (text) => `Operation successful.\n${text}`,
  (text) => `okhttp/4 ${text}`,
  (text) => `${text}/1.0`,
];

/** What an encoded secret must not leave behind. */
function tracesOf({ written, traces }: Secret, encode: (text: string) => unknown): string[] {
  const encoded = encode(written);
  const texts = [...traces, ...(typeof encoded === "string" ? [encoded] : [])];
  return texts.flatMap((text) => [text, Buffer.from(text).toString("base64"), encodeURIComponent(text)]);
}

type Path = readonly (string | number)[];

/** Returns the path of every value in JSON. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

/** Returns JSON with another value, or with another key, at a path. */
function planted(value: unknown, [step, ...rest]: Path, plant: unknown, isKey: boolean): unknown {
  if (step === undefined) return plant;
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === step ? planted(inner, rest, plant, isKey) : inner));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, inner]) => {
      if (key !== step) return [key, inner];
      return isKey && rest.length === 0 ? [String(plant), inner] : [key, planted(inner, rest, plant, isKey)];
    }),
  );
}

/** The bodies of a HAR and of the control API are text; so may be those of a line. */
function withTexts(capture: unknown, areTexts: boolean): string {
  return JSON.stringify(capture, (key, value: unknown) => {
    const isBody = key === "text" || (areTexts && key === "body" && !Array.isArray(value));
    return isBody && typeof value === "object" && value !== null && !("text" in value) ? JSON.stringify(value) : value;
  });
}

const places = fc
  .constantFrom(...CAPTURES)
  .chain((capture) =>
    fc.record({ capture: fc.constant(capture), path: fc.constantFrom(...pathsIn(capture)), isKey: fc.boolean() }),
  );

test("a secret of any kind, in any place and any encoding, is neither in the redacted file nor in the report", async () => {
  const redacted = join(folder, "redacted.jsonl");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(places, secrets, fc.constantFrom(...ENCODINGS), fc.boolean()), {
        minLength: 12,
        maxLength: 12,
      }),
      async (plants) => {
        const lines = plants.map(([{ capture, path, isKey }, { written }, encode, areTexts]) =>
          withTexts(planted(capture, path, encode(written), isKey), areTexts),
        );
        const stdin = [JSON.stringify(ACCEPTED), ...lines].join("\n");
        const terminal = fakeTerminal({ stdin });

        await run(["calibrate", "-", "--redacted", redacted, "--json"], terminal);

        const written = await readFile(redacted, "utf8");
        const shown = `${decoded(written)}\n${decoded(terminal.printed())}\n${terminal.complained()}`;
        const left = plants
          .flatMap(([, one, encode]) => tracesOf(one, encode))
          .filter((trace) => shown.includes(trace));
        expect(left).toEqual([]);
        expect(/\d{5}/.exec(shown)?.[0]).toBeUndefined();
      },
    ),
    { numRuns: 60 },
  );
});

/** Returns JSON lines with all that is escaped in them, also in bodies that are text. */
function decoded(lines: string): string {
  const texts = lines
    .trim()
    .split("\n")
    .map((line) => JSON.stringify(JSON.parse(line)));
  return [...texts, ...texts.map((text) => text.replaceAll("\\", ""))].join("\n");
}

const SETTINGS = configSchema.parse({});

function rowsOf(exchanges: readonly ObservedExchange[]): unknown {
  const calibrator = new Calibrator(SETTINGS);
  for (const exchange of exchanges) calibrator.add(exchange);
  return calibrator.compare(SETTINGS);
}

const sentences = fc.constantFrom(
  "The amount must be between 5 and 10000.",
  "The amount must be between 7.00 and 12345.00.",
  "Between 5 and 9.",
  "The phone number field is required.",
  "The amount is required",
  "The amount must be a string.",
  "A similar request was made within 5 minutes.",
  "The same airtime was sent to this number less than 2m ago.",
  "Give us 0712345678 again.",
);
const amounts = fc.constantFrom<unknown>(
  0,
  95,
  95.5,
  12_345.67,
  -1,
  "95.00",
  "0.00",
  "12345.10",
  "0.80",
  "95 KES",
  null,
);
const ids = fc.constantFrom<unknown>(UUID, UUID.toUpperCase(), ID, "x".repeat(32), "254712345678", "", 7, null);
const answers = fc.record(
  {
    status_code: fc.constantFrom<unknown>(200, "200", 401, 402, 415, 422, 429, "E12", 12_345),
    description: fc.constantFrom("Operation successful.", "Unauthorized.", "Who are you, Jane?", "Insufficient funds."),
    request_id: ids,
    validation_errors: fc.dictionary(
      fc.constantFrom("amount", "phone_number", "sender_id", "Jane"),
      fc.array(sentences),
    ),
    message: fc.constantFrom<unknown>("No, Jane.", ["No, Jane."], ["The message field is required."]),
    phone_number: fc.array(sentences),
    sender_id: fc.constantFrom(["Unauthorized"], ["The sender_id ACME is not registered."]),
    Jane: fc.constant(1),
    organization: fc.constant(DETAILS.organization),
  },
  { requiredKeys: ["status_code"] },
);
const callbacks = fc.record({
  request_id: ids,
  charge: amounts,
  account_balance: amounts,
  result_code: fc.constantFrom<unknown>(200, "200", 403, "504", 1032, "timeout"),
  result_desc: fc.constantFrom(
    "Message delivered.",
    "Message rejected by the network of Jane.",
    "Airtime top-up of KES 12345.00 to 254712345678 failed: insufficient funds.",
    "Could not reach 0712 345 678, timed-out",
    "Not enough balance for Jane Wanjiku",
    "Denied",
  ),
});
const orders = fc.record(
  {
    phone_number: fc.constantFrom<unknown>(
      "254712345678",
      "254763345678",
      "+254733345678",
      "0771 234 567",
      "712345678",
      712_345_678,
      "x",
    ),
    amount: fc.constantFrom<unknown>("50", 50, "fifty"),
    Jane: fc.constant(1),
  },
  { requiredKeys: ["phone_number", "amount"] },
);
const headers = fc.dictionary(
  fc.constantFrom("User-Agent", "accept", "x-token", "Content-Encoding"),
  fc.constantFrom("okhttp/4", "*/*", "application/json", "Jane/1.0", "gzip", ""),
);
const captured = fc.oneof(
  fc.record({
    status: fc.constantFrom(200, 402, 422),
    request: fc.record({ path: fc.constant("/api/v2/airtime"), headers, body: orders }),
    body: answers,
  }),
  fc.record({ request: fc.record({ headers, body: callbacks }), at: fc.constantFrom("2025-10-17T08:00:00Z", "x") }),
  answers,
  callbacks,
);

test("comparing a redacted exchange gives what comparing the exchange gives, and redacting it again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(captured, { minLength: 1, maxLength: 5 }), fc.boolean(), (captures, areTexts) => {
      const exchanges = captures.flatMap((one) => exchangeIn(JSON.parse(withTexts(one, areTexts))) ?? []);

      const redacted = redactAll(exchanges);

      expect(redacted.length).toBe(exchanges.length);
      expect(rowsOf(redacted)).toEqual(rowsOf(exchanges));
      expect(redactAll(redacted)).toEqual(redacted);
    }),
    { numRuns: 100 },
  );
});

function redactAll(exchanges: readonly ObservedExchange[]): ObservedExchange[] {
  const redactor = new Redactor();
  return exchanges.flatMap((exchange) => redactor.redact(exchange) ?? []);
}
