import { expect, test } from "vitest";
import { Calibrator } from "../../../src/calibration/calibration.ts";
import { Redactor } from "../../../src/calibration/redact.ts";
import { configSchema } from "../../../src/config.ts";

test.each([
  { status_code: [254, 712, 345, 678], description: "No." },
  { status_code: 429, description: "254 m 712 m 345 m 678 m" },
  { status_code: 429, description: "The same airtime was sent to this number less than 254m 712m 345m 678m ago." },
])("leaves no part of a number: %j", (body) => {
  expect(JSON.stringify(new Redactor().redact({ body }))).not.toMatch(/712|345|678/);
});

test("shows that a top-up code has another brand, without its name", () => {
  const details = { available_balance: 5.5, airtel_account_top_up_code: "B9E573" };
  const body = { status_code: 200, description: "Operation successful.", organization: { name: "Shop", details } };
  const settings = configSchema.parse({});
  const calibrator = new Calibrator(settings);

  const redacted = new Redactor().redact({ body });
  if (redacted !== undefined) calibrator.add(redacted);

  expect(JSON.stringify(redacted)).not.toMatch(/airtel|B9E573/);
  const { rows } = calibrator.compare(settings);
  expect(rows.find(({ id }) => id === "top-up-code")).toMatchObject({
    verdict: "differs",
    observed: [{ value: "another value", count: 1 }],
  });
});

test("redacts a text of ten million characters", () => {
  const body = `{"status_code":200,"data":"${"a".repeat(10_000_000)}"}`;

  expect(new Redactor().redact({ body })?.body).toHaveLength(body.length);
});
