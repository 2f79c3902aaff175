import { createServer, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { callOverHttp } from "../../../src/control/client/http-exchange.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { Application } from "../../../src/verdict/application/application.ts";
import type { ApplicationOrder } from "../../../src/verdict/application/placed-order.ts";
import { openShell, type Routes } from "../../backends/http-shell.ts";
import { listenLocally } from "../../support/gateway/local-server.ts";

const ORDER: ApplicationOrder = {
  operation: "airtime",
  phoneNumber: "254712000101",
  amount: 100,
  message: "Hello",
  reference: "r1",
};

const AGAIN: ApplicationOrder = { ...ORDER, reference: "r2" };
const OTHER: ApplicationOrder = { ...AGAIN, phoneNumber: "254712000102" };

const FULL = `
status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: [done, success], failed: refunded, open: pending }
balance: { request: { url: "{app}/balance" }, json_path: $.left }
books: { request: { url: "{app}/books?reference={reference}" }, list: "$.charges[*]", request_id: $.request, amount: $.cost }
reset: { request: { method: POST, url: "{app}/reset" } }
tick: { command: "exit 3" }
`;

type Answers = Readonly<Record<string, [number, unknown]>>;

/** A real server that answers as told and keeps what it was asked. */
async function applicationWith(answers: Answers, more = FULL, ofOrder = "") {
  const asked: string[] = [];
  const tell = ([route, [status, json]]: [string, [number, unknown]]): [string, Routes[string]] => [
    route,
    ({ text }) => {
      asked.push(`${route} ${text}`.trim());
      return { status, json };
    },
  ];
  const shop = await openShell(0, Object.fromEntries(Object.entries(answers).map(tell)), () => {});
  const application = readApplication(`${shop.url}/`, more, ofOrder);
  return { asked, application, [Symbol.asyncDispose]: () => shop.close() };
}

function readApplication(url: string, more = "", ofOrder = ""): Application {
  const parsed = parseAppMap(
    `version: 1
application: ${url}
order:
  airtime:
    request: { url: "{app}/orders", json: { to: "{local_number}", plus: "{plus_number}", amount: "{amount}", ref: "{reference}" } }
    id: $.order.id
    ${ofOrder}
callbacks: { airtime: "{app}/hooks" }
${more}`,
    "kredo.app.yaml",
  );
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const gateway = { url: "http://127.0.0.1:1", consumerKey: "key", consumerSecret: "secret" };
  const { signal } = new AbortController();
  return new Application(parsed.map, { gateway, interruption: signal });
}

const TAKEN: [number, unknown] = [201, { order: { id: 7 } }];

test("places an order with its own number, amount and reference, and reads its id", async () => {
  await using shop = await applicationWith({ "POST /orders": TAKEN });

  const placed = await shop.application.place(ORDER);

  expect(shop.asked).toEqual(['POST /orders {"to":"0712000101","plus":"+254712000101","amount":"100","ref":"r1"}']);
  expect(placed).toMatchObject({ id: 7, phoneNumber: "254712000101" });
});

test.each([
  [{ status: "success" }, "paid", "success"],
  [{ status: "refunded" }, "failed", "refunded"],
  [{ status: "pending" }, "open", "pending"],
  [
    { status: "odd" },
    "not asked",
    'the status is "odd", which is not listed under paid, failed or open in the app map',
  ],
  [{}, "not asked", expect.stringMatching(/^GET http:.+\/orders\/7: the answer has nothing at \$\.status: \{\}$/)],
])("reads %j as %s", async (json, claim, said) => {
  await using shop = await applicationWith({ "POST /orders": TAKEN, "GET /orders/7": [200, json] });

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed).toEqual({ claim, said });
});

test.each([
  ["left no id", FULL],
  ["cannot be found by its reference", FULL.replace("{id}", "{reference}")],
])("an order that was refused and %s is one that the application calls failed", async (_what, map) => {
  await using shop = await applicationWith({ "POST /orders": [422, { problem: "try later" }] }, map);

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed).toEqual({ claim: "failed", said: 'placing the order was answered 422: {"problem":"try later"}' });
});

/** The most bytes of an answer that are read. */
const MOST = 1_048_576;

/** JSON of so many bytes, with a status. */
function padded(bytes: number): object {
  const json = { status: "pending", left: 5, more: "" };
  return { ...json, more: "x".repeat(bytes - JSON.stringify(json).length) };
}

const GONE = FULL.replace("failed: refunded", "failed: [refunded, 410]");

test.each([
  [["no such customer"], "failed"],
  ["no such customer", "failed"],
  [{ to: "no number" }, "failed"],
  [1, "failed"],
  [null, "open"],
  [false, "open"],
  [0, "open"],
  ["", "open"],
  [[], "open"],
  [{}, "open"],
  [undefined, "open"],
])("an answer of 200 with the errors %j is one to an order that is %s", async (errors, claim) => {
  const answers: Answers = {
    "POST /orders": [200, { order: { id: claim === "open" ? 7 : null }, errors }],
    "GET /orders/7": [200, { status: "pending" }],
  };
  await using shop = await applicationWith(answers, FULL, "refused: $.errors");

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed.claim).toBe(claim);
});

test.each([
  [MOST - 1, { claim: "open", said: "pending" }],
  [MOST, { claim: "open", said: "pending" }],
  [MOST + 1, { claim: "not asked", said: expect.stringMatching(/^GET .+: the answer is longer than 1 MiB/) }],
])("of an answer of %i bytes, nothing is read that is cut", async (bytes, claimed) => {
  await using shop = await applicationWith({ "POST /orders": TAKEN, "GET /orders/7": [200, padded(bytes)] });

  const placed = await shop.application.place(ORDER);

  expect(await shop.application.status(placed)).toEqual(claimed);
});

test.each(["balance", "books"] as const)("the %s are not read of an answer that is cut", async (what) => {
  const answers: Answers = { "GET /balance": [200, padded(MOST + 1)], "GET /books": [200, padded(MOST + 1)] };
  await using shop = await applicationWith(answers);

  const shown = await shop.application[what]({ ...ORDER, reply: { kind: "answered", status: 201, text: "{}" } });

  expect(shown).toMatchObject({ missing: expect.stringContaining("the answer is longer than 1 MiB") });
});

test("an order has no id that stands in an answer that is cut, and a reset of so many words is one", async () => {
  await using shop = await applicationWith({
    "POST /orders": [201, padded(MOST + 1)],
    "POST /reset": [200, padded(MOST + 1)],
  });

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed).toEqual({ claim: "not asked", said: expect.stringContaining("the answer is longer than 1 MiB") });
  expect(await shop.application.act("reset")).toBeUndefined();
});

test("an order that is gone failed if the map says so of the status", async () => {
  const answers: Answers = { "POST /orders": TAKEN, "GET /orders/7": [410, {}] };
  await using shop = await applicationWith(answers, GONE);

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed).toEqual({ claim: "failed", said: "answered 410" });
});

test("an order whose answer leaves it open is failed only if the application knows others, and not this one", async () => {
  const map = FULL.replace("{id}", "{reference}");
  const answers: Answers = { "POST /orders": [504, {}], "GET /orders/r1": [200, { status: "pending" }] };
  await using shop = await applicationWith(answers, map);
  const [found, lost] = [await shop.application.place(ORDER), await shop.application.place(AGAIN)];

  const before = await shop.application.status(lost);
  const open = await shop.application.status(found);
  const after = await shop.application.status(lost);

  expect([before, open, after]).toEqual([
    {
      claim: "not asked",
      said: expect.stringContaining("although placing the order was answered 504"),
      notFound: expect.any(String),
    },
    { claim: "open", said: "pending" },
    {
      claim: "failed",
      said: expect.stringMatching(/^placing .+ 504, and GET .+: answered 404/),
      notFound: expect.any(String),
    },
  ]);
});

test("an order whose answer leaves it open, and that only an id would find, is not assessed", async () => {
  await using shop = await applicationWith({ "POST /orders": [504, { problem: "unknown" }] });

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed).toEqual({
    claim: "not asked",
    said: expect.stringContaining("use {reference} in status.request if the application finds orders by it"),
  });
});

test("an application that ends the connection gives no answer", async () => {
  const listening = await listenLocally(createServer(({ socket }) => void socket.destroy()));
  const status = `status: { request: { url: "http://127.0.0.1:${listening.port}/" }, json_path: $.status, paid: a, failed: b, open: c }`;
  await using shop = await applicationWith({}, status);

  const claimed = await shop.application.status({ ...ORDER, reply: { kind: "answered", status: 201, text: "{}" } });

  await listening.close();
  expect(claimed).toEqual({ claim: "no answer", said: expect.stringMatching(/^no answer \(/), isEnded: true });
});

test("an application that is late gives no answer, and has not ended", async () => {
  const listening = await listenLocally(createServer(() => {}));
  const url = `http://127.0.0.1:${listening.port}/`;

  const reply = await callOverHttp({ method: "GET", url, headers: {}, limit: 5 });

  await listening.close();
  expect(reply).toMatchObject({ kind: "silent", reason: "no answer within 5ms", isLate: true });
});

test("of an answer without an end, the first bytes are read", async () => {
  const listening = await listenLocally(
    createServer((_, response) => {
      const write = (): void =>
        void (response.write("x".repeat(10_000)) ? setImmediate(write) : response.once("drain", write));
      write();
    }),
  );
  const url = `http://127.0.0.1:${listening.port}/`;

  const reply = await callOverHttp({ method: "GET", url, headers: {}, limit: 20_000, mostBytes: 25_000 });

  await listening.close();
  expect(reply).toEqual({ kind: "answered", status: 200, text: "x".repeat(25_000), isCut: true });
});

test.each([
  ["answers anything", (response: ServerResponse) => void response.writeHead(500).end()],
  ["ends every connection", (response: ServerResponse) => response.destroy()],
])("an application that %s is listening", async (_what, answer) => {
  const listening = await listenLocally(createServer((_, response) => void answer(response)));
  const application = readApplication(`http://127.0.0.1:${listening.port}`);

  const isListening = await application.isListening();

  await listening.close();
  expect(isListening).toBe(true);
});

test("an application whose port is closed is not listening", async () => {
  const listening = await listenLocally(createServer());
  const application = readApplication(`http://127.0.0.1:${listening.port}`);
  await listening.close();

  expect(await application.isListening()).toBe(false);
});

test("nothing is asked that the map does not describe", async () => {
  await using shop = await applicationWith({ "POST /orders": TAKEN }, "");
  const placed = await shop.application.place(ORDER);

  expect(await shop.application.status(placed)).toEqual({ claim: "not asked", said: "the app map has no status" });
  expect(await shop.application.balance(placed)).toEqual({ unasked: "the app map has no balance" });
  expect(await shop.application.books(placed)).toEqual({ missing: "the app map has no books" });
  expect(shop.asked).toHaveLength(1);
});

test("reads the balance, the price and the books to the cent", async () => {
  await using shop = await applicationWith({
    "POST /orders": TAKEN,
    "GET /balance": [200, { left: "899.50" }],
    "GET /books": [
      200,
      {
        charges: [
          { request: "a", cost: 95 },
          { request: "b", cost: "x" },
        ],
      },
    ],
  });
  const placed = await shop.application.place(ORDER);

  expect(await shop.application.balance(placed)).toEqual({ value: 89_950 });
  expect(shop.application.priceOf({ ...placed, charged: cents(9_500), parts: 1 })).toEqual({ price: 10_000 });
  expect(await shop.application.books(placed)).toEqual({
    value: [
      { requestId: "a", amount: 9_500, written: '{"request":"a","cost":95}' },
      { requestId: "b", amount: undefined, written: '{"request":"b","cost":"x"}' },
    ],
  });
});

const BALANCE = 'balance: { request: { url: "{app}/balance" }, json_path: $.left';
const OWN_BALANCE = 'balance: { request: { url: "{app}/balance/{phone_number}" }, json_path: $.left }';
const STATUS = "paid: a, failed: b, open: c }";

test("an answer that shows no amount is no balance", async () => {
  await using shop = await applicationWith({ "GET /balance": [200, { left: "plenty" }] });
  const placed = { ...ORDER, reply: { kind: "answered", status: 201, text: "{}" } } as const;

  expect(await shop.application.balance(placed)).toEqual({ missing: "$.left is plenty, which is not an amount" });
});

const GATEWAY = { charged: cents(9_525), parts: 3 };

test.each([
  ['"{amount}"', { airtime: { price: 10_000 }, sms: undefined }],
  ['"{charge}"', { airtime: { price: 9_525 }, sms: { price: 9_525 } }],
  ['"102.5%"', { airtime: { price: 10_250, unrounded: 10_250 }, sms: undefined }],
  ["97%", { airtime: { price: 9_700, unrounded: 9_700 }, sms: undefined }],
  ['"98% of {amount}"', { airtime: { price: 9_800, unrounded: 9_800 }, sms: undefined }],
  [
    '"110% of {charge}"',
    { airtime: { price: 10_478, unrounded: 10_477.5 }, sms: { price: 10_478, unrounded: 10_477.5 } },
  ],
  ["50", { airtime: { price: 5_000 }, sms: { price: 5_000 } }],
  ['"0"', { airtime: { price: 0 }, sms: { price: 0 } }],
  ["1.50", { airtime: { price: 150 }, sms: { price: 150 } }],
  ['[[50, 48.50], [100, "97"]]', { airtime: { price: 9_700 }, sms: undefined }],
  ["[[50, 48.50]]", { airtime: undefined, sms: undefined }],
  ['{ per_part: "1.10" }', { airtime: { price: 10_000 }, sms: { price: 330 } }],
  ["{ per_part: 1 }", { airtime: { price: 10_000 }, sms: { price: 300 } }],
])("a customer pays %s for airtime of KES 100 or an SMS of three parts, charged 95.25 for", (price, priced) => {
  const application = readApplication("http://127.0.0.1:1", `${BALANCE}, price: ${price} }`);

  const airtime = application.priceOf({ ...ORDER, ...GATEWAY });
  const sms = application.priceOf({ ...ORDER, ...GATEWAY, operation: "sms" });

  expect({ airtime, sms }).toEqual(priced);
});

test("an order has no price where the map has no balance", () => {
  expect(readApplication("http://127.0.0.1:1", "").priceOf({ ...ORDER, ...GATEWAY })).toBeUndefined();
});

test.each([
  ["no balance", "", { two: false, again: false, one: false }],
  ["one balance", `${BALANCE} }`, { two: true, again: true, one: false }],
  ["a balance of each customer", OWN_BALANCE, { two: false, again: true, one: false }],
])("orders share a balance in an application with %s: %j", (_what, more, shared) => {
  const application = readApplication("http://127.0.0.1:1", more);

  const [two, again, one] = [[ORDER, OTHER], [ORDER, AGAIN], [ORDER]].map((all) => application.isBalanceShared(all));

  expect({ two, again, one }).toEqual(shared);
});

test.each([
  ["no status", "", true],
  ["one status", `status: { request: { url: "{app}/status" }, json_path: $.s, ${STATUS}`, false],
  ["a status of each id", `status: { request: { url: "{app}/status/{id}" }, json_path: $.s, ${STATUS}`, true],
  [
    "a list of statuses",
    `status: { request: { url: "{app}/all" }, json_path: '$[?@.r == "{reference}"]', ${STATUS}`,
    true,
  ],
])("a status is that of one order in an application with %s: %s", (_what, more, isOfEach) => {
  expect(readApplication("http://127.0.0.1:1", more).hasStatusOfEach).toBe(isOfEach);
});

test.each([
  ["no status", "", { two: true, again: true }],
  ["one status", `status: { request: { url: "{app}/status" }, json_path: $.s, ${STATUS}`, { two: false, again: false }],
  ["one of each id", `status: { request: { url: "{app}/{id}" }, json_path: $.s, ${STATUS}`, { two: true, again: true }],
  [
    "one of each number",
    `status: { request: { url: "{app}/{phone_number}" }, json_path: $.s, ${STATUS}`,
    { two: true, again: false },
  ],
])("two orders, and two for one number, are told apart by %s", (_what, more, told) => {
  const application = readApplication("http://127.0.0.1:1", more);

  const [two, again] = [
    [ORDER, OTHER],
    [ORDER, AGAIN],
  ].map((all) => application.hasStatusOf(all));

  expect({ two, again }).toEqual(told);
});

test("gets five seconds after a callback unless the map says otherwise, and needs no slash at the end of its URL", () => {
  const [usual, quick] = ["", "settle: 1s"].map((more) => readApplication("http://127.0.0.1:1//", more));

  expect({ usual: usual?.settle, quick: quick?.settle }).toEqual({ usual: 5_000, quick: 1_000 });
  expect(usual?.url).toBe("http://127.0.0.1:1");
});

test.each([
  [429, { claim: "not asked", said: "answered 429", isLimited: true }],
  [
    404,
    { claim: "not asked", said: expect.stringContaining("was answered 201: correct"), notFound: expect.any(String) },
  ],
  [500, { claim: "not asked", said: expect.stringMatching(/: answered 500: \{\}$/) }],
])("a question for the status that is answered %i says nothing of the order", async (status, claimed) => {
  await using shop = await applicationWith({ "POST /orders": TAKEN, "GET /orders/7": [status, {}] });

  expect(await shop.application.status(await shop.application.place(ORDER))).toMatchObject(claimed);
});

test("an order that is not found where others are is the application's to keep, and not the map's to correct", async () => {
  await using shop = await applicationWith({ "POST /orders": TAKEN, "GET /orders/7": [200, { status: "done" }] });
  const kept = await shop.application.place(ORDER);

  const found = await shop.application.status(kept);
  const forgotten = await shop.application.status({ ...kept, id: 8 });

  expect(found).not.toHaveProperty("notFound");
  expect(forgotten.said).toMatch(
    /answered 201: other orders are found there, so let the application keep each that it takes$/,
  );
});

test("an order that was taken without an id cannot be asked about, and what may be one is proposed", async () => {
  await using shop = await applicationWith({ "POST /orders": [200, { ref: 9, token: "s" }] });

  const claimed = await shop.application.status(await shop.application.place(ORDER));

  expect(claimed.said).toBe(
    'the answer to the order has no id at $.order.id: 200: {"ref":9,"token":"…"}; order.airtime.id in the app map may be $.ref or $.token',
  );
});

test("an order of a kind that the map does not have cannot be placed", async () => {
  const application = readApplication("http://127.0.0.1:1");

  await expect(application.place({ ...ORDER, operation: "sms" })).rejects.toThrow("the app map has no order.sms");
});

test("resets by a request, ticks by a command, and says what went wrong", async () => {
  await using shop = await applicationWith({ "POST /reset": [200, {}] });

  expect(await shop.application.act("reset")).toBeUndefined();
  expect(await shop.application.act("tick")).toBe("the command ended with 3");
  expect(shop.asked).toEqual(["POST /reset"]);
});
