import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Accepted } from "../../../src/gateway/account/events.ts";
import { Aftermaths } from "../../../src/gateway/account/readings/aftermaths.ts";
import { readMilestones } from "../../../src/gateway/account/readings/milestones.ts";
import { drawLife } from "../../../src/verdict/report/draw-life.ts";
import { Lives } from "../../../src/verdict/report/lives.ts";
import { renderTerminal } from "../../../src/verdict/report/terminal.ts";
import {
  accepted,
  acceptedAfterCallback,
  answered,
  appliedRules,
  attempted,
  clientLeft,
  cut,
  opened,
  refused,
  reversed,
  settled,
} from "../../support/finding-events.ts";
import { sampleReport, sampleTrial, SOLD_TWICE } from "../../support/sample-report.ts";
import { sms } from "../../support/gateway/world.ts";

const LOST = { rules: appliedRules({ breakage: "reset" }) };
const SLOW = { rules: appliedRules({ ack: { delay: 20 } }) };

test.each<[string, string[], ...AccountEvent[]]>([
  [
    "sold twice after a lost answer",
    [
      "asked  no answer  asked again  answered  delivered  delivered again  told ×2",
      "●──────×──500ms───●────────────●──600ms──●──500ms───●──────20ms──────●",
    ],
    accepted("one", 0, LOST),
    accepted("two", 0.5),
    settled("one", 1.1),
    settled("two", 1.6),
    attempted("one", 1.62),
    attempted("two", 1.62),
  ],
  [
    "told at once, and once more an hour later",
    ["asked   answered  delivered  told  told again", "●─20ms──●──980ms──●──────────●─1h──●"],
    accepted("one", 0, SLOW),
    settled("one", 1),
    attempted("one", 1),
    attempted("one", 3_601, { attempt: 2 }),
  ],
  [
    "of which nobody listens for the result, 12 times",
    [
      "asked  answered  delivered  not told: refused ×12  never told",
      "●──────●──1.0s───●───1.0s───×──────────────────────×",
    ],
    accepted("one", 0),
    settled("one", 1),
    ...Array.from({ length: 12 }, (_, index) =>
      attempted("one", 2 + index, { attempt: index + 1, outcome: { kind: "refused" } }),
    ),
  ],
  ["without an answer", ["asked   no answer", "●─2.0s──×"], cut("one", 0, {}), clientLeft("one", 2)],
  ["refused", ["asked  refused 402", "●──────●"], refused("one", 0, { code: 402 })],
  [
    "answered by a proxy, without a result yet",
    ["asked  answered 502  not settled yet", "●──────×─────────────●"],
    accepted("one", 0, { rules: appliedRules({ ack: { delay: 0, status: 502 } }) }),
  ],
  [
    "that never settles",
    ["asked  answered  never settles", "●──────●─────────×"],
    accepted("one", 0, { plan: { ...accepted("one", 0).plan, settleAfter: "never" } }),
  ],
  [
    "without a callback",
    ["asked  answered  failed 500  never told", "●──────●──1.0s───●───────────×"],
    accepted("one", 0),
    settled("one", 1, { outcome: "failed", callback: { none: "no callback URL" } }),
  ],
  [
    "whose callback is still due",
    ["asked  answered  delivered  not told yet", "●──────●──1.0s───●──────────●"],
    accepted("one", 0),
    settled("one", 1),
  ],
  [
    "answered after its callback",
    ["asked  delivered  told  answered", "●──────●──────────●─────●"],
    acceptedAfterCallback("one", 0),
    settled("one", 0),
    attempted("one", 0),
  ],
  [
    "taken back",
    ["asked  answered  delivered  told: 500  reversed", "●──────●──1.0s───●──────────×───2.0s───×"],
    accepted("one", 0),
    settled("one", 1),
    attempted("one", 1, { outcome: answered(500) }),
    reversed("one", 3),
  ],
  [
    "told something else than its result, and late",
    ["asked  answered  delivered  told: failed", "●──────●──1.0s───●───2.1d───●"],
    accepted("one", 0),
    settled("one", 1),
    attempted("one", 180_001, { scripted: { contradict: true } }),
  ],
  [
    "of which a receiver rightly refuses a false result",
    ["asked  answered  delivered  told: 400", "●──────●──1.0s───●───1.0s───●"],
    accepted("one", 0),
    settled("one", 1),
    attempted("one", 2, { scripted: { contradict: true }, outcome: answered(400) }),
  ],
])("draws an order %s", (_what, drawing, ...events) => {
  expect(draw(events)).toEqual(drawing.map((line) => `   ${line}`));
});

test("leaves out answers as usual before anything else, and then what tells least", () => {
  const lost = [accepted("a", 0, LOST), settled("a", 0.5), attempted("a", 0.5)];
  const again = [accepted("b", 1), settled("b", 2), attempted("b", 2)];

  expect(draw([...lost, ...again])).toEqual([
    "   asked  no answer  delivered  told     asked again  delivered again  told",
    "   ●──────×──500ms───●──────────●─500ms──●────1.0s────●────────────────●",
  ]);
  expect(draw([...lost, ...again, attempted("b", 62, { attempt: 2, outcome: answered(500) })])).toEqual([
    "   asked  2 more  told     asked again  delivered again  told   told again: 500",
    "   ●──────…───────●─500ms──●────1.0s────●────────────────●─60s──×",
  ]);
});

test("a line too short for a double sale that nobody was told of keeps what was asked and delivered again", () => {
  const events = [
    accepted("a", 0, LOST),
    settled("a", 0.4),
    accepted("b", 0.5),
    settled("b", 1),
    attempted("a", 2, { outcome: { kind: "refused" } }),
    attempted("b", 2.1, { outcome: { kind: "refused" } }),
  ];

  expect(draw(events)).toEqual([
    "   asked  no answer  delivered  asked again  delivered again  2 more",
    "   ●──────×──400ms───●──100ms───●───500ms────●──────1.0s──────…",
  ]);
});

test("a result is told well only to a client that got the order's id", () => {
  expect({
    answered: tonesAfter(accepted("one", 0)),
    lost: tonesAfter(accepted("one", 0, LOST)),
    left: tonesAfter(accepted("one", 0, { rules: appliedRules({ ack: { delay: 20_000 } }) }), clientLeft("one", 2)),
  }).toEqual({ answered: ["good"], lost: ["warm"], left: ["warm"] });
});

test("the parts of one order are none of them asked again", () => {
  const requests = [accepted("one", 0, { order: sms("1 of 2") }), accepted("two", 0, { order: sms("2 of 2") })];

  const told = readMilestones(requests, () => ({}));

  expect(told.map(({ what }) => what)).toEqual(["asked", "answered", "asked", "answered"]);
});

test("tells the life of the first of several orders, and how many more there are", () => {
  const events = [
    opened(),
    accepted("one", 0, LOST),
    accepted("two", 5),
    accepted("three", 700),
    accepted("four", 1_400),
  ];
  const lives = new Lives({ first: 1, events });
  const exchanges = ["one", "two", "three", "four", "evicted"].map(
    (request_id) => ({ kind: "request", request_id }) as const,
  );

  const life = lives.of(exchanges);

  expect(life?.more).toBe(2);
  expect(life?.milestones.filter(({ what }) => what.startsWith("asked"))).toHaveLength(2);
  expect(lives.of([{ kind: "request", request_id: "evicted" }])).toBeUndefined();
});

test("a terminal shows the life below a defect's headline, and of several in one trial the first", () => {
  const life = {
    milestones: [{ at: "2025-01-06T06:00:00.000Z", what: "asked\u001b[2J", tone: "plain" }] as const,
    more: 1,
  };
  const both = { ...SOLD_TWICE, life: { ...life, milestones: [...life.milestones] } };
  const report = sampleReport({
    trials: [sampleTrial({ verdicts: [both, both] }), sampleTrial({ id: "b", verdicts: [both] })],
  });

  const lines = renderTerminal(report, { color: false });

  const headline = lines.findIndex((line) => line.startsWith("1. SOLD TWICE"));
  expect(lines.slice(headline + 1, headline + 4)).toEqual(["   asked [2J", "   ●", "   and 3 more"]);
});

function draw(events: readonly AccountEvent[]): string[] {
  const lives = new Lives({ first: 1, events: [opened(), ...events] });
  const [first] = events.flatMap((event) => ("requestId" in event ? [event.requestId] : []));
  const life = lives.of([{ kind: "request", request_id: first ?? "" }]);
  return drawLife(life?.milestones ?? [], (_color, text) => text);
}

/** The tones of the results that a receiver was told of an order. */
function tonesAfter(order: Accepted, ...later: AccountEvent[]): string[] {
  const aftermaths = new Aftermaths();
  for (const event of [order, settled("one", 1), attempted("one", 3), ...later]) aftermaths.take(event);
  const told = readMilestones([order], (id) => aftermaths.of(id)).filter(({ what }) => what === "told");
  return told.map(({ tone }) => tone);
}
