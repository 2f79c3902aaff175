import * as z from "zod";
import { checkBody, commandValue, requestShape } from "../application/request.ts";
import { jsonPathValue } from "../application/values.ts";
import { quote } from "../../gateway/document/describe-value.ts";
import { complain, durationValue, keyThat } from "../../gateway/document/values.ts";
import { shillingsValue, UNLESS_WRONG } from "../../gateway/scenario/values.ts";
import { countValue, matchValue } from "./values.ts";

/** More at once would be a load test. */
const MOST_REPEATS = 10_000;
const MOST_PARALLEL = 256;

const repetitionShape = {
  repeat: z
    .int()
    .min(1)
    .max(MOST_REPEATS)
    .describe("The number of repetitions; {n} counts from 1, padded to the same number of digits. Default 1.")
    .prefault(1),
  parallel: z.int().min(1).max(MOST_PARALLEL).describe("How many run at the same time. Default 1.").prefault(1),
  spacing: durationValue.describe("Wall time from the start of one to the start of the next. Default 0.").prefault("0"),
};

/** How often an action is repeated, how many run at a time, and how far apart they start. */
export type Repetition = z.output<z.ZodObject<typeof repetitionShape>>;

/** The name of a captured value. Lower case only, because environment variables would merge names that differ in case. */
const captureKey = keyThat((text) => /^[a-z][a-z0-9_]{0,31}$/.test(text), {
  what: "a name for a captured value",
  repair: "write lower-case letters, digits and underscores, like order_id",
});

const captureValue = z.union([
  jsonPathValue.transform((json_path) => ({ json_path, optional: false })),
  z.strictObject({
    json_path: jsonPathValue.describe("A JSONPath into the answer."),
    optional: z
      .boolean()
      .describe("Whether the answer may lack the value; checks that need it are then not assessed. Default false.")
      .prefault(false),
  }),
]);

const statusCode = z.int().min(100).max(599);

const requestStep = z
  .strictObject({
    ...requestShape,
    ...repetitionShape,
    capture: z
      .record(captureKey, captureValue)
      .describe(
        "Values from the answer's JSON for later steps and checks: { order: $.id } makes {order}. For repeated requests, those of the last answer.",
      )
      .prefault({}),
    expect_status: z
      .union([z.literal("any"), statusCode.transform((one) => [one]), z.array(statusCode).min(1)])
      .describe("The HTTP status, a list of them, or any. Default 200 to 299.")
      .exactOptional(),
  })
  .superRefine(checkBody);

export type RequestStep = z.output<typeof requestStep>;

/** Fields are sent exactly as written, valid or not. */
const field = z.string().meta({ type: ["string", "number"] });

/** An order that the sandbox itself sends to the gateway. */
const sandboxStep = z
  .strictObject({
    airtime: z
      .strictObject({ phone_number: field.describe("254 and nine digits."), amount: field.describe("KES.") })
      .describe("An airtime request.")
      .exactOptional(),
    sms: z
      .strictObject({
        phone_number: field.describe("254 and nine digits."),
        message: z.string().describe("The text."),
        sender_id: field.describe("Default SANDBOX.").prefault("SANDBOX"),
      })
      .describe("An SMS.")
      .exactOptional(),
    ...repetitionShape,
  })
  .superRefine(({ airtime, sms }, context) => {
    if ((airtime === undefined) === (sms === undefined))
      complain(context, {
        problem: "needs exactly one of airtime or sms",
        repair: 'write { airtime: { phone_number: "254712000001", amount: "100" } }',
      });
  }, UNLESS_WRONG);

export type SandboxStep = z.output<typeof sandboxStep>;

const untilStep = z.strictObject({
  match: matchValue.describe("The requests to count. Default: all.").prefault({}),
  count: countValue.describe("The expected number. Default: at least one.").prefault({ gte: 1 }),
  within: durationValue.describe('Wall time to wait for it. Default "10s".').prefault("10s"),
});

export type UntilStep = z.output<typeof untilStep>;

const orderMapping = z
  .strictObject({
    operation: z.enum(["airtime", "sms"]).describe("Default airtime.").prefault("airtime"),
    phone_number: z
      .string()
      .describe("254 and nine digits, ending in {n} if repeated. Default: a different number for each order.")
      .exactOptional(),
    typed: z
      .enum(["international", "local", "plus"])
      .describe(
        "How the customer types the number: 254712000001, 0712 000 001 or +254712000001. Default: as in the app map.",
      )
      .exactOptional(),
    amount: z.int().min(1).describe("Whole KES of airtime. Default 100.").prefault(100),
    message: z.string().min(1).describe("The text of an SMS.").prefault("Your order is on its way."),
    ...repetitionShape,
  })
  .superRefine(({ phone_number, repeat }, context) => {
    const isNumber = phone_number === undefined || /^254[17]\d{8}$/.test(phone_number.replace("{n}", String(repeat)));
    if (!isNumber)
      complain(context, {
        path: ["phone_number"],
        problem: `${quote(phone_number)} is not a phone number`,
        repair: `write 254 and nine digits, with {n} for the last ${String(repeat).length} of them if the order is repeated`,
      });
    if (repeat > 1 && phone_number !== undefined && !phone_number.includes("{n}"))
      complain(context, {
        path: ["phone_number"],
        problem: `is the same number for ${repeat} orders`,
        repair: "write {n} in place of its last digits, or leave it out",
      });
  }, UNLESS_WRONG);

/** An order placed in the application according to its app map. */
const orderStep = z.union([
  z.enum(["airtime", "sms"]).transform((operation) => orderMapping.parse({ operation })),
  orderMapping,
]);

export type OrderStep = z.output<typeof orderStep>;

const stepShape = {
  order: orderStep
    .describe("Orders placed in the application according to its app map; each is judged at the end.")
    .exactOptional(),
  request: requestStep.describe("A request to the application.").exactOptional(),
  command: commandValue
    .describe(
      "A shell command, which must exit with 0. Its environment contains KREDO_URL, KREDO_BASE_URL, KREDO_CONSUMER_KEY, KREDO_CONSUMER_SECRET, KREDO_APP, and a KREDO_CAPTURED_NAME for each captured value.",
    )
    .exactOptional(),
  sandbox: sandboxStep
    .describe("A request that the sandbox sends to itself, to test only the receiver.")
    .exactOptional(),
  advance: z
    .union([z.literal("all"), durationValue])
    .describe('Advances a manual clock by this account time. "all" continues until nothing is pending, on any clock.')
    .exactOptional(),
  top_up: shillingsValue.describe("Adds KES to the wallet.").exactOptional(),
  wait: durationValue.describe("Wall time to wait, for an application that works on its own.").exactOptional(),
  until: untilStep
    .describe("Waits until the application has sent a number of requests to the gateway.")
    .exactOptional(),
  observe: durationValue
    .describe(
      "Watches for this long, for example while your own test suite runs. Ends early on Ctrl-C, or when the command of --while ends.",
    )
    .exactOptional(),
};

/** One step: a mapping with exactly one of the keys. */
export const stepValue = z.strictObject(stepShape).superRefine((written, context) => {
  const [first, second] = Object.keys(written);
  if (first === undefined)
    complain(context, { problem: "is empty", repair: `write one of ${Object.keys(stepShape).join(", ")}` });
  if (second !== undefined)
    complain(context, { path: [second], problem: `cannot be combined with ${first}`, repair: "write a separate step" });
}, UNLESS_WRONG);

export type Step = z.output<typeof stepValue>;
