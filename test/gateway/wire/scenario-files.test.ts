import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { available } from "../../../src/gateway/domain/kes.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios } from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import {
  AUTHORIZATION,
  startTestGateway,
  type TestGateway,
  type WrittenSettings,
} from "../../support/gateway/test-gateway.ts";
import { buyAirtime, sendSms } from "../../support/gateway/world.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";

/** A sandbox on a real port that plays one of the files in test/gateway/scenarios; Monday, 09:00 in Nairobi, on a manual clock. */
async function playing(file: string, config: WrittenSettings = {}): Promise<TestGateway> {
  const sandbox = await startTestGateway(config);
  const text = readFileSync(new URL(`../scenarios/${file}.yaml`, import.meta.url), "utf8");
  beginScenarios(sandbox.account, [{ scenario: scenarioOf(text), trusted: true }]);
  return sandbox;
}

/** Sends airtime over a socket, without following redirects. */
function buy({ port }: TestGateway, amount: string, phoneNumber = "254712345678"): Promise<Response> {
  return post(port, "airtime", { phone_number: phoneNumber, amount });
}

function text({ port }: TestGateway, message: string, phoneNumber = "254712345678"): Promise<Response> {
  return post(port, "sms", { phone_number: phoneNumber, message, sender_id: "SANDBOX" });
}

function post(port: number, endpoint: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/v2/${endpoint}`, {
    method: "POST",
    redirect: "manual",
    headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function balanceIn(account: RunningAccount, seconds: number): Promise<number> {
  await account.advance({ by: seconds * 1_000 }, 5_000);
  return available(account.state.wallet);
}

function causeOf(sent: Promise<Response>): Promise<string> {
  return sent.then((answer) => answer.text()).catch((error: Error) => String(error.cause));
}

test("a proxy answers 503 with HTML, headers and a delay of its own", async () => {
  await using sandbox = await playing("any-refusal");

  const answer = await buy(sandbox, "10");

  expect({
    status: answer.status,
    contentType: answer.headers.get("content-type"),
    retryAfter: answer.headers.get("retry-after"),
    text: await answer.text(),
  }).toEqual({ status: 503, contentType: "text/html", retryAfter: "30", text: "<h1>Busy</h1><!-- 254712345678 -->" });
  expect(sandbox.account.state.wallet.held).toBe(0);
});

test("a bare 504 keeps its status where the gateway's own are always 200", async () => {
  await using sandbox = await playing("any-refusal", { http_status: "always_200" });

  const answer = await buy(sandbox, "20");

  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 504,
    body: expect.objectContaining({ status_code: 504, description: "Gateway timeout." }),
  });
});

test("a redirect has its Location", async () => {
  await using sandbox = await playing("any-refusal");

  const answer = await buy(sandbox, "30");

  expect({ status: answer.status, location: answer.headers.get("location") }).toEqual({
    status: 307,
    location: "https://moved.example/api/v2/airtime",
  });
});

test.each(["10", "20"])("a refusal of KES %s breaks on its way, and nothing is accepted", async (amount) => {
  await using sandbox = await playing("broken-refusal");

  const cause = await causeOf(buy(sandbox, amount));

  expect(cause).toContain("SocketError");
  expect(sandbox.account.state.transactions.size).toBe(0);
});

test("account-details that are cut off show details, not an acknowledgment", async () => {
  await using sandbox = await playing("broken-refusal");
  await using client = await sandbox.connect();

  await client.send(`GET /api/v2/account-details HTTP/1.1\r\nhost: a\r\nauthorization: ${AUTHORIZATION}\r\n\r\n`);

  expect(await client.readToEnd()).toContain("organization");
});

test("an acknowledgment has fields and headers of its own, and the id that its callback names", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end());
  await using sandbox = await playing("ack-content", { accounts: [{ callbacks: { airtime: receiver.url } }] });

  const answer = await buy(sandbox, "99.5");

  const body = JSON.parse(await answer.text());
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  expect({ xQueue: answer.headers.get("x-queue"), contentType: answer.headers.get("content-type") }).toEqual({
    xQueue: "7",
    contentType: "application/json; charset=utf-8",
  });
  expect(body).toEqual({
    status_code: 200,
    request_id: expect.any(String),
    to: "254712345678",
    amount: 99.5,
    queue: 7,
  });
  expect(receiver.requests.map((request) => JSON.parse(request.body).request_id)).toEqual([body.request_id]);
});

test("a callback has a body, a content type and headers of its own", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end());
  await using sandbox = await playing("callback-content", { accounts: [{ callbacks: { airtime: receiver.url } }] });
  const { request_id: id } = JSON.parse(await (await buy(sandbox, "100")).text());

  await sandbox.account.advance({ by: 60_000 }, 5_000);

  const [callback] = receiver.requests;
  expect(callback?.body).toBe(`<result id='${id}' code='200' charge='95' to='254712345678'/>`);
  expect(callback?.rawHeaders).toEqual(expect.arrayContaining(["application/xml", "x-signature", "abc"]));
});

test("works outside the hours, for the carrier that is left out, and on other days", async () => {
  await using sandbox = await playing("outside-hours");
  const { account } = sandbox;
  const before = await buy(sandbox, "10");
  await account.advance({ to: Date.parse("2025-01-06T15:05:00+03:00") }, 5_000);
  const within = [await buy(sandbox, "10"), await buy(sandbox, "10", "254733000111")];
  await account.advance({ to: Date.parse("2025-01-07T15:05:00+03:00") }, 5_000);

  const onTuesday = await buy(sandbox, "10");

  expect([before, ...within, onTuesday].map(({ status }) => status)).toEqual([200, 503, 200, 200]);
});

test("moves money by hand at its moments, never below zero, and takes two carriers down in one step", async () => {
  await using sandbox = await playing("wallet-moves");
  const { account } = sandbox;

  const balances = [
    available(account.state.wallet),
    await balanceIn(account, 60),
    await balanceIn(account, 30),
    await balanceIn(account, 30),
  ];

  expect(balances).toEqual([10_000, 15_000, 50, 0]);
  expect(settingsInForce(account.state).carrier).toEqual({ safaricom: "down", airtel: "down" });
});

test("counts every SMS, and charges a share of the price", async () => {
  await using sandbox = await playing("counted-with-others");
  await text(sandbox, "one", "254733000111");
  await buy(sandbox, "10");
  await text(sandbox, "two", "254733000111");
  const third = await text(sandbox, "three");

  await sandbox.account.advance({ by: 60_000 }, 5_000);

  const { request_id: id } = JSON.parse(await third.text());
  expect(sandbox.account.state.transactions.get(id)?.progress).toMatchObject({
    state: "failed",
    settled: { charge: 40 },
  });
});

test("leaves KES 20 at minute five, and adds 20 every five minutes after that", async () => {
  await using sandbox = await playing("almost-broke");

  const balances = [
    await balanceIn(sandbox.account, 299),
    await balanceIn(sandbox.account, 1),
    await balanceIn(sandbox.account, 299),
    await balanceIn(sandbox.account, 1),
    await balanceIn(sandbox.account, 600),
  ];

  expect(balances).toEqual([1_000_000, 2_000, 2_000, 4_000, 8_000]);
});

test("keeps Airtel's results from 15:00 to 15:10 each day, and sends the backlog after it", async () => {
  await using sandbox = await playing("airtel-down-at-three");
  const { account } = sandbox;
  await account.advance({ to: Date.parse("2025-01-07T15:01:00+03:00") }, 5_000);
  await buy(sandbox, "10", "254733000111");
  await buy(sandbox, "10");
  await account.advance({ to: Date.parse("2025-01-07T15:09:59+03:00") }, 5_000);
  const whileDown = account.state.pending;

  await account.advance({ to: Date.parse("2025-01-07T15:10:00+03:00") }, 5_000);

  expect({ whileDown, pending: account.state.pending }).toEqual({ whileDown: 1, pending: 0 });
});

test.each(["shop", "another-shop"])("decides the same resets on the account %s", async (key) => {
  await using sandbox = await playing("slow-and-lossy", {
    accounts: [{ consumer_key: key, consumer_secret: "secret" }],
  });

  const broken = Array.from({ length: 30 }, () => buyAirtime(sandbox.account, 10).rules?.breakage);

  expect(broken.flatMap((breakage, index) => (breakage === undefined ? [] : [index]))).toEqual([22, 23]);
});

test("delivers every seventh SMS in pieces, late, and reports it twice", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end());
  await using sandbox = await playing("seventh-sms-in-pieces", { accounts: [{ callbacks: { sms: receiver.url } }] });
  const { account } = sandbox;
  Array.from({ length: 6 }, () => sendSms(account, "short"));
  const { request_id: id } = JSON.parse(await (await text(sandbox, "x".repeat(400))).text());
  await account.advance({ by: 298_000 }, 5_000);
  const soon = receiver.requests.length;

  await account.advance({ by: 60_000 }, 5_000);

  const reports = receiver.requests.slice(soon).map((request) => JSON.parse(request.body));
  expect(soon).toBe(6);
  expect(reports).toEqual([reports[0], expect.objectContaining({ request_id: id, charge: 1.6, result_code: 500 })]);
  expect(reports[0].result_desc).toBe("Message partly delivered: 2 of 3 parts.");
  expect(account.journal.index.messages.at(-1)?.deliveredParts).toEqual([1, 3]);
});
