import { deliveryEndOf, isReceived, receiverStatus } from "../../../../gateway/account/readings/callback.ts";
import { describeKnown } from "../../../../gateway/account/readings/describe-order.ts";
import { joinInOrder } from "../../../../gateway/account/readings/describe-sale.ts";
import { readAgain } from "../../../../gateway/account/readings/play-again.ts";
import { readSale } from "../../../../gateway/account/readings/sale.ts";
import { isAcknowledged } from "../../../../gateway/domain/callback-outcome.ts";
import { outcomeWords } from "../../../../gateway/domain/explain-outcome.ts";
import { kesAsNumber } from "../../../../gateway/domain/kes.ts";
import { orderFields } from "../../../../gateway/domain/order.ts";
import { showUrl } from "../../../../gateway/domain/show-url.ts";
import { HOUR, type Millis, MINUTE, SECOND } from "../../../../gateway/domain/time.ts";
import { bodyOfRequest } from "../../../api/curl.ts";
import type { Row } from "../../../live/sales.ts";

type Copied = ReturnType<typeof copyRequest>[number];

/** The requests of a sale as tests that play the same failures and fail without them, by what they are for. None of requests that order nothing. */
export function copiedTests(rows: readonly Row[]): Readonly<Record<string, string>> {
  const sale = rows.flatMap(copyRequest);
  if (sale.length === 0) return {};
  const rehearsal = asRehearsal(sale);
  return { Vitest: asVitest(sale), ...(rehearsal !== undefined && { Rehearsal: rehearsal }) };
}

function copyRequest({ request, transaction, left }: Row) {
  const body = bodyOfRequest(request);
  if (body === undefined) return [];
  const read = readAgain(request.event, transaction, left);
  const patience = Math.ceil(Math.min(left?.waited ?? Infinity, read.took + 2 * SECOND));
  return [{ request, body, patience, ...read }];
}

/** A file for Vitest, with `kredo/vitest`. Of a sale that was sold twice, it asserts what is right: the first that was sold, and no other. */
function asVitest(sale: readonly Copied[]): string {
  const { isSoldTwice } = readSale(sale.map(({ reading }) => reading));
  const right = isSoldTwice ? sale.slice(0, sale.findIndex(({ reading }) => reading.isSold) + 1) : sale;
  const receiver = receiverFor(sale);
  const { imports, expects, code } = receiver?.includes("startReceiver") === true ? RECEIVER : NO_RECEIVER;
  const scenario = scenarioText(sale);
  const written = [
    `${imports}import type { Account } from "kredo";`,
    'import { test } from "kredo/vitest";',
    `import { ${expects} } from "vitest";\n`,
    `test(${inline(`${subjectOf(sale)}${isSoldTwice ? " is sold once" : `: ${failuresOf(sale)}`}`)}, async ({ account }) => {`,
    receiver !== undefined && `  // Or the URL of your own webhook.\n  await account.callbacks.set(${receiver});`,
    scenario !== undefined && `  await account.scenario(${scenario});\n`,
    ...(isSoldTwice ? playOnce(sale) : playAgain(sale)),
    `  expect(orders).toMatchObject(${inLines(right.flatMap(expectedOrder))});`,
    expectedCallbacks(right),
    "}, 30_000);\n",
    `/** Sends what was recorded${isSoldTwice ? ", which sold it twice" : ""}. Call your own code here instead. */`,
    PLACE_ORDER,
    ...sale.map((one, index) => placing(one, sale[index - 1])),
    `  return answers;\n}\n${code}`,
  ];
  return written.filter((line) => line !== false).join("\n");
}

function subjectOf(sale: readonly Copied[]): string {
  return `${productOf(sale)} to ${sale[0]?.request.phoneNumber ?? "nobody"}`;
}

function productOf([first]: readonly Copied[]): "airtime" | "sms" {
  return first?.request.path.endsWith("sms") === true ? "sms" : "airtime";
}

/** What went wrong, by the names of the rules, or else what the client got. */
function failuresOf(sale: readonly Copied[]): string {
  const rules = sale.flatMap(({ request }) => request.rules?.fired ?? []).map(({ rule }) => rule);
  return joinInOrder(rules.length > 0 ? rules : sale.map(({ got }) => String(got)));
}

/** A receiver that does what the recorded one did, as a setting of the account. Undefined if there was none. */
function receiverFor(sale: readonly Copied[]): string | undefined {
  if (sale.some(({ told }) => told === "not sent: no callback URL")) return undefined;
  const attempts = attemptsOf(sale);
  const tries = Math.max(1, ...attempts.filter(({ delivery }) => delivery === 1).map(({ attempt }) => attempt));
  return `{ ${productOf(sale)}: ${urlFor(attempts)}${tries > 1 ? `, retry: { attempts: ${tries} }` : ""} }`;
}

function attemptsOf(sale: readonly Copied[]): Copied["attempts"][number][] {
  return sale.flatMap(({ attempts }) => attempts).toSorted((one, other) => one.at - other.at);
}

function urlFor(attempts: Copied["attempts"]): string {
  if (attempts.every(({ outcome }) => isAcknowledged(outcome))) return '"kredo:sink"';
  const unreached = attempts.find((one) => !isReceived(one));
  if (unreached === undefined)
    return `await startReceiver(${inline(attempts.map((one) => receiverStatus(one) ?? deliveryEndOf(one)))})`;
  return JSON.stringify(
    outcomeWords(unreached) === "nothing listening" ? "http://127.0.0.1:1" : showUrl(unreached.url),
  );
}

const NO_RECEIVER = { imports: "", expects: "expect", code: "" };

const RECEIVER = {
  imports: `import { once } from "node:events";\nimport { createServer } from "node:http";\nimport type { AddressInfo } from "node:net";\n`,
  expects: "expect, onTestFinished",
  code: `
/** Answers callbacks as the recorded receiver did. */
async function startReceiver(answers: (number | string)[]): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers.shift() ?? 200;
    if (typeof answer === "number") response.writeHead(answer).end();
    else if (answer === "ended") request.socket.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`;
}
`,
};

/** What was recorded, and that it happens again. */
function playAgain(sale: readonly Copied[]): (string | false)[] {
  const took = sale.reduce((sum, one) => sum + one.took, 0);
  const [first] = attemptsOf(sale);
  const quiet = first === undefined ? 0 : Math.floor(sinceLast(sale, first) / MINUTE / 2);
  return [
    took >= SECOND && "  const begun = Date.now();",
    "  const answers = await placeOrder(account);",
    took >= SECOND && `  expect(Date.now() - begun).toBeGreaterThan(${took - SECOND / 2});`,
    sale.some(({ isToldFirst }) => isToldFirst) && `  expect(${CALLBACKS}).not.toEqual([]);`,
    quiet > 0 && `  await account.clock.advance("${quiet}m");\n  expect(${CALLBACKS}).toEqual([]);`,
    listOrders(sale),
    `  expect(answers).toEqual(${inline(sale.map(({ got }) => got))});`,
  ];
}

const CALLBACKS = "await account.callbacks.sent()";

/** What is right where the recorded requests sold twice. */
function playOnce(sale: readonly Copied[]): string[] {
  return [
    "  await placeOrder(account);",
    listOrders(sale),
    '  const sold = orders.filter(({ state }) => state !== "failed" && state !== "reversed");',
    "  expect(sold.length, `sold ${sold.length}×`).toBe(1);",
  ];
}

/** Advances the clock by whole hours until everything has happened, and lists the orders. */
function listOrders(sale: readonly Copied[]): string {
  const moments = [...sale.flatMap(({ settled }) => settled ?? []), ...attemptsOf(sale)].map((one) =>
    sinceLast(sale, one),
  );
  const hours = Math.max(1, ...moments.map((passed) => Math.ceil(passed / HOUR)));
  return `  await account.clock.advance("${hours}h");\n\n  const orders = (await account.transactions()).reverse();`;
}

function sinceLast(sale: readonly Copied[], { at }: { readonly at: number }): Millis {
  return at - (sale.at(-1)?.request.at ?? at);
}

function expectedOrder({ reading, told, transaction }: Copied): string[] {
  if (transaction === undefined) return [];
  const { delivered, charged } = reading;
  const isAirtime = delivered !== undefined && "amount" in delivered;
  const got = isAirtime ? { amount: kesAsNumber(delivered.amount) } : { ...delivered, phoneNumber: undefined };
  const words = told?.startsWith(SILENT) === true ? `expect.stringContaining("${SILENT}")` : inline(told);
  const state = `state: "${transaction.progress.state}", known: "${describeKnown(reading)}", told: ${words}`;
  return [`{ ${state}, got: ${inline(got) ?? "null"}, paid: ${kesAsNumber(charged)} }`];
}

/** For how long differs. */
const SILENT = "your receiver: no answer";

/** What each callback said, where a scenario changed one. */
function expectedCallbacks(sale: readonly Copied[]): string | false {
  const callbacks = sale.flatMap(({ changed }) => changed);
  if (callbacks.length === 0) return false;
  const lines = callbacks.map((one) => `expect.objectContaining(${inline(one)})`);
  return `  expect(${CALLBACKS}).toEqual(expect.arrayContaining(${inLines(lines)}));`;
}

function inLines(texts: readonly string[]): string {
  return texts.length === 0 ? "[]" : `[${texts.map((text) => `\n    ${text},`).join("")}\n  ]`;
}

const PLACE_ORDER = `async function placeOrder(account: Account): Promise<(number | string)[]> {
  const answers: (number | string)[] = [];
  const post = async (path: string, body: string, patience: number) => {
    const headers = { "content-type": "application/json" };
    const answer = account.fetch(path, { method: "POST", headers, body, signal: AbortSignal.timeout(patience) });
    answers.push(await answer.then(async (got) => ((await got.text()), got.status)).catch(() => "no answer"));
  };`;

/** Sends a request, after the account's time that passed since the one before. */
function placing({ request: { at, order, path }, body, patience }: Copied, before?: Copied): string {
  const passed = Math.round((at - (before?.request.at ?? at)) / SECOND);
  const text = order === undefined ? JSON.stringify(body) : `JSON.stringify(${inline(JSON.parse(body))})`;
  const post = `  await post("${path}", ${text}, ${patience});`;
  return passed > 0 ? `  await account.clock.advance("${passed}s");\n${post}` : post;
}

/** A rehearsal, in which the application itself places the order. Undefined for an order that no application would place. */
function asRehearsal(sale: readonly Copied[]): string | undefined {
  const order = sale[0]?.request.order;
  if (order === undefined) return undefined;
  const { phone_number, amount = 0, message } = orderFields(order);
  const scenario = scenarioText(sale)?.replaceAll(/^ {2}/gm, "");
  // A rehearsal knows whole shillings alone.
  const whole = amount > 0 && Number.isInteger(amount) ? amount : undefined;
  const steps = inline([{ order: { operation: order.operation, phone_number, message, amount: whole } }]);
  const head = `version: 1\nname: ${order.operation}-to-${phone_number}\n`;
  return `${head}${scenario === undefined ? "" : `scenario: ${scenario}\n`}steps: ${steps}\n`;
}

/** A rule's name has at most 200 characters, and copies count on. */
const LONGEST_NAME = 190;

/** The failures as a scenario, with a rule for each request that can meet one; undefined if nothing went wrong. */
function scenarioText(sale: readonly Copied[]): string | undefined {
  const rules = sale.flatMap(({ request: { rules: applied }, effects, got }, index) => {
    // Several names may be longer than one can be.
    const names = Array.from(applied?.fired.map(({ rule }) => rule).join(", ") || String(got));
    const name = names.slice(0, LONGEST_NAME).join("").trim();
    return effects === undefined
      ? []
      : [{ name: index === 0 ? name : `${name} (${index + 1})`, then: inline(effects) }];
  });
  // A rule without effects keeps the later ones for the later requests.
  const used = rules.slice(0, rules.findLastIndex(({ then }) => then !== undefined) + 1);
  const lines = used.map(
    ({ name, then = "{}" }) => `      { name: ${inline(name)}, when: { first: 1 }, then: ${then} },\n`,
  );
  const senders = sale
    .flatMap(({ request }) => orderFields(request.order).sender_id ?? [])
    .filter((one) => one !== "SANDBOX");
  const setup = senders.length === 0 ? "" : `    setup: ${inline({ sender_ids: [...new Set(senders)] })},\n`;
  if (used.length === 0 && setup === "") return undefined;
  return `{\n    version: 1,\n    name: "copied",\n${setup}    rules: [\n${lines.join("")}    ],\n  }`;
}

/** Writes a value in one line, for JavaScript and YAML alike. Undefined for what is empty; such keys are left out. */
function inline(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((one) => inline(one)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? undefined : JSON.stringify(value);
  const kept = Object.entries(value).flatMap(([key, one]) => {
    const text = inline(one);
    return text === undefined ? [] : [`${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${text}`];
  });
  return kept.length === 0 ? undefined : `{ ${kept.join(", ")} }`;
}
