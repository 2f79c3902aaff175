import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testControl } from "../../support/control.ts";

test("lists the shipped scenarios, each in one line", async () => {
  const { call } = testControl();

  const { status, body } = await call("GET", "/scenarios");

  expect(status).toBe(200);
  expect(body.total).toBe(body.items.length);
  expect(body.items).toContainEqual({
    name: "bad-afternoon",
    description: "Airtel goes down for half a minute; acknowledgments get slow; one is lost after the money moved.",
  });
});

test("gives a shipped scenario's file as it is", async () => {
  const { call } = testControl();

  const { body } = await call("GET", "/scenarios/magic-numbers");

  expect(body.name).toBe("magic-numbers");
  expect(body.text).toBe(readFileSync(new URL("../../../scenarios/magic-numbers.yaml", import.meta.url), "utf8"));
});

test.each([
  ["/scenarios/bad-afternon", 'did you mean "bad-afternoon"?'],
  ["/scenarios/..%2Fpackage", expect.stringMatching(/^the names are ack-lost-after-accept, /)],
])("knows no scenario at %s, and says which there are", async (path, repair) => {
  const { call } = testControl();

  const { status, body } = await call("GET", path);

  expect({ status, repair: body.repair }).toEqual({ status: 404, repair });
});
