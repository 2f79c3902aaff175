import * as z from "zod";
import { type Operation, PRODUCT_WORDS, forEachProduct, PRODUCTS } from "../../gateway/domain/order.ts";
import { closestWord } from "../../gateway/document/closest-word.ts";
import { fileJsonSchema } from "../../gateway/document/json-schema.ts";
import { parseDocument } from "../../gateway/document/parse-document.ts";
import type { Problem } from "../../gateway/document/problem.ts";
import { addProblem, durationValue, textMatching, SKIP_IF_INVALID } from "../../gateway/document/values.ts";
import { placeholdersIn } from "./placeholders.ts";
import { balanceValue, booksValue, deliversValue } from "./map-money.ts";
import { orderValue, smsValue, statusValue } from "./map-orders.ts";
import type { Price } from "./price.ts";
import { isUrl, requestValue } from "./request.ts";

/** The placeholders of an app map. Each order has its own phone number and reference. */
const PLACEHOLDERS: readonly string[] = [
  "app",
  "phone_number",
  "phone_numbers",
  "local_number",
  "plus_number",
  "amount",
  "charge",
  "message",
  "reference",
  "id",
];

/** The application's address, without placeholders. */
const applicationValue = textMatching((text) => isUrl(text) && !/[{}]/.test(text), {
  what: "a URL",
  repair: "write a URL like http://localhost:3000",
});

const commandValue = textMatching((text) => text.trim() !== "", {
  what: "a command",
  repair: "write a command line for a shell",
});

const callbackValue = textMatching(isUrl, {
  what: "a URL",
  repair: "write {app} and a path, like {app}/hooks/airtime, or http:// or https:// and a host",
});

const actionValue = z
  .strictObject({
    request: requestValue.describe("A request to the application.").exactOptional(),
    command: commandValue.describe("A shell command, which must exit with 0.").exactOptional(),
  })
  .superRefine(({ request, command }, context) => {
    if ((request === undefined) === (command === undefined))
      addProblem(context, {
        problem: "needs exactly one of request or command",
        repair: 'write { command: "npm run db:reset" }',
      });
  }, SKIP_IF_INVALID);

/** `kredo.app.yaml`: how to place an order in an application, and how to read its outcome. */
export const appMapSchema = z
  .strictObject({
    $schema: z.string().describe("For editors; Kredo does not read it.").exactOptional(),
    version: z.literal(1).describe("The version of this format: 1."),
    application: applicationValue.describe("The application's address, for {app}."),
    order: z
      .strictObject({
        airtime: orderValue.describe(`How to ${PRODUCT_WORDS.airtime.order}.`).exactOptional(),
        sms: smsValue.describe(`How to ${PRODUCT_WORDS.sms.order}.`).exactOptional(),
      })
      .describe(`How to place an order; at least one of ${PRODUCTS.join(" or ")}.`),
    status: statusValue
      .describe("How to read an order's status. Without it, what the application says is not assessed.")
      .exactOptional(),
    balance: balanceValue.exactOptional(),
    books: booksValue.exactOptional(),
    callbacks: z
      .strictObject(
        forEachProduct((product) =>
          callbackValue.describe(`URL for ${PRODUCT_WORDS[product].results}.`).exactOptional(),
        ),
      )
      .describe(
        "The application's callback URLs. Leave out those of an application that asks for account details instead.",
      )
      .prefault({}),
    amounts: z
      .array(z.int().min(1))
      .min(1)
      .describe("The whole shillings of airtime that the application sells. Default: any from 21 to 99.")
      .exactOptional(),
    at_once: z
      .int()
      .min(1)
      .describe(
        "The most orders that the application takes at once, such as 1. Default: as many as are tried, up to 48.",
      )
      .exactOptional(),
    delivers: deliversValue.exactOptional(),
    restart: actionValue
      .describe(
        "Restarts the application, to show what it keeps only in memory: its process ends and starts again. Restarts are not assessed if it goes on listening, and not tried without this.",
      )
      .exactOptional(),
    reset: actionValue.describe("Resets the application to its initial state before each trial.").exactOptional(),
    tick: actionValue.describe("Makes the application run its retries and jobs now.").exactOptional(),
    settle: durationValue
      .describe(
        "Wall time that the application needs after a callback, until it tries a refused order again, or until it sends what it has taken. Orders are watched for so long after their end. Default: measured by explore, at most 5s; the last look comes after 5s, that of a rehearsal after 1s.",
      )
      .exactOptional(),
  })
  .superRefine(checkOperations, SKIP_IF_INVALID)
  .superRefine(checkPrices, SKIP_IF_INVALID)
  .superRefine(checkPlaceholders, SKIP_IF_INVALID)
  .superRefine(checkRecipients, SKIP_IF_INVALID);

export type AppMap = z.output<typeof appMapSchema>;

export type ParsedAppMap = { readonly map: AppMap } | { readonly problems: readonly Problem[] };

export function parseAppMap(text: string, file: string): ParsedAppMap {
  const parsed = parseDocument(text, appMapSchema, file);
  return "problems" in parsed ? parsed : { map: parsed.value };
}

export function appMapJsonSchema(): Record<string, unknown> {
  const description = "How to place an order in an application, and how to read its outcome.";
  return fileJsonSchema(appMapSchema, { title: "Kredo app map", description });
}

function checkOperations({ order }: { order: Partial<Record<Operation, unknown>> }, context: z.RefinementCtx): void {
  if (PRODUCTS.every((product) => order[product] === undefined))
    addProblem(context, { path: ["order"], problem: "is empty", repair: `add ${PRODUCTS.join(" or ")}` });
}

interface Sold {
  readonly amounts?: readonly number[];
  readonly balance?: { readonly price: Price };
}

/** An order without a price would be judged without its money. */
function checkPrices({ amounts = [], balance }: Sold, context: z.RefinementCtx): void {
  const pairs = balance && "pairs" in balance.price ? balance.price.pairs : undefined;
  const unpriced = amounts.find((amount) => pairs?.every(([ordered]) => ordered !== amount));
  if (unpriced !== undefined)
    addProblem(context, {
      path: ["amounts"],
      problem: `has ${unpriced}, which has no price`,
      repair: "add a pair to balance.price",
    });
}

function checkPlaceholders(map: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [key, value] of Object.entries(map)) {
    // Braces in a command belong to the shell.
    const filled = actionValue.safeParse(value).data?.command === undefined ? value : undefined;
    const unknown = placeholdersIn(filled).filter((name) => !PLACEHOLDERS.includes(name));
    for (const name of new Set(unknown)) {
      const meant = closestWord(name, PLACEHOLDERS);
      const repair =
        meant === undefined
          ? `write one of ${PLACEHOLDERS.map((known) => `{${known}}`).join(", ")}`
          : `did you mean {${meant}}?`;
      addProblem(context, { path: [key], problem: `{${name}} is not a placeholder`, repair });
    }
  }
}

function checkRecipients({ order: { sms } }: AppMap, context: z.RefinementCtx): void {
  if (sms?.recipients === undefined || placeholdersIn(sms.request).includes("phone_numbers")) return;
  const repair = "write {phone_numbers} in order.sms.request, which is a list of the numbers";
  addProblem(context, { path: ["order", "sms", "recipients"], problem: "is not passed on", repair });
}
