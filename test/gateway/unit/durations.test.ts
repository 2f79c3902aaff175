import { expect, test } from "vitest";
import { HOUR, MINUTE, parseDuration, SECOND } from "../../../src/gateway/domain/time.ts";

test.each([
  ["400ms", 400],
  ["1.5m", 90 * SECOND],
  ["4m59s", 4 * MINUTE + 59 * SECOND],
  ["1h30m", 90 * MINUTE],
  ["1d2h3m4s5ms", 26 * HOUR + 3 * MINUTE + 4 * SECOND + 5],
  ["PT5M", 5 * MINUTE],
  ["PT1H30M", 90 * MINUTE],
  ["P1DT2H", 26 * HOUR],
  ["PT0.5S", 500],
  ["0", 0],
])("reads the duration %s", (text, millis) => {
  expect(parseDuration(text)).toBe(millis);
});

test.each(["", "5", "P", "PT", "30m1h", "1h 30m", "-5s", "5 s", "1y", "pt5m"])(
  "refuses %j, which is no duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
