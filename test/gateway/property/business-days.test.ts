import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addBusinessDays } from "../../../src/gateway/domain/local-time.ts";

const instant = fc.integer({ min: Date.parse("1960-01-01"), max: Date.parse("2100-01-01") });
const days = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.double({ min: 0, max: 400, noNaN: true }));
/** The weekday by the runtime's own time zone rules, which the code under test does not use. */
const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "Africa/Nairobi" });

test("a result is never on a weekend", () => {
  fc.assert(
    fc.property(instant, days, (from, count) => {
      const result = addBusinessDays(from, count);

      expect(["Mon", "Tue", "Wed", "Thu", "Fri"]).toContain(weekday.format(result));
    }),
  );
});
