import * as z from "zod";
import { complain, durationValue, keyThat } from "../document/values.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { shillingsValue, UNLESS_WRONG } from "../scenario/values.ts";
import type { Capture, DriveStep, Repetition, StatusWanted } from "./rehearsal.ts";
import { requestShape, captureName, checkBody, commandValue, countValue, jsonPathValue, matchValue, readRequest } from "./values.ts";

/** More than this at once is a load test. */
const MOST_REPEATS = 10_000;
const MOST_PARALLEL = 256;

const UNTIL_LIMIT: Millis = 10 * SECOND;

const repetitionShape = {
  repeat: z
    .int()
    .min(1)
    .max(MOST_REPEATS)
    .describe("How often; {n} counts from 1, with as many digits as the last one has. Default 1.")
    .exactOptional(),
  parallel: z.int().min(1).max(MOST_PARALLEL).describe("How many at a time. Default 1.").exactOptional(),
  spacing: durationValue.describe("Wall time from the beginning of one to the beginning of the next.").exactOptional(),
};

const captureKey = keyThat((text) => captureName.test(text), {
  what: "a name for a captured value",
  repair: "write lower-case letters, digits and underscores, like order_id",
});

const captureValue = z.union([
  jsonPathValue.transform((path): Capture => ({ path, optional: false })),
  z
    .strictObject({
      json_path: jsonPathValue.describe("Where in the answer's JSON."),
      optional: z.boolean().describe("Whether the answer may lack it; what needs it is not assessed then. Default false.").exactOptional(),
    })
    .transform(({ json_path: path, optional = false }): Capture => ({ path, optional })),
]);

const statusValue: z.ZodType<StatusWanted> = z.union([
  z.literal("any"),
  z
    .int()
    .min(100)
    .max(599)
    .transform((one) => [one]),
  z.array(z.int().min(100).max(599)).min(1),
]);

const requestValue = z
  .strictObject({
    ...requestShape,
    ...repetitionShape,
    capture: z
      .record(captureKey, captureValue)
      .describe(
        "Values out of the answer's JSON for later steps and checks: { order: $.id } makes {order}. Of repeated requests, the last one's.",
      )
      .exactOptional(),
    expect_status: statusValue.describe("The HTTP status, a list of them, or any. Default 200 to 299.").exactOptional(),
  })
  .superRefine(checkBody)
  .transform(({ capture = {}, expect_status: expectStatus = "2xx", ...written }): DriveStep => ({
    kind: "request",
    request: readRequest(written),
    capture,
    expectStatus,
    ...readRepetition(written),
  }));

/** Fields go out as they are written, right or wrong. */
const field = z.string().meta({ type: ["string", "number"] });

const sandboxValue = z
  .strictObject({
    airtime: z
      .strictObject({ phone_number: field.describe("254 and nine digits."), amount: field.describe("KES.") })
      .describe("An airtime request.")
      .exactOptional(),
    sms: z
      .strictObject({
        phone_number: field.describe("254 and nine digits."),
        message: z.string().describe("The text."),
        sender_id: field.describe("Default SANDBOX.").exactOptional(),
      })
      .describe("An SMS.")
      .exactOptional(),
    ...repetitionShape,
  })
  .superRefine(({ airtime, sms }, context) => {
    if ((airtime === undefined) === (sms === undefined))
      complain(context, {
        problem: "needs exactly one of airtime and sms",
        repair: 'write { airtime: { phone_number: "254712000001", amount: "100" } }',
      });
  }, UNLESS_WRONG)
  .transform(({ airtime, sms, ...repetition }): DriveStep => ({
    kind: "sandbox",
    order:
      sms === undefined ? { operation: "airtime", fields: { ...airtime } } : { operation: "sms", fields: { sender_id: "SANDBOX", ...sms } },
    ...readRepetition(repetition),
  }));

const stepShape = {
  request: requestValue.describe("A request to the application.").exactOptional(),
  command: commandValue
    .transform((run): DriveStep => ({ kind: "command", run }))
    .describe(
      "A shell command, which must exit with 0. Its environment has KREDO_URL, KREDO_BASE_URL, KREDO_CONSUMER_KEY, KREDO_CONSUMER_SECRET, KREDO_APP, and KREDO_CAPTURED_NAME of what was captured.",
    )
    .exactOptional(),
  sandbox: sandboxValue.describe("The sandbox's own request to the gateway, where only a receiver is tested.").exactOptional(),
  advance: z
    .union([z.literal("all"), durationValue])
    .transform((by): DriveStep => ({ kind: "advance", by }))
    .describe('A length of the account\'s time on a manual clock, or "all": until nothing is pending, on any clock.')
    .exactOptional(),
  top_up: shillingsValue
    .transform((amount): DriveStep => ({ kind: "top-up", amount }))
    .describe("Adds KES to the wallet.")
    .exactOptional(),
  wait: durationValue
    .transform((wait): DriveStep => ({ kind: "wait", wait }))
    .describe("Wall time in which nothing is done, for an application that works by itself.")
    .exactOptional(),
  until: z
    .strictObject({
      match: matchValue.describe("What the requests are like; all of them if not given.").exactOptional(),
      count: countValue.describe("How many there are to be. Default at least one.").exactOptional(),
      within: durationValue.describe('Wall time to wait for it. Default "10s".').exactOptional(),
    })
    .transform(({ match = {}, count = { gte: 1 }, within = UNTIL_LIMIT }): DriveStep => ({ kind: "until", match, count, within }))
    .describe("Waits until the application has sent so many requests to the gateway.")
    .exactOptional(),
  observe: durationValue
    .transform((limit): DriveStep => ({ kind: "observe", limit }))
    .describe("Watches for so long what a test suite of the integrator's own does; ends early on ctrl-C, or with the command of --while.")
    .exactOptional(),
};

/** One step: a mapping with one of the keys. */
export const driveStepValue = z
  .strictObject(stepShape)
  .superRefine((written, context) => {
    const [first, second] = Object.keys(written);
    if (first === undefined) complain(context, { problem: "is empty", repair: `write one of ${Object.keys(stepShape).join(", ")}` });
    if (second !== undefined)
      complain(context, { path: [second], problem: `is a second thing beside ${first}`, repair: "write a step of its own" });
  }, UNLESS_WRONG)
  .transform((written): DriveStep => Object.values(written)[0] ?? z.NEVER);

interface WrittenRepetition {
  readonly repeat?: number;
  readonly parallel?: number;
  readonly spacing?: Millis;
}

function readRepetition({ repeat = 1, parallel = 1, spacing = 0 }: WrittenRepetition): Repetition {
  return { repeat, parallel, spacing };
}
