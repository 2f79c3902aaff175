import { expect, test } from "vitest";
import * as z from "zod";
import type { Routes } from "../../backends/http-shell.ts";
import { rehearsing, verdicts, failures } from "../../support/rehearse.ts";

const REHEARSAL = "version: 1\nname: plain\nclock: manual\ndrive: [{ order: airtime }]\n";
const STATUS =
  'status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: paid, failed: failed, open: open }\n';

test("judges an order by the app map without any expectation", async () => {
  await using shop = await openShop();

  const outcome = await shop.rehearse([REHEARSAL], { map: mapOf(STATUS) });

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toMatchObject({ "each order ends right": "passed", "findings: no defects": "passed" });
});

test("any seed that a report names can be given again", async () => {
  await using shop = await openShop();

  const { reports } = await shop.rehearse([REHEARSAL], { map: mapOf(STATUS), flags: ["--seed", "281474976710654"] });

  expect(reports[0]?.seed).toBe(281_474_976_710_654);
});

test("an order that is shown as failed although it was delivered is one failed check with its repair", async () => {
  await using shop = await openShop({ wrongly: "failed" });

  const outcome = await shop.rehearse([REHEARSAL], { map: mapOf(STATUS) });

  expect(outcome.exitCode).toBe(1);
  expect(failures(outcome)).toEqual([
    expect.stringMatching(
      /^the order was delivered, but the application shows it as failed .* Mark an order as failed only/,
    ),
  ]);
});

test("an order that is sold twice is one failed check, and the finding about it is told with it", async () => {
  await using shop = await openShop({ sends: 2 });
  const lost = "scenario: ack-lost-after-accept\n";

  const outcome = await shop.rehearse([REHEARSAL + lost], { map: mapOf(STATUS) });

  expect(failures(outcome)).toEqual([expect.stringContaining("one order was sold more than once")]);
  expect(outcome.reports[0]?.findings.map(({ id }) => id)).toContain("double-spend");
  expect(outcome.printed).toContain(
    "findings: no defects (apart from double-spend, reported by the check of the orders)",
  );
});

test("a customer who is not refunded for failed orders is one failed check, with what the orders cost", async () => {
  await using shop = await openShop();
  const balance = 'balance: { request: { url: "{app}/balance" }, json_path: $.balance }\n';
  const failing = `version: 1
name: failing
clock: manual
scenario: { version: 1, name: fails, rules: [{ name: the second fails, when: { phone_number: "254712000002" }, then: { result: { outcome: failed } } }] }
drive: [{ order: { phone_number: "25471200000{n}", repeat: 2 } }]
`;

  const outcome = await shop.rehearse([failing], { map: mapOf(`${STATUS}${balance}`) });

  expect(failures(outcome)).toEqual([
    "the customer was debited KES 200.00 for 2 orders: 1 paid, 1 failed, which cost KES 100.00",
  ]);
});

test("what an SMS costs can be told by the map, and is checked then", async () => {
  await using shop = await openShop();
  const balance =
    'balance: { request: { url: "{app}/balance" }, json_path: $.balance, price: { airtime: "{amount}", sms: "1.00" } }\n';
  const sms = 'order: { sms: { request: { url: "{app}/orders", json: { to: "{phone_number}" } }, id: $.id } }';
  const map = mapOf(`${STATUS}${balance}`)
    .replace(/order: .*/, sms)
    .replace("callbacks: { ", 'callbacks: { sms: "{app}/hooks", ');

  const outcome = await shop.rehearse([REHEARSAL.replace("airtime", "sms")], { map });

  expect(failures(outcome)).toEqual([
    expect.stringContaining("the customer was debited KES 100.00 for an order of KES 1.00 that is shown as paid"),
  ]);
});

test("an order that the application took and does not find again is not assessed, with a sentence that helps", async () => {
  await using shop = await openShop();
  const lost = STATUS.replace("/orders/{id}", "/purchases/{id}");

  const outcome = await shop.rehearse([REHEARSAL], { map: mapOf(lost) });

  expect(verdicts(outcome)).toMatchObject({ "each order ends right": "not_assessed" });
  expect(outcome.printed).toMatch(
    /GET http:\S+\/purchases\/2: answered 404.*, although placing the order was answered 201: correct status.request/,
  );
});

test("what the app map does not name is not assessed, and does not fail", async () => {
  await using shop = await openShop();

  const outcome = await shop.rehearse([REHEARSAL], { map: mapOf("") });

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toMatchObject({
    "each order ends right": "not_assessed",
    "each order ends in the right status": "not_assessed",
    "the books agree with the ledger": "not_assessed",
  });
  expect(outcome.printed).toContain("needs status in the app map");
});

test("with --fail-on money-not-assessed, an order whose money nobody can assess fails, and the map's missing parts are named", async () => {
  await using shop = await openShop();

  const outcome = await shop.rehearse([REHEARSAL], { map: mapOf(STATUS), flags: ["--fail-on", "money-not-assessed"] });

  expect(outcome.exitCode).toBe(1);
  expect(failures(outcome)).toEqual([]);
  expect(outcome.complained).toContain(
    "orders whose money no check assessed, which --fail-on money-not-assessed counts",
  );
  expect(outcome.complained).toContain("what is missing: balance in the app map; books in the app map");
});

test("an application that does not call this sandbox is told so in one sentence, and nothing is reset", async () => {
  await using shop = await openShop({ sends: 0 });
  await shop.sandbox.wallet.set("7.00");

  const outcome = await shop.rehearse([REHEARSAL], { map: mapOf(STATUS) });

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained).toContain(
    `${shop.application.url}/orders answered 201, and no request reached the sandbox: point the application at ${shop.sandbox.url}/api/v2`,
  );
  expect(outcome.reports).toEqual([]);
  expect(await shop.sandbox.wallet.read()).toMatchObject({ available: 7 });
});

test("a rehearsal that places orders needs an app map", async () => {
  await using shop = await openShop();

  const outcome = await shop.rehearse([REHEARSAL]);

  expect(outcome.exitCode).toBe(2);
  expect(outcome.complained).toBe(
    "kredo.app.yaml: there is no such file, but it is needed to place orders in your application; create it with kredo init --app\n",
  );
});

test("the application is reset before a rehearsal, and a reset that goes wrong ends it", async () => {
  await using shop = await openShop();

  const outcome = await shop.rehearse([REHEARSAL], {
    map: mapOf(`${STATUS}reset: { request: { method: POST, url: "{app}/reset" } }\n`),
  });

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained).toContain("reset in the app map failed: answered 404");
});

interface Flaws {
  /** How often an order is sent to the gateway. */
  readonly sends?: number;
  /** What a delivered order is shown as. */
  readonly wrongly?: string;
}

/** A shop with a sandbox beside it. */
async function openShop({ sends = 1, wrongly = "paid" }: Flaws = {}) {
  const orders: { status: string; ids: string[] }[] = [];
  const gateway = { url: "" };
  const routes: Routes = {
    "POST /orders": async ({ text }) => {
      const order = { status: "open", ids: [] as string[] };
      const id = orders.push(order);
      const body = JSON.stringify({ phone_number: JSON.parse(text).to, amount: "100" });
      for (let sent = 0; sent < sends; sent += 1) order.ids.push(...(await sell(gateway.url, body)));
      return { status: 201, json: { id } };
    },
    "GET /balance": () => ({ status: 200, json: { balance: 1_000 - 100 * orders.length } }),
    "GET /orders/:id": ({ id }) => ({ status: 200, json: orders[Number(id) - 1] }),
    "POST /hooks": ({ text }) => {
      const { request_id, result_code } = JSON.parse(text);
      const order = orders.find(({ ids }) => ids.includes(request_id));
      if (order !== undefined) order.status = result_code === 200 ? wrongly : "failed";
      return { status: 200 };
    },
  };
  const shop = await rehearsing(routes);
  gateway.url = shop.sandbox.url;
  return shop;
}

/** The request_id, if the acknowledgment came. */
async function sell(url: string, body: string): Promise<string[]> {
  const authorization = `Basic ${Buffer.from("sandbox-key:sandbox-secret").toString("base64")}`;
  const headers = { "content-type": "application/json", authorization };
  const reply = await fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body }).catch(() => undefined);
  if (reply === undefined) return [];
  const { request_id } = z.object({ request_id: z.string() }).parse(await reply.json());
  return [request_id];
}

function mapOf(more: string): string {
  return `version: 1
application: http://localhost:3000
order: { airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}" } }, id: $.id } }
callbacks: { airtime: "{app}/hooks" }
settle: 1s
${more}`;
}
