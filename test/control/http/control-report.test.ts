import { expect, test } from "vitest";
import { reportShape } from "../../../src/verdict/report/report.ts";
import { testControl } from "../../support/control.ts";
import { findAll, readJunit } from "../../support/read-junit.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

const REPORT = "/accounts/default/report";

test("reports on an account as JSON unless asked otherwise", async () => {
  const { call, account } = await used();

  const { status, body } = await call("GET", REPORT);

  expect(status).toBe(200);
  expect(reportShape.parse(body)).toEqual(body);
  expect(body).toMatchObject({ name: `account ${account.consumerKey}`, seed: 1, problems: [] });
  expect(body.trials).toMatchObject([{ id: account.consumerKey, verdict: "right", exchanges: [{}, {}] }]);
});

test.each([
  ["", "application/json; charset=utf-8"],
  ["?format=json", "application/json; charset=utf-8"],
  ["?format=junit", "application/xml; charset=utf-8"],
  ["?format=html", "text/html; charset=utf-8"],
  ["?format=text", "text/plain; charset=utf-8"],
])("the query %s gives %s", async (query, type) => {
  const { fetch } = await used();

  const answer = await fetch(`${REPORT}${query}`);

  expect(answer.headers.get("content-type")).toBe(type);
});

test("its page runs nothing, loads nothing and cannot be framed", async () => {
  const { fetch } = await used();

  const answer = await fetch(`${REPORT}?format=html`);

  expect(answer.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'$/,
  );
});

test("its JUnit XML has a case for the account", async () => {
  const { fetch } = await used();

  const answer = await fetch(`${REPORT}?format=junit`);

  expect(findAll(await readJunit(await answer.text()), "testcase")).toHaveLength(1);
});

test("refuses a format that nobody writes", async () => {
  const { call } = await used();

  const { status, body } = await call("GET", `${REPORT}?format=pdf`);

  expect(status).toBe(422);
  expect(body.problem).toMatch(/^format: /);
});

test("is described with all its media types", async () => {
  const { call } = await used();

  const { body } = await call("GET", "/openapi.json");

  const described = body.paths["/__admin/accounts/{account}/report"].get;
  expect(Object.keys(described.responses[200].content)).toEqual([
    "application/json",
    "application/xml",
    "text/html",
    "text/plain",
  ]);
});

async function used(): Promise<ReturnType<typeof testControl>> {
  const control = testControl({ account: { callbacks: callbacksTo("http://localhost:3000/hook") } });
  buyAirtime(control.account, 100);
  await control.account.advance({ by: 1_000 }, 1_000);
  return control;
}
