import fc from "fast-check";
import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { DAY, formatDuration, MINUTE } from "../../../src/gateway/domain/time.ts";
import { topUp } from "../../../src/gateway/engine/commands.ts";
import { nthPhoneNumber, type OrderStep } from "../../../src/verdict/rehearsal/order-step.ts";
import { parseRehearsal, type Rehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";
import { AUTHORIZATION, startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";

const phoneNumber = fc.constantFrom("254712000001", "254712000002", "254799999999", "254110000000", "254199999999");

/** Numbers of every size, and the bounds most of all. */
const shillings = fc.oneof(fc.constantFrom(0, 4, 5, 10_000, 10_001, 9_999_999_999_999), fc.integer({ min: 0 }));

const order = fc.record(
  {
    operation: fc.constantFrom("airtime", "sms"),
    count: fc.constantFrom(1, 2, 3),
    phone_number: phoneNumber,
    amount: shillings,
    message: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\uD800", "x".repeat(39_016))),
  },
  { requiredKeys: [] },
);

const step = fc.oneof(
  fc.record({ order: fc.oneof(fc.constantFrom("airtime", "sms"), order) }),
  fc.record({ advance: fc.constantFrom(0, MINUTE, 366 * DAY).map(formatDuration) }),
  fc.record({ top_up: shillings }),
);

const clock = fc.constantFrom("manual", "real", "x10", { mode: "manual", now: "9999-12-31T23:59:00Z" });

const written = fc.record(
  { clock, steps: fc.array(step, { minLength: 1, maxLength: 4 }) },
  { requiredKeys: ["steps"] },
);

test("the gateway takes every step of a rehearsal that was read without a mistake", async () => {
  const accepted = fc.sample(written, 500).flatMap(readWithoutMistake);

  const refused = await Promise.all(accepted.map(play));

  expect(accepted.length).toBeGreaterThan(50);
  expect(refused.flat()).toEqual([]);
});

function readWithoutMistake(steps: object): Rehearsal[] {
  const parsed = parseRehearsal(JSON.stringify({ version: 1, name: "any", ...steps }), "any.yaml");
  return "rehearsal" in parsed ? [parsed.rehearsal] : [];
}

/** Resolves to what the gateway refuses as invalid. */
async function play({ clock: settings, steps }: Rehearsal): Promise<unknown[]> {
  const now =
    "start" in settings && settings.start !== undefined ? { now: new Date(settings.start).toISOString() } : {};
  const scale = "scale" in settings ? { scale: settings.scale } : {};
  await using gateway = await startTestGateway({ clock: { mode: settings.mode, ...now, ...scale } });
  const refused: unknown[] = [];
  for (const one of steps) {
    const playing = playStep(one, gateway).catch((error: unknown) => [{ step: one, error }]);
    refused.push(...(await playing));
  }
  return refused;
}

async function playStep({ order, advance, top_up }: Rehearsal["steps"][number], gateway: TestGateway) {
  if (order !== undefined) return (await Promise.all(order.map((one) => placeAll(one, gateway)))).flat();
  if (advance !== undefined) await gateway.account.advance({ by: advance }, MINUTE);
  if (top_up !== undefined) topUp(gateway.account, cents(top_up));
  return [];
}

async function placeAll(order: OrderStep, { port }: TestGateway): Promise<unknown[]> {
  const { operation, count, phone_number: first = "254712345678", amount = 50, message = "Habari" } = order;
  const numbers = Array.from({ length: count }, (_, nth) => nthPhoneNumber(first, nth));
  const answers = await Promise.all(
    numbers.map(async (number) => {
      const fields = { phone_number: number, amount: String(amount), message, sender_id: "SANDBOX" };
      const response = await fetch(`http://127.0.0.1:${port}/api/v2/${operation}`, {
        method: "POST",
        headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
        body: JSON.stringify(fields),
      });
      return { fields, status: response.status, body: await response.text() };
    }),
  );
  return answers.filter(({ status }) => status !== 200 && status !== 402);
}
