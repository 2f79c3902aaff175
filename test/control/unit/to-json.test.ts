import * as z from "zod";
import { describe, expect, expectTypeOf, test } from "vitest";
import { duration, moment, money, type ReadingOf, toJson } from "../../../src/control/to-json.ts";
import { journalDocument } from "../../../src/control/journal.ts";
import { controlRoutes } from "../../../src/control/control-api.ts";
import { attemptShape } from "../../../src/control/callback-attempts.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";

const shape = z.object({
  request_id: z.string(),
  paid: money,
  settled_at: moment.nullable(),
  retry_at: moment.optional().describe("The next attempt."),
  rows: z.array(z.object({ has_parts: z.boolean() })),
});

test("renames the keys of a schema, and writes amounts and moments as JSON has them", () => {
  const json = toJson(shape, {
    requestId: "1",
    paid: cents(9_550),
    settledAt: 0,
    retryAt: 1_000,
    rows: [{ hasParts: true }],
  });

  expect(json).toEqual({
    request_id: "1",
    paid: 95.5,
    settled_at: "1970-01-01T00:00:00.000Z",
    retry_at: "1970-01-01T00:00:01.000Z",
    rows: [{ has_parts: true }],
  });
});

test("leaves out what the schema does not name, and writes null for a nullable key that is missing", () => {
  const reading = { requestId: "1", paid: cents(0), rows: [], unknownKey: "?" };

  expect(JSON.stringify(toJson(shape, reading))).toBe('{"request_id":"1","paid":0,"settled_at":null,"rows":[]}');
});

test("takes settings as their file spells them", () => {
  const settings = z.object({ balance: money, retry_after: duration });

  expect(toJson(settings, { balance: cents(250), retry_after: 90_000 })).toEqual({
    balance: 2.5,
    retry_after: "90s",
  });
});

describe("user data stays as it is", () => {
  test("the keys of a record, such as fields of a request and headers of a callback", () => {
    const written = z.object({ validation_errors: z.record(z.string(), z.array(z.string())) });
    const validationErrors = { phone_number: ["is missing"], senderId: ["is not a field"], "x-trace_id": [] };

    expect(toJson(written, { validationErrors })).toEqual({ validation_errors: validationErrors });
    expect(toJson(attemptShape.pick({ headers: true }), { headers: { "X-api_key": "k" } })).toEqual({
      headers: { "X-api_key": "k" },
    });
  });

  test("a journal's events with their scenarios", () => {
    const scenario: Scenario = {
      version: 1,
      name: "s",
      rules: [{ name: "r", then: { ack: { content_type: "text/plain" } } }],
    };
    const events: AccountEvent[] = [
      {
        kind: "scenarios-changed",
        at: 0,
        active: [{ scenario, since: 0, start: 0, off: [], overlay: {} }],
        begun: ["s"],
      },
    ];

    const json = toJson(journalDocument, { kredo: "0", consumerKey: "k", number: 1, events });

    expect(json).toEqual({ kredo: "0", consumer_key: "k", number: 1, events });
    expect(json.events[0]).toBe(events[0]);
  });

  test("the text of a callback's body", () => {
    const body = '{"requestId":"1","result_code":200}';

    expect(toJson(attemptShape.pick({ body: true }), { body })).toEqual({ body });
  });
});

test("every key that the control API documents is in snake_case", () => {
  const routes = controlRoutes({ routes: [], alongside: { frames: () => [], notice: () => SILENT } });
  const keys = new Set(
    routes.flatMap(({ answer, others = {} }) => [answer ?? [], ...Object.values(others)].flat()).flatMap(keysOf),
  );

  expect([...keys].filter((key) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key))).toEqual([]);
  expect(keys.size).toBeGreaterThan(100);
});

function keysOf(schema: z.ZodType): string[] {
  const keys: string[] = [];
  z.toJSONSchema(schema, {
    unrepresentable: "any",
    override: ({ jsonSchema }) => void keys.push(...Object.keys(jsonSchema.properties ?? {})),
  });
  return keys;
}

const SILENT = { event: "", observe: () => () => {}, read: () => undefined };

test("a reading's type follows from its schema", () => {
  type Row = ReadingOf<typeof shape>;

  expectTypeOf<{ requestId: string; paid: ReturnType<typeof cents>; rows: [] }>().toExtend<Row>();
  expectTypeOf<{ requestId: string; paid: number; rows: [] }>().not.toExtend<Row>();
  expectTypeOf<{ paid: ReturnType<typeof cents>; rows: [] }>().not.toExtend<Row>();
  expectTypeOf<{ requestId: string; request_id: string; paid: ReturnType<typeof cents> }>().not.toExtend<Row>();
});
