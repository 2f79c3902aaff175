import { expect, test } from "vitest";
import { testControl } from "../../support/control.ts";
import { buyAirtime, refuseRequest, sendSms } from "../../support/gateway/world.ts";

test("tops up in text and in numbers, exact to the cent", async () => {
  const { call } = testControl();

  await call("POST", "/accounts/default/wallet/top-ups", { amount: "0.10" });
  const answer = await call("POST", "/accounts/default/wallet/top-ups", { amount: 0.2 });

  expect(answer.body).toEqual({ available: 10_000.3, held: 0, ledger: 10_000.3 });
});

test.each([
  { amount: "1e3" },
  { amount: 1.005 },
  { amount: -1 },
  { amount: true },
  { amount: null },
  {},
  { amount: "5", amout: "6" },
])("refuses %j as a top-up", async (body) => {
  const { call, account } = testControl();

  const answer = await call("POST", "/accounts/default/wallet/top-ups", body);

  expect(answer.status).toBe(422);
  expect(account.journal.version).toBe(1);
});

test("sets what is available and leaves holds alone", async () => {
  const { call, account } = testControl();
  buyAirtime(account, 100);

  const answer = await call("PUT", "/accounts/default/wallet", { balance: "3.00" });

  expect(answer.body).toEqual({ available: 3, held: 95, ledger: 98 });
});

test("lists the ledger, oldest first, with the balance after each entry", async () => {
  const { call, account } = testControl();
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/ledger");

  expect(body).toEqual({
    items: [
      {
        number: 1,
        at: "2025-01-06T06:00:00.000Z",
        kind: "opening",
        amount: 10_000,
        balance: 10_000,
        available: 10_000,
      },
      {
        number: 2,
        at: "2025-01-06T06:00:00.000Z",
        kind: "hold",
        amount: -95,
        request_id: requestId,
        balance: 10_000,
        available: 9_905,
      },
      {
        number: 3,
        at: "2025-01-06T06:00:01.000Z",
        kind: "release",
        amount: 95,
        request_id: requestId,
        balance: 10_000,
        available: 10_000,
      },
      {
        number: 3,
        at: "2025-01-06T06:00:01.000Z",
        kind: "charge",
        amount: -95,
        request_id: requestId,
        balance: 9_905,
        available: 9_905,
      },
    ],
    total: 4,
    evicted: 0,
    next: null,
  });
});

test("limits the ledger to its first entries", async () => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  buyAirtime(account, 200);

  const { body } = await call("GET", "/accounts/default/ledger?limit=1");

  expect(body).toMatchObject({ items: [{ number: 1, kind: "opening" }], total: 3 });
});

test("gives the ledger as CSV where that is asked for", async () => {
  const { call, account } = testControl();
  const { requestId } = buyAirtime(account, 100);

  const { headers, body } = await call("GET", "/accounts/default/ledger", undefined, { accept: "text/csv" });

  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(body).toBe(
    "number,at,kind,amount,request_id,balance,available\r\n" +
      "1,2025-01-06T06:00:00.000Z,opening,10000.00,,10000.00,10000.00\r\n" +
      `2,2025-01-06T06:00:00.000Z,hold,-95.00,${requestId},10000.00,9905.00\r\n`,
  );
});

test("gives the ledger as JSON to a client that prefers it, or takes no CSV", async () => {
  const { call } = testControl();

  const answers = await Promise.all(
    ["text/csv;q=0.1, application/json", "text/csv;q=0", "text/csv;q=0.5, text/html;q=0.1"].map((accept) =>
      call("GET", "/accounts/default/ledger", undefined, { accept }),
    ),
  );

  expect(answers.map(({ headers }) => headers.get("content-type"))).toEqual([
    "application/json",
    "application/json",
    "text/csv; charset=utf-8; header=present",
  ]);
});

test("lists requests newest first, the refused ones too", async () => {
  const { call, account } = testControl();
  const { requestId } = sendSms(account, "Habari");
  refuseRequest(account, 422);

  const { body } = await call("GET", "/accounts/default/requests");

  expect(body.total).toBe(2);
  expect(body.items[0]).toMatchObject({
    number: 3,
    status_code: 422,
    operation: "airtime",
    method: "POST",
    body: "{}",
  });
  expect(body.items[1]).toEqual({
    number: 2,
    at: "2025-01-06T06:00:00.000Z",
    request_id: requestId,
    operation: "sms",
    method: "POST",
    path: "/api/v2/sms",
    status_code: 200,
    description: "Operation successful.",
    phone_number: "254712345678",
    message: "Habari",
    sender_id: "SANDBOX",
  });
});

test.each([
  ["", 3],
  ["?operation=airtime", 2],
  ["?phone_number=25473*", 1],
  ["?amount=100", 1],
  ["?amount=100.00", 1],
  ["?message=aba", 1],
  ["?sender_id=SANDBOX&message=nope", 0],
  ["?status_code=200", 3],
  ["?status_code=402", 0],
])("counts the requests that fit %s", async (query, count) => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  buyAirtime(account, 200, "254733345678");
  sendSms(account, "Habari");

  expect((await call("GET", `/accounts/default/requests/count${query}`)).body).toEqual({ count });
});

test.each([
  { operation: "airtime" },
  { phone_number: "254712*" },
  { phone_number: 254_712_345_678 },
  { amount: "100.00" },
  { amount: 100 },
  { message: "2025" },
  { message: 2025 },
  { sender_id: "SANDBOX" },
  { sender_id: 20_880 },
  { status_code: "200" },
  { status_code: 200 },
])("verifies the requests that it lists for %j", async (match) => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  buyAirtime(account, 200, "254733345678");
  sendSms(account, "Karibu 2025");

  const [[key, value] = []] = Object.entries(match);
  const listed = await call("GET", `/accounts/default/requests?${key}=${value}`);
  const verified = await call("POST", "/accounts/default/requests/verify", { match, count: listed.body.total });

  expect(listed.status).toBe(200);
  expect(verified).toMatchObject({ status: 202, body: { actual: listed.body.total } });
});

test.each([
  [undefined, 202],
  [2, 202],
  [1, 406],
  [3, 406],
  [{ gt: 1 }, 202],
  [{ gt: 2 }, 406],
  [{ gte: 1, lt: 3 }, 202],
  [{ lte: 1 }, 406],
])("verifies a count of %j among two", async (count, status) => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  buyAirtime(account, 200);

  const answer = await call("POST", "/accounts/default/requests/verify", {
    match: { operation: "airtime" },
    ...(count !== undefined && { count }),
  });

  expect(answer.status).toBe(status);
  expect(answer.body.actual).toBe(2);
});

test("shows what was expected where a check fails", async () => {
  const { call, account } = testControl();
  buyAirtime(account, 250, "254733345678");

  const { body } = await call("POST", "/accounts/default/requests/verify", {
    match: { phone_number: "254733*", amount: "200" },
    count: 1,
  });

  expect(body).toMatchObject({ status: 406, expected: { eq: 1 }, actual: 0 });
  expect(body.problem).toMatch(
    /^0 requests match, not 1; the nearest request, [\w-]+, has amount "250\.00", not "200\.00"$/,
  );
});

test("waits for a request that is still to come", async () => {
  const { call, account } = testControl();

  const verified = call("POST", "/accounts/default/requests/verify", { match: { amount: 70 }, within: "5s" });
  await settled();
  buyAirtime(account, 70);

  expect((await verified).status).toBe(202);
});

test("stops waiting when the wall time is over", async () => {
  const { call, wall } = testControl();

  const verified = call("POST", "/accounts/default/requests/verify", { within: "5s" });
  await settled();
  wall.advance(5_000);

  expect((await verified).status).toBe(406);
});

test.each([[0], [{ lte: 1 }]])("waits for the whole time to see that no more than %j arrive", async (count) => {
  const { call, wall } = testControl();
  let isOver = false;

  const verified = call("POST", "/accounts/default/requests/verify", { count, within: "5s" });
  void verified.then(() => (isOver = true));
  await settled();
  wall.advance(4_999);
  await settled();
  const wasOver = isOver;
  wall.advance(1);

  expect(wasOver).toBe(false);
  expect((await verified).status).toBe(202);
});

test.each([[0], [1], [{ lte: 1 }], [{ gte: 1, lt: 2 }]])(
  "refuses at once where more than %j have arrived",
  async (count) => {
    const { call, account } = testControl();
    buyAirtime(account, 70);
    buyAirtime(account, 70);

    const { status, body } = await call("POST", "/accounts/default/requests/verify", { count, within: "5s" });

    expect({ status, actual: body.actual }).toEqual({ status: 406, actual: 2 });
  },
);

test("refuses the first request where none may arrive, as soon as it does", async () => {
  const { call, account } = testControl();

  const verified = call("POST", "/accounts/default/requests/verify", { count: 0, within: "5s" });
  await settled();
  buyAirtime(account, 70);

  expect((await verified).status).toBe(406);
});

test.each([
  [{ gte: 1 }, 202],
  [{ gte: 300 }, 410],
  [{ eq: 300 }, 410],
  [{ lt: 2 }, 406],
  [{ gt: 300 }, 406],
])("knows of evicted requests when it verifies %j", async (count, status) => {
  const { call, account } = testControl({ bounds: { max_transactions: 10 } });
  await sellAndSettle(account, 300);

  const answer = await call("POST", "/accounts/default/requests/verify", { count });

  expect(account.journal.evicted).toBeGreaterThan(200);
  expect(answer.status).toBe(status);
});

test("says that requests were evicted instead of giving a false count", async () => {
  const { call, account } = testControl({ bounds: { max_transactions: 10 } });
  await sellAndSettle(account, 300);

  const answer = await call("GET", "/accounts/default/requests/count");

  expect(answer.status).toBe(410);
  expect(answer.body.evicted + answer.body.kept).toBe(300);
});

async function sellAndSettle(account: Parameters<typeof buyAirtime>[0], count: number): Promise<void> {
  await Array.from({ length: count }).reduce<Promise<unknown>>(async (before) => {
    await before;
    buyAirtime(account, 5);
    return account.advance({ by: 1_000 }, 1_000);
  }, Promise.resolve());
}

/** Lets everything that is already under way come to its first real wait. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("uses the singular for one request", async () => {
  const { call, account } = testControl({ bounds: { max_transactions: 1 } });
  buyAirtime(account, 250);

  const verified = await call("POST", "/accounts/default/requests/verify", { match: {}, count: 2 });
  const drained = await call("POST", "/accounts/default/drain", { within: "0" });

  expect([verified.body.problem, drained.body.problem]).toEqual([
    "1 request matches, not 2",
    "1 transaction is still pending",
  ]);
});
