import { expect, test } from "vitest";
import { readBytes } from "../../../src/control/read-control-body.ts";

test.each(["GET", "HEAD"])("nobody looks for a body in a %s", async (method) => {
  const request = new Request("http://127.0.0.1/__admin/accounts", { method });
  const looked: string[] = [];
  Object.defineProperty(request, "body", { get: () => void looked.push("body") });

  expect({ bytes: await readBytes(request), looked }).toEqual({ bytes: undefined, looked: [] });
});
