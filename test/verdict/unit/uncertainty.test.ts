import { expect, test } from "vitest";
import { BREAKAGES, type ScriptedAck } from "../../../src/gateway/scenario/applied-rules.ts";
import { uncertaintyOf, wasAnsweredAsRefused } from "../../../src/verdict/checks/uncertainty.ts";
import { accepted, after, appliedRules, cut } from "../../support/finding-events.ts";

/** An accepted order whose acknowledgment a scenario changed. */
function acknowledged(ack: Partial<ScriptedAck>) {
  return accepted("one", 0, { rules: appliedRules({ ack: { delay: 0, ...ack } }) });
}

test("an order that no scenario touched was acknowledged at once", () => {
  expect(uncertaintyOf(accepted("one", 0))).toBeUndefined();
  expect(uncertaintyOf(accepted("one", 0, { rules: appliedRules() }))).toBeUndefined();
});

test.each([
  [0, undefined],
  [999, undefined],
  [1_000, { from: after(1), until: after(1) }],
  [10_000, { from: after(1), until: after(10) }],
])("an acknowledgment after %i ms leaves a client uncertain from a second on until it comes", (delay, uncertainty) => {
  const found = uncertaintyOf(acknowledged({ delay }));

  expect(found && { from: found.from, until: found.until }).toEqual(uncertainty);
});

test.each(BREAKAGES)("after %s, a client is uncertain for ever, from when it notices", (breakage) => {
  const notices = breakage === "hang" || breakage === "drip" ? 3 : 2;
  const order = accepted("one", 0, { rules: appliedRules({ breakage, ack: { delay: 2_000 } }) });

  expect(uncertaintyOf(order)).toMatchObject({ from: after(notices), until: Infinity });
});

test("a connection that broke before acceptance leaves a client uncertain at once", () => {
  expect(uncertaintyOf(cut("one", 7))).toMatchObject({ from: after(7), until: Infinity });
});

test("an answer that says nothing leaves a client uncertain once it is there", () => {
  expect(uncertaintyOf(acknowledged({ delay: 5_000, status: 502 }))).toMatchObject({ from: after(5), until: Infinity });
});

test.each<[Partial<ScriptedAck>, "an acknowledgment" | "a refusal" | "neither"]>([
  [{ status: 200 }, "an acknowledgment"],
  [{ status: 299 }, "an acknowledgment"],
  [{ status: 300 }, "neither"],
  [{ status: 399 }, "neither"],
  [{ status: 400 }, "a refusal"],
  [{ status: 499 }, "a refusal"],
  [{ status: 500 }, "neither"],
  [{ status: 422, body: '{"status_code":200}' }, "a refusal"],
  [{ status: 300, body: '{"status_code":200}' }, "neither"],
  [{ body: '{"status_code":200}' }, "an acknowledgment"],
  [{ body: '{"status_code":"422"}' }, "a refusal"],
  [{ body: '{"status_code":503}' }, "neither"],
  [{ body: "{}" }, "neither"],
  [{ body: "null" }, "neither"],
  [{ body: '"status_code"' }, "neither"],
  [{ body: "<html>" }, "neither"],
])("a client reads the answer %j as %s", (ack, read) => {
  const order = acknowledged(ack);

  const isUncertain = uncertaintyOf(order) !== undefined;
  expect({ isUncertain, isRefused: wasAnsweredAsRefused(order) }).toEqual({
    isUncertain: read === "neither",
    isRefused: read === "a refusal",
  });
});

test.each([
  [300, "answered with HTTP 300"],
  [200, "answered with a body that is no acknowledgment"],
])("says what came instead of an acknowledgment with status %i", (status, because) => {
  const found = uncertaintyOf(acknowledged({ status, body: "<html>" }));

  expect(found?.because).toBe(`the first was accepted and ${because}`);
});

test("an order without an acknowledgment of a scenario was not answered as refused", () => {
  const broken = appliedRules({ breakage: "reset", ack: { delay: 0, status: 422 } });

  expect(wasAnsweredAsRefused(accepted("one", 0))).toBe(false);
  expect(wasAnsweredAsRefused(accepted("one", 0, { rules: broken }))).toBe(false);
});
