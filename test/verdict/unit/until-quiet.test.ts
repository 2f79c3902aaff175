import { expect, test } from "vitest";
import { isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import { untilQuiet } from "../../../src/verdict/trial/until-quiet.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { refuseRequest, testWorld, WALL_START } from "../../support/gateway/world.ts";

test("an application that sends a refused order with every tick is left alone, and not driven on", async () => {
  const { account } = testWorld();
  const clock = manualWallClock(WALL_START);
  const tested = {
    journal: async () => account.read(),
    begin: async () => {},
    advance: async () => ({ pending: 0, isComplete: true, hasMoved: false }),
    drain: async () => true,
    topUp: async () => {},
    untilRequested: async () => {},
  };
  const pause = async (wait: number): Promise<void> => clock.advance(wait);
  refuseRequest(account, 402);

  const kept = await untilQuiet({
    environment: { account: tested, clock, pause, interruption: new AbortController().signal },
    isManual: true,
    isPlacing: () => false,
    settle: () => 1_000,
    isOver: async () => false,
    tick: async () => refuseRequest(account, 402),
  });

  expect(kept.events.filter(isRequestEvent)).toHaveLength(4);
  expect(clock.now() - WALL_START).toBeLessThan(2_000);
});
