import { expect, test } from "vitest";
import { endpoint } from "../../src/http/control/endpoint.ts";
import { apiText } from "../../src/http/control/openapi.ts";

test("reads the endpoints at the first call, and never again", () => {
  const described = endpoint({ method: "get", path: "/moon", summary: "Read the moon", answers: {} }, () =>
    Response.json({}),
  );
  let reads = 0;
  const counted = new Proxy(described, { get: (target, key) => (reads++, Reflect.get(target, key)) });
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
