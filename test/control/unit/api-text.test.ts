import { expect, test } from "vitest";
import { route } from "../../../src/control/route.ts";
import { apiText } from "../../../src/control/openapi.ts";

test("reads the routes at the first call, and never again", () => {
  const described = route("GET", "/moon", { summary: "Read the moon", serve: () => {} });
  let reads = 0;
  const counted = new Proxy(described, {
    get: (target, key) => {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
  const text = apiText([counted], "1.2.3");
  const before = reads;

  const first = text();
  const readOnce = reads;
  const second = text();

  expect(before).toBe(0);
  expect(readOnce).toBeGreaterThan(0);
  expect(reads).toBe(readOnce);
  expect(second).toBe(first);
  expect(JSON.parse(first)).toMatchObject({ info: { version: "1.2.3" }, paths: { "/__admin/moon": { get: {} } } });
});
