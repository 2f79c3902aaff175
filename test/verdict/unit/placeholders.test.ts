import { expect, test } from "vitest";
import { fill, fillJson } from "../../../src/verdict/application/placeholders.ts";

const VALUES = new Map<string, unknown>([
  ["phone_number", "254712345678"],
  ["amount", 50],
]);

test.each([
  ["/orders?to={phone_number}&for={amount}", "/orders?to=254712345678&for=50"],
  ["${amount} belongs to a template", "${amount} belongs to a template"],
  ["{colour}", "{colour}"],
])("fills the text %s", (text, filled) => {
  expect(fill(text, VALUES)).toBe(filled);
});

test("a string in JSON that is only one placeholder becomes the value itself", () => {
  const filled = fillJson({ to: ["{phone_number}"], amount: "{amount}", note: "KES {amount}", is_new: true }, VALUES);

  expect(filled).toEqual({ to: ["254712345678"], amount: 50, note: "KES 50", is_new: true });
});
