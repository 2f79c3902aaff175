import { expect, test } from "vitest";
import { waitsForever } from "../../../src/verdict/checks/waits-forever.ts";
import { accepted, after, appliedRules, clientLeft, observationsOf, request } from "../../support/finding-events.ts";

const hanging = accepted("a", 0, { rules: appliedRules({ breakage: "hang" }) });

test("sees a client that still waits when any other would have given up", () => {
  const seen = observationsOf(waitsForever, [
    hanging,
    { kind: "client-waits", at: after(32), requestId: "a", waited: 32_000 },
  ]);

  expect(seen).toEqual([
    {
      subject: "",
      seen: "32.0 s after its request, the client is still waiting for an answer that never comes.",
      exchanges: [request("a")],
    },
  ]);
});

test("says nothing about a client that leaves before that", () => {
  const seen = observationsOf(waitsForever, [hanging, clientLeft("a", 30, 30_000)]);

  expect(seen).toEqual([]);
});
