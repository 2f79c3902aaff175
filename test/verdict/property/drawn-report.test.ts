import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import { Aftermaths } from "../../../src/gateway/account/readings/aftermaths.ts";
import type { JournalSlice } from "../../../src/gateway/account/readings/journal-slice.ts";
import { readMilestones } from "../../../src/gateway/account/readings/milestones.ts";
import { lifeOf } from "../../../src/verdict/verdict.ts";
import { balanceIn, drawBalance } from "../../../src/verdict/report/balance.ts";
import { drawLife } from "../../../src/verdict/report/draw-life.ts";
import { Lives } from "../../../src/verdict/report/lives.ts";
import { inColor, type Paint } from "../../../src/verdict/report/paint.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { answered } from "../../support/finding-events.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { anyStep, take } from "../../support/gateway/steps.ts";
import { callbacksTo, testWorld } from "../../support/gateway/world.ts";

const PLAIN: Paint = (_color, text) => text;

/** What a scenario does to each second request, and to its callbacks. */
const then = fc.constantFrom(
  "{ connection: reset_after_accept }",
  "{ connection: hang_after_accept }",
  "{ ack: { delay: 20ms } }",
  "{ ack: { status: 502 } }",
  "{ result: { stuck: true } }",
  "{ callback: { drop: true } }",
  "{ callback: { times: 12, gap: 7s, contradict: true } }",
  "{ callback: { times: 2, gap: 1h, reverse: true } }",
  "{ callback: { unknown_id: true } }",
);

const outcome: fc.Arbitrary<CallbackOutcome> = fc.constantFrom<CallbackOutcome>(
  answered(200),
  answered(500),
  { kind: "timed_out" },
  { kind: "refused" },
  { kind: "unresolved_name" },
);

test("no line of a drawing is longer than 80 columns, and its colors add nothing but emphasis, whatever happened", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 30 }),
      then,
      outcome,
      fc.constantFrom(2, 10_000),
      async (steps, effect, end, maxTransactions) => {
        const callbacks = callbacksTo("http://localhost:3000/hook");
        const { account } = testWorld({
          account: { callbacks },
          bounds: { max_transactions: maxTransactions },
          answer: () => end,
        });
        await script(account, rule(`when: { every: 2 }, then: ${effect}`));

        for (const step of steps) await take(account, step);

        const kept = account.journal.read();
        const plain = drawingsOf(kept, PLAIN);
        expect(plain.filter((line) => Array.from(line).length > 80)).toEqual([]);
        expect(drawingsOf(kept, inColor).map(stripVTControlCharacters)).toEqual(plain);
      },
    ),
    { numRuns: 60 },
  );
});

/** Draws the balance, each order of a journal, and all of its requests as if they were one order. */
function drawingsOf(kept: JournalSlice, paint: Paint): string[] {
  const lives = new Lives(kept);
  const requests = kept.events.filter(isRequestEvent);
  const aftermaths = new Aftermaths();
  for (const event of kept.events) aftermaths.take(event);
  const all = lifeOf(readMilestones(requests, (id) => aftermaths.of(id)));
  const each = requests.map(({ requestId }) => lives.of([{ kind: "request", request_id: requestId }]));
  const balance = balanceIn(kept);
  return [
    ...[...each, all].flatMap((life) => (life === undefined ? [] : drawLife(life.milestones, paint))),
    ...(balance === undefined ? [] : [drawBalance(balance, paint)]),
  ];
}
