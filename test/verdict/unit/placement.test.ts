import { expect, test } from "vitest";
import { type PlacedOrder, type Placement, placementOf } from "../../../src/verdict/application/placed-order.ts";
import { Placing } from "../../../src/verdict/trial/placing.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { WALL_START } from "../../support/gateway/world.ts";
import { ORDER } from "../../support/order-evidence.ts";

const STATUSES: Readonly<Record<Placement, readonly number[]>> = {
  taken: [200, 201, 202, 204, 302, 303],
  refused: [400, 401, 402, 403, 404, 406, 410, 415, 422, 428],
  unknown: [408, 409, 425, 429, 500, 502, 503, 504, 599],
};
const ROWS = Object.entries(STATUSES).flatMap(([placement, statuses]) =>
  statuses.map((status) => [status, placement] as const),
);

const answered = (status: number): PlacedOrder["reply"] => ({ kind: "answered", status, text: "{}" });
const SILENT = { kind: "silent", reason: "connection reset", wasReached: true } as const;

test.each(ROWS)(
  "an order that is answered %i is %s, and refused if its answer has what a refusal has",
  (status, is) => {
    const reply = answered(status);

    expect([placementOf({ reply }), placementOf({ reply, isRefused: false })]).toEqual([is, is]);
    expect(placementOf({ reply, isRefused: true })).toBe("refused");
  },
);

test("an order without an answer is neither taken nor refused", () => {
  expect(placementOf({ reply: SILENT })).toBe("unknown");
});

const TAKEN = answered(201);
const UNKNOWN = answered(409);
const REFUSED = answered(422);

test.each([
  [[TAKEN, REFUSED], TAKEN],
  [[REFUSED, TAKEN], TAKEN],
  [[UNKNOWN, TAKEN], TAKEN],
  [[TAKEN, UNKNOWN], TAKEN],
  [[REFUSED, UNKNOWN], UNKNOWN],
  [[UNKNOWN, REFUSED], UNKNOWN],
  [[SILENT, TAKEN], TAKEN],
  [[UNKNOWN, SILENT], UNKNOWN],
])("of the answers to one order, the one that says most of it counts: %j", async (replies, counts) => {
  const left = [...replies];
  const place = async (): Promise<PlacedOrder> => ({ ...ORDER, reply: left.shift() ?? SILENT });
  const placing = placingWith(place);

  for (const _ of replies) await placing.place(ORDER);

  expect(placing.find(ORDER)?.reply).toEqual(counts);
  expect(placing.hasTaken(ORDER)).toBe(counts === TAKEN);
});

test.each([
  [TAKEN, "waits"],
  [UNKNOWN, "waits"],
  [SILENT, "waits"],
  [REFUSED, "refused"],
])("a request is not waited for after %j alone: %s", async (reply, what) => {
  const placing = placingWith(async () => ({ ...ORDER, reply }));
  await placing.place(ORDER);

  const first = await Promise.race([placing.whenRefused(ORDER).then(() => "refused"), turn().then(() => "waits")]);

  expect(first).toBe(what);
});

function placingWith(place: () => Promise<PlacedOrder>): Placing {
  const map = { version: 1, application: "http://127.0.0.1:1", order: {}, callbacks: {} } as const;
  const application = { map, place, status: async () => ({ claim: "open", said: "open" }) as const };
  return new Placing(application, manualWallClock(WALL_START));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
