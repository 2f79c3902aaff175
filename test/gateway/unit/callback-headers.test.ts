import { expect, test } from "vitest";
import { headersOf } from "../../../src/gateway/engine/post-callback.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const JSON_TYPE = { "content-type": "application/json" };

test.each([
  ["the body's type", {}, undefined, JSON_TYPE],
  ["a user agent", { user_agent: "Gateway/1" }, undefined, { ...JSON_TYPE, "user-agent": "Gateway/1" }],
  ["an accept", { accept: "*/*" }, undefined, { ...JSON_TYPE, accept: "*/*" }],
  ["others", { headers: { "x-key": "k" } }, undefined, { ...JSON_TYPE, "x-key": "k" }],
  ["another type", { headers: { "content-type": "text/json" } }, undefined, { "content-type": "text/json" }],
  ["the request's traceparent", { traceparent: true }, TRACE, { ...JSON_TYPE, traceparent: TRACE }],
  ["no traceparent unless the settings say so", { traceparent: false }, TRACE, JSON_TYPE],
  ["no traceparent unless the request had one", { traceparent: true }, undefined, JSON_TYPE],
])("a callback has %s as a header", (_what, changes, traceparent, headers) => {
  const callbacks = {
    ...callbacksTo("http://receiver.test/hook"),
    user_agent: undefined,
    accept: undefined,
    ...changes,
  };

  expect(headersOf({ callbacks, traceparent })).toEqual(headers);
});
