import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import { Application } from "../../../src/verdict/application/application.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { ShownWords } from "../../../src/verdict/orders/shown-words.ts";
import { noteUntold } from "../../../src/verdict/trial/note-untold.ts";
import { Placing } from "../../../src/verdict/trial/placing.ts";
import { openShell } from "../../backends/http-shell.ts";
import { accepted, attempted, settled } from "../../support/finding-events.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { airtime, WALL_START } from "../../support/gateway/world.ts";
import { evidenceOf, IDLE_ACCOUNT, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

const ACKNOWLEDGED = [accepted("one", 0, { order: airtime(ORDER.amount, ORDER.phoneNumber) })];
const TOLD = [...ACKNOWLEDGED, settled("one", 1), attempted("one", 1)];

/**
 * Returns whether a word proves anything after a plain order of which the journal has these events, and those once it was asked about. It is
 * shown so many milliseconds after the order was placed.
 */
async function provesAfter(events: readonly AccountEvent[], onceAsked = events, after = 0): Promise<boolean> {
  const clock = manualWallClock(WALL_START);
  let journal = events;
  await using shell = await openShell(
    0,
    {
      "POST /orders": () => ({ status: 201 }),
      "GET /order": () => {
        journal = onceAsked;
        return { status: 200, json: { status: clock.now() < WALL_START + after ? "held" : "sent" } };
      },
    },
    () => {},
  );
  const environment = trialEnvironment({
    clock,
    // The longer ones are limits, which nothing here needs.
    pause: async (wait) => clock.advance(wait < SECOND ? wait : 0),
    account: { ...IDLE_ACCOUNT, journal: async () => ({ first: 1, events: journal }) },
  });
  const parsed = parseAppMap(
    `version: 1
application: ${shell.url}
order: { airtime: { request: { url: "{app}/orders" } } }
status: { request: { url: "{app}/order" }, json_path: $.status, paid: paid, failed: failed, open: [sent, held] }
`,
    "kredo.app.yaml",
  );
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const application = new Application(parsed.map, environment);
  const [words, placed] = [new ShownWords(), new Placing(application, environment.clock)];
  const placedAt = environment.clock.now();
  await placed.place(ORDER);

  await noteUntold(ORDER, { application, environment, placed, words, placedAt, calm: 250 });

  return words.proveTold(evidenceOf(ORDER, TOLD, { claimed: { claim: "open", said: "sent" } }));
}

test("what a plain order shows before its callback proves nothing of another", async () => {
  expect(await provesAfter(ACKNOWLEDGED)).toBe(false);
});

test("what it shows only a moment after the acknowledgment is noted, too", async () => {
  expect(await provesAfter(ACKNOWLEDGED, ACKNOWLEDGED, 200)).toBe(false);
});

test("what it shows is not noted if nothing was sent, or if its callback came while it was asked about", async () => {
  expect(await provesAfter([])).toBe(true);
  expect(await provesAfter(ACKNOWLEDGED, TOLD)).toBe(true);
});
