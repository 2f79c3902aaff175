import { expect, test } from "vitest";
import { testControl } from "../../support/control.ts";

test("reports everything that is wrong with a body at once, and what was meant", async () => {
  const { call } = testControl();

  const answer = await call("PUT", "/accounts/default/callbacks", {
    airtim: "http://localhost:1/",
    concurrency: 0,
    retry: { on: ["refusd"] },
  });

  expect(answer.status).toBe(422);
  expect(answer.body.status).toBe(422);
  expect(answer.body.problems).toEqual([
    { path: "concurrency", problem: "0 is too small", repair: "write at least 1" },
    { path: "retry.on[0]", problem: '"refusd" is not known here', repair: 'did you mean "refused"?' },
    { path: "airtim", problem: "is not a key", repair: 'did you mean "airtime"?' },
  ]);
});

test("reads YAML as well", async () => {
  const { call, account } = testControl();

  const answer = await call("PUT", "/accounts/default/wallet", 'balance: "12.50"\n', {
    "content-type": "application/yaml",
  });

  expect(answer.body).toEqual({ available: 12.5, held: 0, ledger: 12.5 });
  expect(account.state.wallet.balance).toBe(1_250);
});

test("points at the line of a mistake in YAML", async () => {
  const { call } = testControl();

  const answer = await call("PUT", "/accounts/default/wallet", "\nbalance: [\n", {
    "content-type": "application/yaml",
  });

  expect(answer.status).toBe(422);
  expect(answer.body.problems[0]).toMatchObject({ line: 2, column: expect.any(Number) });
});

test.each([
  ["malformed JSON", "PUT", "{", {}, 400],
  ["another type", "PUT", "balance=1", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["text from a foreign form", "PUT", '{"balance":"1"}', { "content-type": "text/plain" }, 415],
  ["more than 1 MiB", "PUT", `{"balance":"${"1".repeat(1_048_576)}"}`, {}, 413],
  ["another method", "POST", "{}", {}, 405],
])("refuses %s", async (_what, method, body, headers, status) => {
  const { call, account } = testControl();

  const answer = await call(method, "/accounts/default/wallet", body, headers);

  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ status, problem: expect.any(String), repair: expect.any(String) });
  expect(account.journal.version).toBe(1);
});

test.each([
  ["a scenario in JSON", "POST", "/accounts/default/scenarios", "application/json", 400],
  ["a scenario in YAML", "POST", "/accounts/default/scenarios", "application/yaml", 422],
  ["a journal in JSON", "PUT", "/accounts/default/import", "application/json", 400],
])("refuses %s that is nested 5,000 levels deep, and goes on", async (_what, method, path, type, status) => {
  const { call } = testControl();

  const answer = await call(method, path, `{"name":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, {
    "content-type": type,
  });

  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toContain("nested deeper than 100 levels");
});

test("takes a changing call without body or type", async () => {
  const { call } = testControl();

  expect((await call("POST", "/accounts/default/reset")).status).toBe(200);
});

test("says only that a parameter is unknown if a path takes none", async () => {
  const { call } = testControl();

  const answer = await call("GET", "/accounts/default/wallet?as=csv");

  expect(answer.body).toMatchObject({ status: 422, problem: "as is not a key", repair: "remove it" });
});

test("names the methods that a path has", async () => {
  const { call } = testControl();

  const answer = await call("DELETE", "/accounts/default/wallet");

  expect(answer.headers.get("allow")).toBe("GET, HEAD, PUT");
});

test.each([
  ["/accounts/default/walet", "did you mean /__admin/accounts/default/wallet?"],
  ["/account", "did you mean /__admin/accounts?"],
  ["/accounts/test-7/transaction", "did you mean /__admin/accounts/test-7/transactions?"],
  ["/accounts/default/prophecies", "GET /__admin/openapi.json lists all paths"],
  ["/nothing/of/the/kind/at/all", "GET /__admin/openapi.json lists all paths"],
])("answers 404 to %s with what was meant", async (path, repair) => {
  const { call } = testControl();

  const answer = await call("GET", path);

  expect(answer.status).toBe(404);
  expect(answer.body.repair).toEqual(repair);
});

test("knows an account by its key, by the word default, and no other", async () => {
  const { call } = testControl({ account: { consumer_key: "a/b c%" } });

  expect((await call("GET", `/accounts/${encodeURIComponent("a/b c%")}`)).body.consumer_key).toBe("a/b c%");
  expect((await call("GET", "/accounts/default")).body.consumer_key).toBe("a/b c%");
  expect((await call("GET", "/accounts/other")).status).toBe(404);
});

test("asks for the admin token where one is set, also for what does not exist", async () => {
  const { call } = testControl({ control: { adminToken: "s3cret" } });

  const [without, wrong, right] = await Promise.all([
    call("GET", "/accounts"),
    call("GET", "/nothing", undefined, { authorization: "Bearer guess" }),
    call("GET", "/accounts", undefined, { authorization: "Bearer s3cret" }),
  ]);

  expect({ without: without.status, wrong: wrong.status, right: right.status }).toEqual({
    without: 401,
    wrong: 401,
    right: 200,
  });
  expect(without.headers.get("www-authenticate")).toBe("Bearer");
});

test("sends no CORS header and refuses a foreign Origin before it does anything", async () => {
  const { call, account } = testControl();

  const answer = await call(
    "POST",
    "/accounts/default/wallet/top-ups",
    { amount: "5" },
    { origin: "https://evil.example" },
  );

  expect(answer.status).toBe(403);
  expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  expect(account.journal.version).toBe(1);
});

test("answers 500 with the report's name when something unforeseen throws", async () => {
  const { call, faults } = testControl({ control: { openAccount: () => Promise.reject(new Error("secret detail")) } });

  const answer = await call("POST", "/accounts", {});

  expect(answer.status).toBe(500);
  expect(answer.body.problem).toContain("report-1");
  expect(JSON.stringify(answer.body)).not.toContain("secret detail");
  expect(faults).toEqual([new Error("secret detail")]);
});

test("describes gateway and control API in OpenAPI 3.1", async () => {
  const { call } = testControl();

  const { body } = await call("GET", "/openapi.json");

  expect(body.openapi).toBe("3.1.0");
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining([
      "/api/v2/airtime",
      "/api/v2/sms",
      "/api/v2/account-details",
      "/__admin/accounts/{account}/clock/advance",
    ]),
  );
  expect(
    body.paths["/__admin/accounts/{account}/callbacks"].put.requestBody.content["application/json"].schema.properties
      .timeout.type,
  ).toBe("string");
  expect(
    body.paths["/__admin/accounts/{account}/callbacks"].put.requestBody.content["application/json"].schema.required,
  ).toBeUndefined();
  expect(
    body.paths["/__admin/accounts/{account}/messages"].get.parameters.map(({ name }: { name: string }) => name),
  ).toEqual(["account", "phone_number", "after", "wait", "limit", "cursor"]);
});

test("describes no JSON answer as text, its own description neither", async () => {
  const { call } = testControl();

  const { body } = await call("GET", "/openapi.json");

  const answers = Object.entries<Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>(
    body.paths,
  ).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.values(responses).map(({ content }) => ({ path, json: content?.["application/json"] })),
    ),
  );
  expect(answers.filter(({ json }) => JSON.stringify(json) === '{"schema":{"type":"string"}}')).toEqual([]);
  expect(body.paths["/__admin/openapi.json"].get.responses["200"].content).toEqual({
    "application/json": { schema: { type: "object" } },
  });
});
