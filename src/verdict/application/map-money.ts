import * as z from "zod";
import { textMatching } from "../../gateway/document/values.ts";
import { jsonPathValue } from "./json-path.ts";
import { priceValue } from "./price.ts";
import { requestValue } from "./request.ts";

export const balanceValue = z
  .strictObject({
    request: requestValue.describe("The request that reads the customer's balance."),
    json_path: jsonPathValue.describe(
      "A JSONPath to the balance in the answer, in shillings unless unit says otherwise.",
    ),
    unit: z.literal("cents").describe("Whether it is an integer of cents: cents.").exactOptional(),
    owed: z
      .boolean()
      .describe("Whether it is what the customer owes, so that an order increases it. Default false.")
      .exactOptional(),
    price: priceValue
      .describe(
        'How much a paid order takes from it: "{amount}", "{charge}" (what the gateway charged), a percentage like "97%" (of the amount) or "102% of {charge}", rounded to cents or whole shillings, an amount like "50.00", pairs of what is ordered and its price: [[50, 48.50], [100, 97]], or { per_part: "1.00" }, of an SMS. Default "{amount}", of airtime.',
      )
      .prefault("{amount}"),
  })
  .describe("How to read the customer's balance.");

export const booksValue = z
  .strictObject({
    request: requestValue.describe("The request that lists the charges that the application booked."),
    list: jsonPathValue.describe("A JSONPath to the entries in the answer: $.charges[*]."),
    request_id: jsonPathValue.describe("A JSONPath to the request_id in an entry."),
    amount: jsonPathValue.describe("A JSONPath to the amount in an entry."),
    next: jsonPathValue
      .describe(
        "A JSONPath to the URL of the next page in the answer, at whose end there is null or nothing: $.next. With it, the list is read to its end.",
      )
      .exactOptional(),
  })
  .describe("How to read the booked charges.");

const shareValue = textMatching((text) => /^\d{1,4}(\.\d{1,2})?%$/.test(text), {
  what: "an amount that is delivered",
  repair: 'write "{amount}", a percentage like "110%", or pairs like [[50, 55], [100, 115]]',
});

export const deliversValue = z
  .strictObject({
    amount: z
      .union([z.literal("{amount}"), shareValue, z.array(z.tuple([z.int().min(1), z.number().positive()])).min(1)])
      .describe(
        'The airtime that arrives: "{amount}", a percentage of it like "110%", or pairs of what is ordered and what arrives: [[50, 55], [100, 115]]. Default "{amount}".',
      )
      .prefault("{amount}"),
    message: z
      .enum(["exact", "contains", "parts"])
      .describe(
        "Whether an SMS arrives exactly as ordered; with more around it, such as a signature (contains); or, if it is long, as several that together contain it, with or without numbers like (1/3) (parts). Default exact.",
      )
      .prefault("exact"),
  })
  .describe("What an order delivers. Without it, a plain order must deliver what was ordered, or there is no verdict.");
