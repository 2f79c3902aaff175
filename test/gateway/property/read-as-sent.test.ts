import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AnswerReading, answerOf, readAnswer } from "../../../src/gateway/account/readings/answer.ts";
import { readAttempt, readCallback } from "../../../src/gateway/account/readings/callback.ts";
import { isUnresolved } from "../../../src/gateway/account/transaction.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { lastRequest } from "../../support/gateway/journal-events.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { AUTHORIZATION, startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

/** How the gateway writes what it sends. */
const settings = fc.record({
  profile: fc.constantFrom("document", "sdk", "observed"),
  http_status: fc.constantFrom("mirror", "always_200"),
  callback_values: fc.constantFrom("numbers", "text"),
  decimals: fc.constantFrom("trimmed" as const, "fixed" as const, 3 as const),
  refusals: fc.record({ validation: fc.constantFrom("full", "bare", "nested", "root") }),
  result_desc: fc.constantFrom("kredo", "statum"),
  result_codes: fc.record({ failed: fc.constantFrom(500, 999) }),
  hints: fc.boolean(),
});

const body = fc.constantFrom(
  '{"status_code":200,"request_id":"{{request_id}}"}',
  '{"request_id":"another"}',
  '{"status_code":429,"request_id":null}',
  '{"status_code":503}',
  '{"validation_errors":{"amount":["no"]}}',
  '{"error":"{{phone_number}}"}',
  "<html>Log in</html>",
  "[]",
  " ",
);
const content_type = fc.constantFrom("application/json", "text/html", "application/json; charset=utf-8");
const withBody = fc.record({ body, content_type }, { requiredKeys: ["body"] });

const effect = fc.oneof(
  fc.record({ ack: fc.record({ status: fc.constantFrom(201, 204, 302, 402, 429, 500, 503) }) }),
  withBody.chain((written) =>
    fc.record({ ack: fc.record({ status: fc.constantFrom(200, 402, 502), ...constants(written) }) }),
  ),
  fc.record({ refuse: fc.constantFrom(204, 302, 401, 402, 403, 422, 429, 500, 502, 503, 504) }),
  withBody.chain((written) =>
    fc.record({ refuse: fc.record({ status: fc.constantFrom(200, 402, 422, 503), ...constants(written) }) }),
  ),
  fc.record({ connection: fc.constantFrom(...broken("before_accept"), ...broken("after_accept")) }),
);

function constants(written: object): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(written).map(([key, value]) => [key, fc.constant(value)]));
}

/** Without those in which only the client ends the connection. */
function broken(stage: string): string[] {
  return ["reset", "empty", "truncate", "garbage", "drip"].map((breakage) => `${breakage}_${stage}`);
}

test("a client reads from the bytes that it received what the sandbox says that it read", async () => {
  await fc.assert(
    fc.asyncProperty(settings, effect, async (written, then) => {
      await using gateway = await startTestGateway(written, { pause: async () => {} });
      await script(gateway.account, rule(`then: ${JSON.stringify(then)}`));

      const received = await order(gateway);

      expect(received).toEqual(withoutCause(answerOf(lastRequest(gateway.account))));
    }),
    { numRuns: 60 },
  );
}, 60_000);

async function order({ port }: TestGateway): Promise<object> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/airtime`, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
      body: '{"phone_number":"254712345678","amount":"100"}',
      redirect: "manual",
    });
    return withoutCause(readAnswer({ status: response.status, body: await response.text() }));
  } catch {
    return { says: "none" };
  }
}

/** A client does not learn how its connection broke in the sandbox's words. */
function withoutCause(answer: AnswerReading): object {
  return answer.says === "none" ? { says: "none" } : answer;
}

const flags = fc.record(
  {
    times: fc.constantFrom(2, 3),
    contradict: fc.boolean(),
    malformed: fc.boolean(),
    unknown_field: fc.boolean(),
    unknown_id: fc.boolean(),
    wrong_content_type: fc.boolean(),
  },
  { requiredKeys: ["times"] },
);
const content = fc.record(
  {
    times: fc.constantFrom(2, 3),
    body: fc.constantFrom(
      '{\n  "request_id": "{{request_id}}",\n  "result_code": {{result_code}},\n  "charge": {{charge}}\n}',
      '{"request_id":"{{request_id}}","result_code":"{{result_code}}"}',
      '{"request_id":"{{request_id}}","result_code":500}',
      '{"request_id":"{{request_id}}"}',
      '{"result_code":200}',
      "done",
    ),
    content_type: fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain"),
  },
  { requiredKeys: ["times", "body"] },
);
const outcome = fc.constantFrom("success", "failed", "rejected");

test("a receiver reads from the bytes that it received what the sandbox says that it read", async () => {
  await using receiver = await receiveHttp((_, response) => void response.writeHead(200).end());
  await fc.assert(
    fc.asyncProperty(settings, fc.oneof(flags, content), outcome, async (written, callback, result) => {
      receiver.requests.length = 0;
      await using gateway = await startTestGateway(written);
      setCallbacks(gateway.account, callbacksTo(receiver.url));
      await script(gateway.account, rule(`then: ${JSON.stringify({ result: { outcome: result }, callback })}`));

      await order(gateway);
      await gateway.account.advance({ by: 600_000 }, 5_000);

      const [transaction] = gateway.account.state.transactions.values();
      if (transaction === undefined || isUnresolved(transaction.progress)) throw new Error("it has no result");
      const said = transaction.progress.attempts.map((one) => readAttempt(one, transaction, gateway.account.gateway));
      const heard = receiver.requests.map(({ rawHeaders, body: text }) =>
        readCallback({ headers: fromRaw(rawHeaders), body: text }),
      );
      expect(said).toEqual(heard);
      expect(said).toHaveLength(callback.times);
    }),
    { numRuns: 60 },
  );
}, 60_000);

function fromRaw(raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : [])));
}
