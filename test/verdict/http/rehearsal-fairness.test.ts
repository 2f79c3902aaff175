import { expect, test } from "vitest";
import type { Routes } from "../../backends/http-shell.ts";
import { type Rehearsing, rehearsing, file, untilSent, verdicts } from "../../support/rehearse.ts";

const NO_DEFECT = "expect: [{ name: clean, findings: { none_of: defect } }]\n";
const RECEIVER: Routes = { "POST /hooks/:id": () => ({ status: 200 }) };
const UNSEEN = { "findings: no defects": "not_assessed" };
const CALLED_BACK = 'account: { callbacks: { airtime: "{app}/hooks/airtime" } }\n';

test("an empty list of expectations still looks for defects", async () => {
  await using environment = await rehearsing(RECEIVER);

  const outcome = await environment.rehearse([file("expect: []\n")]);

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toEqual(UNSEEN);
});

test("a missing endpoint and a missing field are not assessed", async () => {
  await using environment = await rehearsing({ "GET /orders/:id": ({ id }) => ({ status: 200, json: { id } }) });

  const outcome = await environment.rehearse([
    file(`expect:
  - { name: endpoint, probe: { request: { url: "{app}/books" }, json_path: $.total, equals: 1, within: 0s } }
  - { name: books, reconcile: { request: { url: "{app}/books" }, total: $.total, within: 0s } }
  - { name: field, probe: { request: { url: "{app}/orders/7" }, json_path: $.credited, equals: 1, within: 0s } }\n`),
  ]);

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toEqual({
    endpoint: "not_assessed",
    books: "not_assessed",
    field: "not_assessed",
    ...UNSEEN,
  });
});

test("an optional capture that no answer has leaves out what needs it", async () => {
  const asked: string[] = [];
  await using environment = await rehearsing({
    "POST /orders": () => ({ status: 201, json: {} }),
    "GET /orders/:id": ({ id }) => ({ status: 200, json: { tries: asked.push(id) } }),
  });

  const outcome = await environment.rehearse([
    file(`drive:
  - request: { url: "{app}/orders", json: {}, capture: { order: { json_path: $.id, optional: true } } }
  - request: { url: "{app}/orders/{order}" }
expect: [{ name: paid, probe: { request: { url: "{app}/orders/{order}" }, json_path: $.status, equals: paid } }]\n`),
  ]);

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toEqual({ paid: "not_assessed", ...UNSEEN });
  expect(asked).toEqual([]);
});

test.each([
  ["-95", "passed"],
  ["-100", "failed"],
])("compares a balance with the one before the first step: %s %s", async (change, verdict) => {
  const wallet = { balance: 1_000 };
  await using environment = await rehearsing({
    "POST /orders": () => ({ status: 201, json: { balance: (wallet.balance -= 95) } }),
    "GET /balance": () => ({ status: 200, json: wallet }),
  });

  const outcome = await environment.rehearse([
    file(`drive: [{ request: { url: "{app}/orders", json: {} } }]
expect: [{ name: debited, probe: { request: { url: "{app}/balance" }, json_path: $.balance, changed_by: "${change}", within: 0s } }]\n`),
  ]);

  expect(verdicts(outcome)).toEqual({ debited: verdict, ...UNSEEN });
});

test("an application that never calls this sandbox is one failed check, whatever its steps", async () => {
  await using environment = await rehearsing({ "POST /orders": () => ({ status: 201, json: {} }) });

  const outcome = await environment.rehearse([
    file(`clock: manual
drive: [{ request: { url: "{app}/orders", json: {} } }]
expect: [{ name: paid, wallet: { spent: "95" } }, { name: sent, requests: { count: 1 } }]\n`),
  ]);

  expect(verdicts(outcome)).toMatchObject({
    "the application calls this sandbox": "failed",
    paid: "not_assessed",
    sent: "not_assessed",
  });
});

test("whatever the first request is for must answer before anything is touched, whether or not it is written as {app}", async () => {
  await using environment = await rehearsing(RECEIVER);
  await environment.sandbox.wallet.set("7.00");
  const { url } = environment.application;
  await environment.application.close();

  const outcome = await environment.rehearse([file(`drive: [{ request: { url: "${url}/orders", json: {} } }]\n`)]);

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained).toContain(`Nothing answers at ${url}`);
  expect(await environment.sandbox.wallet.read()).toMatchObject({ available: 7 });
});

test("an application that does not call this sandbox is one failed check", async () => {
  await using environment = await rehearsing({ "POST /orders": () => ({ status: 201, json: {} }) });

  const outcome = await environment.rehearse([
    file(`clock: manual
drive: [{ request: { url: "{app}/orders", json: {} } }, ${untilSent(1, "50ms")}]
expect: [{ name: paid, wallet: { spent: "95" } }, { name: sent, requests: { count: 1 } }]\n`),
  ]);

  expect(verdicts(outcome)).toEqual({
    "the application calls this sandbox": "failed",
    paid: "not_assessed",
    sent: "not_assessed",
    "findings: no defects": "not_assessed",
  });
  expect(outcome.printed).toContain(
    `no request arrived; set the application's gateway URL to ${environment.sandbox.url}/api/v2`,
  );
});

test("reaches the application before it touches the account", async () => {
  await using environment = await rehearsing(RECEIVER);
  const journal = `${environment.sandbox.url}/__admin/accounts/default/export`;
  const before = await (await fetch(journal)).json();

  const outcome = await environment.rehearse([file(`drive: [{ request: { url: "{app}/orders" } }]\n${NO_DEFECT}`)], {
    flags: ["--app", "http://127.0.0.1:1"],
  });

  expect(outcome.exitCode).toBe(3);
  expect(await (await fetch(journal)).json()).toEqual(before);
});

test("says that the wallet and journal of a running sandbox are reset", async () => {
  await using environment = await rehearsing(RECEIVER);

  const { complained } = await environment.rehearse([file(NO_DEFECT)]);

  expect(complained).toContain(`with the sandbox at ${environment.sandbox.url}, whose wallet and journal are reset`);
});

test("a flag of its own sandbox is refused beside a running one", async () => {
  await using environment = await rehearsing(RECEIVER);

  const outcome = await environment.rehearse([file(NO_DEFECT)], { flags: ["--port", "0"] });

  expect(outcome).toMatchObject({
    exitCode: 2,
    complained: expect.stringMatching(/^--port: not allowed together with --url, which names a running sandbox/),
  });
});

test("an advance to the end ends also while the acknowledgment of a callback hangs", async () => {
  const calls: Promise<unknown>[] = [];
  const patience = new AbortController();
  await using environment: Rehearsing = await rehearsing({
    ...RECEIVER,
    "POST /give-up": () => {
      patience.abort();
      return { status: 200, json: {} };
    },
    "POST /orders": () => {
      const { url, consumerKey, consumerSecret } = environment.sandbox;
      const headers = {
        authorization: `Basic ${btoa(`${consumerKey}:${consumerSecret}`)}`,
        "content-type": "application/json",
      };
      const body = JSON.stringify({ phone_number: "254712345678", amount: "100" });
      calls.push(
        fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body, signal: patience.signal }).catch(
          () => undefined,
        ),
      );
      return { status: 202, json: {} };
    },
  });

  const outcome = await environment.rehearse([
    file(`clock: manual
${CALLED_BACK}scenario: { version: 1, name: hanging, rules: [{ name: hangs, then: { connection: hang_after_accept } }] }
drive: [{ request: { url: "{app}/orders", json: {} } }, ${untilSent(1, "5s")}, { advance: all }, { request: { url: "{app}/give-up", json: {} } }]
expect: [{ name: sent, requests: { count: 1 } }]\n`),
  ]);

  expect(verdicts(outcome)).toMatchObject({ sent: "passed" });
  expect(outcome.printed).not.toContain("10000 turns");
});
