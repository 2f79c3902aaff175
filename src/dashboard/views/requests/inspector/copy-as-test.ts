import { bodyOfRequest } from "../../../api/curl.ts";
import { type Order, orderFields } from "../../../../gateway/domain/order.ts";
import { answerOf, statusSeen } from "../../../../gateway/account/readings/answer.ts";
import type { RunningScenario } from "../../../../gateway/scenario/running-scenario.ts";
import type { Scenario } from "../../../../gateway/scenario/schema.ts";
import { faultOf, findFault } from "../../../../verdict/faults.ts";
import type { Row } from "../../../live/sales.ts";

/** A request as a test places it again, with what came of it. */
interface Asked {
  readonly path: string;
  readonly body: string;
  readonly order: Order | undefined;
  readonly then: object;
  readonly isPoor: boolean;
  readonly got: number | "no answer";
  /** The state of its transaction once nothing is pending; undefined if it was not accepted. */
  readonly state: string | undefined;
}

/** What the requests for one order need to be asked again, with the same failures. */
interface TestCase {
  readonly title: string;
  readonly asked: readonly Asked[];
  readonly scenario: object;
}

/** The requests of a sale as tests that play the same failures, by what they are for. None of requests that order nothing. */
export function copiedTests(
  rows: readonly Row[],
  running: readonly RunningScenario[],
): Readonly<Record<string, string>> {
  const testCase = testCaseOf(rows, running);
  if (testCase === undefined) return {};
  const rehearsal = asRehearsal(testCase);
  return {
    Vitest: asVitest(testCase),
    PHPUnit: asPhpUnit(testCase),
    ...(rehearsal !== undefined && { Rehearsal: rehearsal }),
  };
}

/** Reads the requests for one order. Undefined for requests that order nothing. */
function testCaseOf(rows: readonly Row[], running: readonly RunningScenario[]): TestCase | undefined {
  const asked = rows.flatMap((row) => readAsked(row, running));
  const [first] = asked;
  if (first === undefined) return undefined;
  const number = rows[0]?.request.phoneNumber;
  const title = `${first.path.endsWith("sms") ? "sms" : "airtime"} to ${number ?? "nobody"}`;
  const rules = asked.map(({ then }, index) => ({
    name: `request ${index + 1}`,
    when: { ...(first.order && { phone_number: first.order.phoneNumber }), first: 1 },
    then,
  }));
  return { title, asked, scenario: { version: 1, name: nameOf(title), rules } };
}

function nameOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

function readAsked({ request, transaction }: Row, running: readonly RunningScenario[]): Asked[] {
  const { path, order, rules, statusCode } = request;
  const body = bodyOfRequest(request);
  if (body === undefined) return [];
  // A client that waits longer than the one that left gets the answer.
  const answer = answerOf(request.event);
  const effects = (rules?.fired ?? []).map(({ scenario, rule }) => effectOf(scenario, rule, running));
  return [
    {
      path,
      body,
      order,
      // A rule that changes nothing keeps the later ones for the later requests.
      then: effects.length === 0 ? { result: { outcome: "success" } } : Object.assign({}, ...effects),
      isPoor: statusCode === 402 && effects.length === 0,
      got: statusSeen(answer) ?? "no answer",
      state: transaction && stateOf(transaction),
    },
  ];
}

/** What a rule does: by its text while its scenario runs, otherwise by the fault of its name. */
function effectOf(scenario: string, rule: string, running: readonly RunningScenario[]): Rule["then"] {
  const text = running.find((one) => one.scenario.name === scenario)?.scenario;
  const written = text?.rules?.find(({ name }) => name === rule)?.then;
  const fault = findFault(rule) ?? faultOf(scenario);
  return written ?? (fault !== undefined && "then" in fault ? fault.then : {});
}

type Rule = NonNullable<Scenario["rules"]>[number];

function stateOf({ accepted, progress }: NonNullable<Row["transaction"]>): string {
  if (progress.state !== "queued") return progress.state;
  return accepted.plan.result.outcome === "success" ? "succeeded" : "failed";
}

/** A file for Vitest, with `kredo/vitest`. */
function asVitest({ title, asked, scenario }: TestCase): string {
  return `import { expect } from "vitest";
import { test } from "kredo/vitest";

test(${JSON.stringify(title)}, async ({ account }) => {
  await account.scenario(${indented(scenario, "  ")});
  // Place the order with your own code instead, and assert what it says of it.
  const place = (path: string, body: string) =>
    account
      .fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body, signal: AbortSignal.timeout(8_000) })
      .then(async (answer) => ((await answer.text()), answer.status))
      .catch(() => "no answer");

${asked
  .map(
    ({ path, body, isPoor, got }) =>
      `${isPoor ? '  await account.wallet.set("0");\n' : ""}  expect(await place(${JSON.stringify(path)}, ${JSON.stringify(body)})).toBe(${JSON.stringify(got)});`,
  )
  .join("\n")}
  await account.clock.advance("2h");

  const states = (await account.transactions()).map(({ state }) => state).reverse();
  expect(states).toEqual(${JSON.stringify(statesOf(asked))});
}, 30_000);
`;
}

/** A file for PHPUnit, with Kredo.php beside it. */
function asPhpUnit({ title, asked, scenario }: TestCase): string {
  const className = `${title.replaceAll(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase()).replace(/^./, (letter) => letter.toUpperCase())}Test`;
  return `<?php

declare(strict_types=1);

use Kredo\\Sandbox;
use PHPUnit\\Framework\\TestCase;

require_once __DIR__ . '/Kredo.php';

final class ${className} extends TestCase
{
    public function testIsAskedAgain(): void
    {
        $account = Sandbox::connect()->openAccount(['clock' => 'manual']);
        $account->call('POST', 'scenarios', ${php(JSON.stringify(scenario))});
        // Place the order with your own code instead, and assert what it says of it.
        $place = function (string $path, string $body) use ($account): int|string {
            $call = curl_init($account->sandbox->url . $path);
            curl_setopt_array($call, [CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => ['Content-Type: application/json'], CURLOPT_USERPWD => "{$account->key}:{$account->secret}", CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 8]);
            return curl_exec($call) === false ? 'no answer' : curl_getinfo($call, CURLINFO_RESPONSE_CODE);
        };

${asked
  .map(
    ({ path, body, isPoor, got }) =>
      `${isPoor ? "        $account->setBalance('0');\n" : ""}        self::assertSame(${typeof got === "number" ? got : php(got)}, $place(${php(path)}, ${php(body)}));`,
  )
  .join("\n")}
        $account->advance('2h');

        $states = array_reverse(array_column($account->transactions(), 'state'));
        self::assertSame([${statesOf(asked).map(php).join(", ")}], $states);
        $account->close();
    }
}
`;
}

/** A rehearsal, in which the application itself places the order. Undefined for an order that no application would place. */
function asRehearsal({ title, asked, scenario }: TestCase): string | undefined {
  const order = asked[0]?.order;
  if (order === undefined) return undefined;
  const { phone_number, amount, message } = orderFields(order);
  // A rehearsal knows whole shillings alone.
  const whole = Number.isInteger(amount) ? amount : undefined;
  return `version: 1
name: ${nameOf(title)}
scenario: ${indented(scenario, "  ")}
steps:
  - order: ${JSON.stringify({ operation: order.operation, phone_number, message, amount: whole })}
`;
}

function statesOf(asked: readonly Asked[]): string[] {
  return asked.flatMap(({ state }) => state ?? []);
}

function indented(value: object, margin: string): string {
  return JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${margin}`);
}

/** PHP takes every character between single quotes literally, except the quote and the backslash. */
function php(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
