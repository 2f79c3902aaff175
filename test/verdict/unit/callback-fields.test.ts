import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readAttempt, sentBody } from "../../../src/gateway/account/readings/callback.ts";
import { findWrongFields } from "../../../src/gateway/account/readings/callback-fields.ts";
import { readObject } from "../../../src/gateway/account/readings/json-object.ts";
import { findFields } from "../../../src/gateway/account/readings/json-places.ts";
import { differsFromResult, meaningOf } from "../../../src/gateway/account/readings/request.ts";
import type { Attempted } from "../../../src/gateway/account/events.ts";
import { isUnresolved, type Transaction } from "../../../src/gateway/account/transaction.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { resend } from "../../../src/gateway/engine/commands.ts";
import type { ScriptedCallback } from "../../../src/gateway/scenario/effects/callback-flags.ts";
import { FAULTS } from "../../../src/verdict/faults.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";
import { buyAirtime, type TestWorldOptions } from "../../support/gateway/world.ts";

const CALLBACK_FAULTS = FAULTS.flatMap((fault) =>
  "then" in fault && (fault.group === "callback" || fault.group === "result") ? [[fault.id, fault.then] as const] : [],
);

/** Whatever is not listed sends nothing wrong. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  "contradiction-after-success": ["2: result_code 500: says failed, but the order was delivered (200)"],
  "contradiction-after-failure": ["2: result_code 200: says delivered, but the order failed (500)"],
  "callback-malformed": ['1: body ": not JSON from here on'],
  "callback-wrong-content-type": ["1: content-type: wrong type: text/plain (application/json)"],
  "failure-wrong-content-type": ["1: content-type: wrong type: text/plain (application/json)"],
  "callback-unknown-request-id": ['1: request_id "OTHER": unknown id: nobody was given it (OWN)'],
};

test.each(CALLBACK_FAULTS)("marks what is wrong with the callbacks of %s, and nothing else", async (id, then) => {
  const sent = await sell(then);

  expect(wrongFields(sent)).toEqual(WRONG[id] ?? []);
});

const FORM = { callback_values: "text", decimals: 3 } as const;

test.each([
  ["numbers that are texts", { gateway: FORM }, { callback: { unknown_field: true } }, []],
  ["a failure with a code of its own", {}, { result: { outcome: "failed" } }, []],
  ["a reversal", {}, { callback: { times: 2, reverse: true } }, []],
])("takes %s for right", async (_, options, then, wrong) => {
  expect(wrongFields(await sell(then, options))).toEqual(wrong);
});

const OWN = '"request_id":"{{request_id}}"';

test.each<[what: string, edited: ScriptedCallback, wrong: readonly string[]]>([
  ["an indented one", { body: `{\n  ${OWN},\n  "result_code": 200\n}` }, []],
  ["texts", { body: `{${OWN},"result_code":"200","charge":"47.50","account_balance":"9952.5"}` }, []],
  ["a type with parameters", { content_type: "application/json; charset=utf-8" }, []],
  [
    "another code",
    { body: `{${OWN},"result_code":201}` },
    ["result_code 201: says failed, but the order was delivered (200)"],
  ],
  ["no code", { body: `{${OWN}}` }, ["result_code: no result_code (200)"]],
  [
    "a word for a code",
    { body: `{${OWN},"result_code":"done"}` },
    ['result_code "done": no result_code: it is not a number (200)'],
  ],
  ["no id", { body: '{"result_code":200}' }, ["request_id: no request_id (OWN)"]],
  [
    "a number for an id",
    { body: '{"request_id":7,"result_code":200}' },
    ["request_id 7: no request_id: it is not a text (OWN)"],
  ],
  [
    "the id of another order",
    { body: '{"request_id":"given","result_code":200}' },
    ['request_id "given": the id of another order (OWN)'],
  ],
  [
    "other sums",
    { body: `{"account_balance":1e3,"charge":"50",${OWN},"result_code":200}` },
    ["account_balance 1e3: not the balance after it (9952.5)", 'charge "50": not what was charged (47.5)'],
  ],
  [
    "the same field twice, of which the last counts",
    { body: `{"result_code":200,${OWN},"result_code":500}` },
    ["result_code 500: says failed, but the order was delivered (200)"],
  ],
  [
    "a page",
    { body: "<h1>502</h1>", content_type: "text/html" },
    ["content-type: wrong type: text/html (application/json)", "body <h1>502</h1>: not a JSON object"],
  ],
  ["a list", { body: `[{${OWN}}]` }, ['body [{"request_id":"OWN"}]: not a JSON object']],
  ["half of one", { body: `{${OWN},` }, ["body : not JSON: it ends before it is whole"]],
  ["a comma too many", { body: `{${OWN},}` }, ["body }: not JSON from here on"]],
  ["a body of spaces", { body: "  " }, ["body : not JSON: there is no body"]],
])("marks what is wrong with an edited callback: %s", async (_, edited, wrong) => {
  const { account, transaction } = await sell({ callback: { times: 1 } });
  resend(account, [transaction.accepted.requestId], edited);
  await account.advance({ by: 1_000 }, 1_000);

  const lines = wrongFields({ account, transaction: transactionOf(account, transaction.accepted.requestId) });

  expect(lines).toEqual(wrong.map((line) => `2: ${line}`));
});

test.each(CALLBACK_FAULTS)(
  "marks a callback of %s if it told anything but the result, and only then",
  async (_, then) => {
    const { account, transaction } = await sell(then);

    const told = attemptsOf(transaction).map((attempt) => {
      const meaning = meaningOf(readAttempt(attempt, transaction, account.gateway), transaction);
      const isReversal = meaning.says === "reversed";
      return !isReversal && !isUnresolved(transaction.progress) && differsFromResult(meaning, transaction.progress);
    });

    expect(attemptsOf(transaction).map((attempt) => wrongOf(attempt, { account, transaction }).length > 0)).toEqual(
      told,
    );
  },
);

test("finds each field of an object where its value stands, however it is written", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (fields, indent) => {
      const text = JSON.stringify(fields, undefined, indent);
      const found = findFields(text);

      const values =
        "fields" in found ? [...found.fields].map(([name, { from, to }]) => [name, text.slice(from, to)]) : [];

      expect(Object.fromEntries(values.map(([name = "", value = ""]) => [name, JSON.parse(value)]))).toEqual(
        JSON.parse(text),
      );
    }),
  );
});

test("finds a text broken exactly if it cannot be read as an object", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    "1",
    "-0.5e3",
    "01",
    "true",
    "nul",
    " ",
    '"\\x"',
    "\uFEFF",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      (text) => {
        expect("broken" in findFields(text)).toBe(readObject(text) === undefined);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  [true, "the id of another order"],
  [false, "unknown id: nobody was given it"],
  [undefined, "not the id of this order"],
])("says whose an id is as far as that is known: %s", async (isGiven, problem) => {
  const { transaction } = await sell({});
  const body = '{"request_id":"x","result_code":200}';

  const wrong = findWrongFields({ headers: { "content-type": "application/json" }, body }, transaction, () => isGiven);

  expect(wrong).toMatchObject([{ field: "request_id", problem }]);
});

interface Sent {
  readonly account: RunningAccount;
  readonly transaction: Transaction;
}

async function sell(then: object, options: TestWorldOptions = {}): Promise<Sent> {
  const { account } = await scriptedWorld(rule(`then: ${JSON.stringify(then)}`), options);
  const { requestId } = buyAirtime(account, 50);
  await account.advance({ by: 7_200_000 }, 1_000);
  return { account, transaction: transactionOf(account, requestId) };
}

function transactionOf(account: RunningAccount, requestId: string): Transaction {
  const transaction = account.state.transactions.get(requestId);
  if (transaction === undefined) throw new Error(`no transaction ${requestId}`);
  return transaction;
}

function attemptsOf({ progress }: Transaction): readonly Attempted[] {
  return isUnresolved(progress) ? [] : progress.attempts;
}

function wrongFields(sent: Sent): readonly string[] {
  return attemptsOf(sent.transaction).flatMap((attempt) => wrongOf(attempt, sent));
}

/** "2: result_code 500: says failed, but the order was delivered (200)", a line for each wrong field. Ids are called by whose they are. */
function wrongOf(attempt: Attempted, { account, transaction }: Sent): readonly string[] {
  const body = sentBody(attempt, transaction, account.gateway);
  return findWrongFields({ headers: attempt.headers, body }, transaction, (id) => id === "given")
    .map(({ field = "body", place, problem, expected }) => {
      const marked = place === undefined ? "" : ` ${body.slice(place.from, place.to)}`;
      return `${attempt.attempt}: ${field}${marked}: ${problem}${expected === undefined ? "" : ` (${expected})`}`;
    })
    .map((line) => line.replaceAll(transaction.accepted.requestId, "OWN").replaceAll(/"[\da-f-]{36}"/g, '"OTHER"'));
}
