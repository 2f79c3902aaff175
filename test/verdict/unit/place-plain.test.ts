import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { placePlain } from "../../../src/verdict/rehearsal/compare-with-plain.ts";
import { trialEnvironment } from "../../support/order-evidence.ts";
import { applicationOf, FULL_MAP, runnerOf } from "../../support/experiments.ts";
import { accepted, clientLeft } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import type { AppMap } from "../../../src/verdict/application/app-map.ts";
import { jsonPathValue } from "../../../src/verdict/application/json-path.ts";

const BALANCE = { request: { url: "{app}/balance" }, json_path: jsonPathValue.parse("$"), price: { fixed: cents(0) } };

test.each<[string, Partial<AppMap>, boolean, boolean[]]>([
  ["held once, where its client waits", { balance: BALANCE }, false, [true]],
  ["placed again without being held, where its client does not wait", { balance: BALANCE }, true, [true, false]],
  ["not held, where no balance shows what it takes", {}, false, [false]],
])("a plain order beside a rehearsal is %s", async (_what, map, isLeft, held) => {
  const { trialRunner, trials } = runnerOf(([order]) => ({
    events: [
      accepted("one", 0, { order: airtime(order?.amount ?? 0, order?.phoneNumber) }),
      ...(isLeft ? [clientLeft("one", 1)] : []),
    ],
  }));
  const application = applicationOf({ ...FULL_MAP, ...map });

  await placePlain("airtime", trialRunner, { application, environment: trialEnvironment(), runId: "run" });

  expect(trials.map(({ steps }) => steps.some((step) => "held" in step))).toEqual(held);
});
