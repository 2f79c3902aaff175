import { expect, test } from "vitest";
import { fill, fillJson, placeholdersIn, textOf } from "../../../src/verdict/application/placeholders.ts";

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

test("keys are filled, too, and what is no text stays", () => {
  const filled = fillJson({ "{phone_number}": null, list: [1, "{colour}"], deep: { to: "{phone_number}" } }, VALUES);

  expect(filled).toEqual({ "254712345678": null, list: [1, "{colour}"], deep: { to: "254712345678" } });
});

test("finds the placeholders in keys, lists and texts", () => {
  const names = placeholdersIn({ "{app}/x": ["{id}", 1, null, { deep: "{amount} and {message}" }], plain: "${id}" });

  expect(names).toEqual(["app", "id", "amount", "message"]);
});

test.each([
  ["text", "text"],
  [7, "7"],
  [{ a: [1] }, '{"a":[1]}'],
  [undefined, ""],
])("writes %j into a sentence as %s", (value, text) => {
  expect(textOf(value)).toBe(text);
});
