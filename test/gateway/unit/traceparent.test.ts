import { expect, test } from "vitest";
import { readTraceparent, traceIds } from "../../../src/gateway/domain/traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test.each([
  [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  [`cc-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`cc-${TRACE}-${SPAN}-fe-what-will-be`, `00-${TRACE}-${SPAN}-00`],
])("takes %s as %s", (header, read) => {
  expect(readTraceparent(header)).toBe(read);
});

test.each([
  "",
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}-${SPAN}-0g`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01.what`,
])("ignores %s", (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test("names its ids", () => {
  expect(traceIds(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN });
});
