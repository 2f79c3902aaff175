import { stringify } from "lossless-json";
import { expect, test } from "vitest";
import { fill, fillJson, fillUrl, placeholdersIn, textOf } from "../../../src/verdict/application/placeholders.ts";

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

test("a placeholder in JSON stays text, unless it is written as a number", () => {
  const json = { to: ["{phone_number}"], amount: "{amount}", shillings: { number: "{amount}" }, is_new: true };

  expect(fillJson(json, VALUES)).toEqual({ to: ["254712345678"], amount: "50", shillings: 50, is_new: true });
});

test.each([
  ["9007199254740993", '{"id":9007199254740993,"as":"9007199254740993"}'],
  [7, '{"id":7,"as":"7"}'],
  ["7", '{"id":7,"as":"7"}'],
  ["A-7", '{"id":"A-7","as":"A-7"}'],
  [undefined, '{"id":null,"as":"{id}"}'],
])("writes the id %j into JSON with all its digits", (id, json) => {
  const filled = fillJson({ id: { number: "{id}" }, as: "{id}" }, new Map([["id", id]]));

  expect(stringify(filled)).toBe(json);
});

test("the numbers of several recipients are a list where they stand alone, and joined by commas in a text", () => {
  const numbers = new Map([["phone_numbers", ["254712345678", "254712345679"]]]);

  expect(fillJson({ to: "{phone_numbers}", cc: ["to {phone_numbers}"] }, numbers)).toEqual({
    to: ["254712345678", "254712345679"],
    cc: ["to 254712345678,254712345679"],
  });
  expect(fillUrl("http://localhost/sms?to={phone_numbers}", numbers)).toBe(
    "http://localhost/sms?to=254712345678%2C254712345679",
  );
});

test("a mapping with a key of that name, or with a phone number in it, is not taken for a number", () => {
  const json = { number: "{phone_number}", order: { number: "{amount}", kind: "airtime" } };

  expect(fillJson(json, VALUES)).toEqual({ number: "254712345678", order: { number: "50", kind: "airtime" } });
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

test("a path keeps the signs that are its own, and a query encodes them", () => {
  const signs = new Map([["id", "a$b&c+d,e:f;g=h@i/j?k#l m%n"]]);

  expect(fillUrl("http://localhost/{id}?id={id}", signs)).toBe(
    "http://localhost/a$b&c+d,e:f;g=h@i%2Fj%3Fk%23l%20m%25n?id=a%24b%26c%2Bd%2Ce%3Af%3Bg%3Dh%40i%2Fj%3Fk%23l%20m%25n",
  );
});
