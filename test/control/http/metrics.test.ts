import parse from "parse-prometheus-text-format";
import { expect, test } from "vitest";
import { Tally } from "../../../src/control/tally.ts";
import { writeMetrics } from "../../../src/control/prometheus.ts";
import { cents, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { askDetails, callRaw, sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { startTestSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

type Family = ReturnType<typeof parse>[number];

/** The metrics of a sandbox, read by their names. */
async function scrape({ running }: TestSandbox): Promise<(name: string) => Family["metrics"]> {
  const answer = await running.fetch(new Request("http://localhost/metrics"));
  const families = parse(await answer.text());
  return (name) => families.find((family) => family.name === name)?.metrics ?? [];
}

test("counts requests by operation and code", async () => {
  await using sandbox = await startTestSandbox();
  await sendAirtime(sandbox);
  await sendAirtime(sandbox, { phone_number: "254712345679" });
  await sendAirtime(sandbox, { amount: "1" });
  await sendMessage(sandbox);
  await askDetails(sandbox);
  await callRaw(sandbox, { path: "/nowhere" });
  await callRaw(sandbox, { headers: { authorization: "Basic bm9ib2R5OnM=" } });

  const family = await scrape(sandbox);

  expect(family("kredo_requests_total")).toEqual([
    { labels: { operation: "airtime", code: "200" }, value: "2" },
    { labels: { operation: "airtime", code: "422" }, value: "1" },
    { labels: { operation: "airtime", code: "401" }, value: "1" },
    { labels: { operation: "sms", code: "200" }, value: "1" },
    { labels: { operation: "account-details", code: "200" }, value: "1" },
    { labels: { operation: "unknown", code: "404" }, value: "1" },
  ]);
});

test("counts a connection that was broken before acceptance by no code", async () => {
  await using sandbox = await startTestSandbox();
  await script(sandbox.account, rule("then: { connection: reset_before_accept }"));
  await sendAirtime(sandbox).catch(() => {});

  const family = await scrape(sandbox);

  expect(family("kredo_requests_total")).toEqual([{ labels: { operation: "airtime", code: "cut" }, value: "1" }]);
});

test("says what the wallet holds, what is pending, and what was charged when it settles", async () => {
  await using sandbox = await startTestSandbox();
  setCallbacks(sandbox.account, callbacksTo("kredo:sink"));
  await sendAirtime(sandbox);
  const before = await scrape(sandbox);
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  const after = await scrape(sandbox);

  const gauges = [
    "kredo_wallet_available_kes",
    "kredo_wallet_held_kes",
    "kredo_transactions_pending",
    "kredo_callbacks_under_way",
  ];
  const labels = { account: "sandbox-key" };
  expect(gauges.map((name) => before(name))).toEqual(["9905", "95", "1", "0"].map((value) => [{ labels, value }]));
  expect(gauges.map((name) => after(name))).toEqual(["9905", "0", "0", "0"].map((value) => [{ labels, value }]));
});

test("counts attempts by outcome", async () => {
  await using sandbox = await startTestSandbox();
  setCallbacks(sandbox.account, callbacksTo("kredo:sink"));
  await sendAirtime(sandbox);
  await sandbox.account.advance({ by: 60_000 }, 5_000);

  const family = await scrape(sandbox);

  expect(family("kredo_callback_attempts_total")).toEqual([
    { labels: { operation: "airtime", outcome: "acknowledged" }, value: "1" },
  ]);
});

test("keeps counting when an account is reset", async () => {
  await using sandbox = await startTestSandbox();
  await sendAirtime(sandbox);
  sandbox.account.reset();
  await sendAirtime(sandbox);

  const family = await scrape(sandbox);

  expect(family("kredo_requests_total")).toEqual([{ labels: { operation: "airtime", code: "200" }, value: "2" }]);
});

test("two sandboxes of one process count by themselves", async () => {
  await using one = await startTestSandbox();
  await using other = await startTestSandbox();
  await sendAirtime(one);

  const families = [await scrape(one), await scrape(other)];

  expect(families.map((family) => family("kredo_requests_total").length)).toEqual([1, 0]);
});

test("reports on the process: event loop, memory, CPU", async () => {
  await using sandbox = await startTestSandbox();

  const family = await scrape(sandbox);

  const names = [
    "nodejs_eventloop_lag_p99_seconds",
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "kredo_info",
  ];
  expect(names.map((name) => family(name).length)).toEqual([1, 1, 1, 1]);
});

const ACCOUNT = {
  consumerKey: "a",
  callbacksUnderWay: 0,
  state: { wallet: { balance: cents(100), held: NO_MONEY }, pending: 0, stuck: 0 },
};

test("names a hundred accounts, and counts the rest together", async () => {
  const state = { ...ACCOUNT.state, pending: 2 };
  const accounts = Array.from({ length: 150 }, (_, number) => ({ ...ACCOUNT, consumerKey: `key-${number}`, state }));

  const families = parse(await writeMetrics(new Tally(), accounts));

  const pending = families.find(({ name }) => name === "kredo_transactions_pending")?.metrics ?? [];
  expect(pending).toHaveLength(101);
  expect(pending.at(-1)).toEqual({ labels: { account: "other" }, value: "100" });
});

test("every line keeps to the text format, whatever an account is called", async () => {
  const state = { ...ACCOUNT.state, wallet: { balance: cents(5), held: NO_MONEY } };

  const text = await writeMetrics(new Tally(), [{ ...ACCOUNT, consumerKey: 'a "b"\\c\nd', state }]);

  const lines = text.trimEnd().split("\n");
  expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
  expect(text.endsWith("\n")).toBe(true);
  expect(text).toContain('kredo_wallet_available_kes{account="a \\"b\\"\\\\c\\nd"} 0.05\n');
});

/** prometheus.io/docs/instrumenting/exposition_formats: a comment, a sample, or an empty line. */
const LINE =
  /^(?:# HELP [a-zA-Z_:][\w:]* .+|# TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary|untyped)|[a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\]|\\[\\n"])*",?)*\})? (?:[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|Inf)|Nan|NaN)(?: \d+)?|)$/;

test.each([
  ["http://localhost/metrics", undefined, 401],
  ["http://localhost/metrics", "Bearer wrong", 401],
  ["http://localhost/metrics", "Bearer t0ken", 200],
  ["http://evil.example/metrics", "Bearer t0ken", 421],
])("at %s with %s it answers %i where the control API asks for a token", async (url, authorization, status) => {
  await using sandbox = await startTestSandbox({ admin: { token: "t0ken" } });

  const answer = await sandbox.running.fetch(
    new Request(url, authorization === undefined ? {} : { headers: { authorization } }),
  );

  expect(answer.status).toBe(status);
});

test("says which version of the format it is", async () => {
  await using sandbox = await startTestSandbox();

  const answer = await sandbox.running.fetch(new Request("http://localhost/metrics"));

  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
});
