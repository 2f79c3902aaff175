import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { ScriptedCallback } from "../../../src/gateway/scenario/effects/callback-flags.ts";
import type { RefusalCode } from "../../../src/gateway/domain/refusal.ts";
import { TRAFFIC_CHECKS } from "../../../src/verdict/checks/all-checks.ts";
import { findInJournal } from "../../../src/verdict/checks/findings.ts";
import type { Finding } from "../../../src/verdict/checks/finding.ts";
import * as event from "../../support/finding-events.ts";
import { answerFickly, anyStep, retrying, type Step, take } from "../../support/gateway/steps.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { airtime, sms } from "../../support/gateway/world.ts";
import { type WatchedWorld, watchedWorld, type WatchedWorldOptions } from "../../support/watched-world.ts";
import { failOn } from "../../support/finding-events.ts";

const BURST = { requests: 3, per: 60_000 };
const steps = fc.array(anyStep, { maxLength: 40, size: "max" });

test("findings folded live are those folded from the export, also as JSON", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const world = await lived({}, taken);

      const { first, events } = world.account.journal.read();

      const exported = { first, events: JSON.parse(JSON.stringify(events)) };
      expect(fold(exported)).toEqual(world.findings.of(world.account).list());
      expect(world.faults).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("they are the same however the events are appended together", async () => {
  await fc.assert(
    fc.asyncProperty(stories(), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (story, sizes) => {
      const { account, findings } = watchedWorld({ watching: { settings: { burst: BURST } } });

      for (const portion of portions(story, sizes)) account.journal.append(() => portion);

      expect(findings.of(account).list()).toEqual(fold({ first: 1, events: [event.opened(), ...story] }));
    }),
    { numRuns: 200 },
  );
});

test("evicting what they were found in changes none of them", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const [evicting, keeping] = [await lived({ bounds: { max_bytes: 0 } }, taken), await lived({}, taken)];

      expect(noticed(evicting)).toEqual(noticed(keeping));
    }),
    { numRuns: 40 },
  );
});

test("a reset leaves what a fresh account has", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const reset = await lived({}, before);
      reset.account.reset();

      expect(noticed(reset)).toEqual([]);
      for (const step of after) await take(reset.account, step);
      await allReady();
      expect(noticed(reset)).toEqual(await foldOf(reset));
    }),
    { numRuns: 40 },
  );
});

test("no journal makes a detector throw, be it as strange as it may, and each finding proves itself", () => {
  fc.assert(
    fc.property(stories(), (story) => {
      const findings = fold({ first: 1, events: [event.opened(), ...story] });

      const ids = new Set(story.flatMap((one) => ("requestId" in one ? [one.requestId] : [])));
      expect(findings.flatMap(({ exchanges }) => exchanges).filter(({ requestId }) => !ids.has(requestId))).toEqual([]);
      expect(
        findings.filter(({ seen, count, exchanges }) => seen === "" || count < 1 || exchanges.length > 20),
      ).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("such journals make most checks see something", () => {
  const seen = new Set<string>();

  fc.assert(
    fc.property(stories(), (story) => {
      for (const { id } of fold({ first: 1, events: [event.opened(), ...story] })) seen.add(id);
    }),
    { numRuns: 1_000, seed: 1 },
  );

  expect(seen.size).toBeGreaterThan(TRAFFIC_CHECKS.length / 2);
});

/** An account that lived through the steps, before a receiver that fails a third of the callbacks. */
async function lived(options: WatchedWorldOptions, taken: readonly Step[]): Promise<WatchedWorld> {
  const watching = { settings: { burst: BURST } };
  const world = watchedWorld({ answer: answerFickly, account: { callbacks: retrying(3) }, watching, ...options });
  for (const step of taken) await take(world.account, step);
  await allReady();
  return world;
}

function noticed({ account, findings }: WatchedWorld): Finding[] {
  return findings.of(account).list();
}

async function foldOf({ account }: WatchedWorld): Promise<Finding[]> {
  return fold(account.journal.read());
}

/** A detector that throws fails the test. */
function fold(kept: { readonly first: number; readonly events: readonly AccountEvent[] }): Finding[] {
  return findInJournal(kept, { settings: { burst: BURST }, report: failOn });
}

function portions<Item>(items: readonly Item[], [size = 1, ...sizes]: readonly number[]): Item[][] {
  return items.length === 0 ? [] : [items.slice(0, size), ...portions(items.slice(size), [...sizes, size])];
}

const BEGUN = ["a", "b", "c", "d"].flatMap((id, index) => [
  event.accepted(id, 0, { order: airtime(10 + index) }),
  event.settled(id, 0),
]);

/** Events in any order, many of them about the same few requests, of which some never were; time goes on by anything. */
function stories(): fc.Arbitrary<AccountEvent[]> {
  return fc
    .array(fc.tuple(fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.nat({ max: 100_000_000 })), anyEvent()), {
      maxLength: 60,
      size: "max",
    })
    .map((waits) => [
      ...BEGUN,
      ...waits.map(([, make], index) => make(waits.slice(0, index + 1).reduce((sum, [wait]) => sum + wait, 0) / 1_000)),
    ]);
}

type Make = (seconds: number) => AccountEvent;

const ids = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const orders = fc.constantFrom(airtime(50), airtime(50, "254733000001"), sms("Habari"), sms(`It’s ${"x".repeat(150)}`));
const codes = fc.constantFrom<RefusalCode[]>(400, 401, 402, 403, 404, 422, 429, 500);
const traits = fc.option(
  fc.constantFrom(
    { isFirstOnConnection: true } as const,
    { exposed: ["token"] },
    { lenient: ["amount", "phone_number"] },
    { wallAt: 0 },
  ),
  { nil: undefined },
);
const outcomes = fc.constantFrom(
  ...[200, 201, 404, 419, 500].map((status) => event.answered(status)),
  ...([{ kind: "timed_out" }, { kind: "refused" }, { kind: "reset" }, { kind: "abandoned" }] as const),
  { kind: "redirect", status: 301, location: "/login", body: "" } as const,
);
const forms = fc.option(
  fc.constantFrom<ScriptedCallback[]>({}, { malformed: true }, { unknown_id: true }, { contradict: true }),
  {
    nil: undefined,
  },
);

function anyEvent(): fc.Arbitrary<Make> {
  return fc.oneof(
    fc.tuple(ids, orders, traits).map(
      ([id, order, traits]): Make =>
        (at) =>
          event.accepted(id, at, { order, ...(traits && { traits }) }),
    ),
    fc.tuple(ids, orders, codes, traits).map(
      ([id, order, code, traits]): Make =>
        (at) =>
          event.refused(id, at, { code, order, ...(traits && { traits }) }),
    ),
    fc.tuple(ids, codes).map(
      ([id, code]): Make =>
        (at) =>
          event.unread(id, at, { code, body: '{"amount":50,"phone_number":"0712345678"' }),
    ),
    fc.tuple(ids, traits).map(
      ([id, traits]): Make =>
        (at) =>
          event.queried(id, at, { ...(traits && { traits }) }),
    ),
    fc.tuple(ids, orders).map(
      ([id, order]): Make =>
        (at) =>
          event.cut(id, at, { order }),
    ),
    fc.tuple(ids, fc.nat({ max: 60_000 })).map(
      ([id, waited]): Make =>
        (at) =>
          event.clientLeft(id, at, waited),
    ),
    fc.tuple(ids, fc.constantFrom("succeeded" as const, "failed" as const)).map(
      ([id, outcome]): Make =>
        (at) =>
          event.settled(id, at, { outcome }),
    ),
    fc.tuple(ids, outcomes, forms, fc.integer({ min: 1, max: 3 }), fc.nat({ max: 4_000 })).map(
      ([id, outcome, scripted, number, millis]): Make =>
        (at) =>
          event.attempted(id, at, {
            outcome,
            millis,
            delivery: number,
            attempt: number,
            ...(scripted && { scripted }),
          }),
    ),
    fc.constant<Make>((at) => event.toppedUp(at, 10)),
    fc.constant<Make>((at) => ({ ...event.opened(), at: event.after(at) })),
  );
}
