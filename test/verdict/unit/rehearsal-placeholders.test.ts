import { expect, test } from "vitest";
import { fill, fillJson, placeholdersIn } from "../../../src/verdict/application/placeholders.ts";

const values = new Map<string, unknown>([
  ["order", "A-7"],
  ["count", 3],
  ["items", ["x"]],
]);

test.each([
  ["{app}/orders/{order}?n={count}", "{app}/orders/A-7?n=3"],
  ["{{order}} is {order}", "{order} is A-7"],
  ["${order} {Order} { order } {}", "${order} {Order} { order } {}"],
  ['{"order":"{order}","items":{items}}', '{"order":"A-7","items":["x"]}'],
  ["no braces", "no braces"],
])("%j becomes %j", (text, filled) => {
  expect(fill(text, values)).toBe(filled);
});

test("a text that is one placeholder becomes the value itself, any other a text", () => {
  const filled = fillJson(
    { id: "{order}", "n-{order}": ["{count}", "{count} times", null, true], all: "{items}" },
    values,
  );

  expect(filled).toEqual({ id: "A-7", "n-A-7": [3, "3 times", null, true], all: ["x"] });
});

test("does not fill what a value brings along", () => {
  const filled = fill(
    "{first}",
    new Map([
      ["first", "{second}"],
      ["second", "no"],
    ]),
  );

  expect(filled).toBe("{second}");
});

test("finds the names in all texts of a value, keys included", () => {
  expect(placeholdersIn({ "{a}": ["{b} ${c} {{d}}", { e: "{f}" }], g: 1 })).toEqual(["a", "b", "f"]);
});
