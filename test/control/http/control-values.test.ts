import { expect, test } from "vitest";
import { testControl } from "../../support/control.ts";

test.each([500, "500", "500.00"])("opens an account with the balance %j", async (balance) => {
  const { call } = testControl();

  const { status } = await call("POST", "/accounts", { consumer_key: "shop", balance });

  expect(status).toBe(201);
});

test("refuses a balance of half a cent, given as a number", async () => {
  const { call } = testControl();

  const { status, body } = await call("POST", "/accounts", { consumer_key: "shop", balance: 10.005 });

  expect({ status, problem: body.problem }).toEqual({
    status: 422,
    problem: expect.stringContaining("10.005 is not an amount"),
  });
});

test.each(['"x60"', { mode: "x60" }, { mode: "scaled", scale: 60 }])("sets the clock to %j", async (clock) => {
  const { call } = testControl();

  const { body } = await call("PUT", "/accounts/default/clock", clock);

  expect(body).toMatchObject({ mode: "scaled", scale: 60 });
});

test("refuses a speed beside a mode that gives one", async () => {
  const { call } = testControl();

  const { status, body } = await call("PUT", "/accounts/default/clock", { mode: "x60", scale: 2 });

  expect({ status, problem: body.problem }).toEqual({
    status: 422,
    problem: expect.stringContaining("scale has no effect because the mode already sets the speed"),
  });
});

test.each(["1m30s", "PT1M30S", "90s"])("advances a clock by %s", async (by) => {
  const { call } = testControl();
  await call("PUT", "/accounts/default/clock", { mode: "manual", now: "2025-01-06T09:00:00+03:00" });

  const { body } = await call("POST", "/accounts/default/clock/advance", { by });

  expect(body.now).toBe("2025-01-06T06:01:30.000Z");
});
