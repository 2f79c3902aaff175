import { expect, test } from "vitest";
import type { Opened, ToppedUp } from "../../../src/gateway/account/events.ts";
import { checkpointOf } from "../../../src/gateway/account/snapshot.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { Observation, Watcher } from "../../../src/verdict/checks/check.ts";
import type { ExchangeReference } from "../../../src/verdict/checks/finding.ts";
import { findOfOrder, Findings, MAX_SUBJECTS } from "../../../src/verdict/checks/findings.ts";
import { accountSettings, airtime } from "../../support/gateway/world.ts";
import { accepted, appliedRules, attempted, clientLeft, cut, failOn, queried } from "../../support/finding-events.ts";
import { watchedWorld } from "../../support/watched-world.ts";

/** Sees every top-up; its subject is what was topped up. */
const everyTopUp = watcher("every-top-up", () => (event) => {
  if (event.kind !== "topped-up") return [];
  return [
    {
      id: "every-top-up",
      subject: String(event.amount),
      seen: `${event.amount} at ${event.at}`,
      exchanges: [request(event.at)],
    },
  ];
});

test("observations of one subject are one finding, which counts them and quotes the latest", () => {
  const findings = watched(everyTopUp);

  const isNew = [topUp(1, 5), topUp(2, 7), topUp(3, 5)].map((event) => findings.take(event, event.at).length);

  expect(isNew).toEqual([1, 1, 0]);
  expect(findings.list()).toEqual([
    {
      id: "every-top-up",
      subject: "5",
      severity: "risk",
      title: "Title",
      seen: "5 at 3",
      why: "Why.",
      repair: "Repair.",
      assumes: "Nothing.",
      count: 2,
      firstAt: 1,
      lastAt: 3,
      exchanges: [request(1), request(3)],
    },
    expect.objectContaining({ subject: "7", count: 1, seen: "7 at 2" }),
  ]);
});

test("keeps how it began and how it goes on, each exchange once", () => {
  const findings = watched(
    watcher("all", () => (event) => [
      { id: "all", subject: "all", seen: "seen", exchanges: [request(0), request(event.at), callback(event.at)] },
    ]),
  );

  for (let at = 1; at <= 100; at += 1) findings.take(topUp(at, 5), at);

  const [finding] = findings.list();
  expect(finding?.count).toBe(100);
  expect(finding?.exchanges).toHaveLength(20);
  expect(finding?.exchanges.slice(0, 3)).toEqual([request(0), request(1), callback(1)]);
  expect(finding?.exchanges.slice(-2)).toEqual([request(100), callback(100)]);
});

test("keeps a limited number of subjects, and counts all others together", () => {
  const findings = watched(everyTopUp);

  for (let at = 1; at <= MAX_SUBJECTS + 30; at += 1) findings.take(topUp(at, at), at);

  const listed = findings.list();
  expect(listed).toHaveLength(MAX_SUBJECTS + 1);
  expect(listed.at(-1)).toMatchObject({ subject: "all others, past the first 100", count: 30, seen: "130 at 130" });
});

test("forgets all of it where the journal begins again, and the watchers begin anew", () => {
  const findings = watched(
    watcher("count", () => {
      let seen = 0;
      return () => [{ id: "count", subject: "events", seen: `${(seen += 1)} events`, exchanges: [] }];
    }),
  );
  findings.take(topUp(1, 5), 2);
  findings.take(topUp(2, 5), 3);

  findings.take(OPENED, 4);
  findings.take(topUp(1, 5), 5);

  expect(findings.list()).toMatchObject([{ count: 1, seen: "1 events" }]);
});

test("an observation that replaces another takes it back, and the finding goes with its last one", () => {
  const told: Observation[] = [];
  const moody = watcher("moody", () => (event) => {
    const exchanges = [request(event.at)];
    told.push({
      id: "moody",
      subject: event.at < 4 ? "one" : "two",
      seen: `at ${event.at}`,
      exchanges,
      replaces: told[event.at - 3],
    });
    return told.slice(-1);
  });
  const findings = watched(moody);

  const fresh = [1, 2, 3, 4].map((at) => findings.take(topUp(at, 5), at).map(({ subject }) => subject));
  const before = findings.list();
  const last = findings.take(topUp(5, 5), 5);

  expect(fresh).toEqual([["one"], [], [], ["two"]]);
  expect(before).toMatchObject([
    { subject: "one", count: 1, seen: "at 3", exchanges: [request(3)] },
    { subject: "two", count: 1 },
  ]);
  expect({ last, left: findings.list() }).toMatchObject({ last: [], left: [{ subject: "two", count: 2 }] });
  expect(findings.between(4, 5).map(({ finding }) => finding)).toMatchObject([{ subject: "one", count: 0 }]);
});

test("what came of Kredo's own orders before a snapshot leads to no finding, either", () => {
  const findings = watched({ ...everyRequest, kinds: ["attempted"] });
  const own = accepted("own", 0, { traits: { isOfKredo: true } });
  const transactions = [{ number: 1, accepted: own, progress: { state: "stuck" as const } }];
  const state = { ...checkpointOf(watchedWorld().account.state), transactions };

  findings.take({ kind: "snapshot", at: 1, state }, 2);
  findings.take(attempted("own", 2), 3);
  findings.take(attempted("other", 2), 4);

  expect(findings.list().map(({ subject }) => subject)).toEqual(["attempted other"]);
});

const BROKEN = watcher("broken", () => (event) => {
  if (event.at === 2) throw new Error("a bug");
  return [{ id: "broken", subject: "fine", seen: "fine", exchanges: [] }];
});
const UNBORN = watcher("unborn", () => {
  throw new Error("a bug");
});
const ODD = watcher("odd", () => () => [{ id: "other", subject: "", seen: "seen", exchanges: [] }]);

test.each([
  ["throws", BROKEN, "a bug"],
  ["cannot begin to watch", UNBORN, "a bug"],
  ["sees what nobody described", ODD, "nothing describes the check other"],
])("a watcher that %s is reported once and switched off, and the others go on", (_what, faulty, message) => {
  const faults: unknown[] = [];
  const findings = watched(faulty, everyTopUp, (fault) => faults.push(fault));

  for (const at of [1, 2, 3]) findings.take(topUp(at, 5), at);
  findings.take(OPENED, 4);
  findings.take(topUp(5, 5), 5);

  expect(faults).toMatchObject([
    { message: `the checks ${faulty.checks[0]?.id} failed and are switched off`, cause: new Error(message) },
  ]);
  expect(findings.watched).toEqual(["every-top-up"]);
  expect(findings.list()).toMatchObject([{ id: "every-top-up", count: 1 }]);
});

test("tells which findings were first seen behind one event and up to another", () => {
  const findings = watched(everyTopUp);
  for (const at of [2, 3, 4, 5]) findings.take(topUp(at, at), at);

  const between = findings.between(2, 4);

  expect(between.map(({ number, finding }) => [number, finding.subject])).toEqual([
    [3, "3"],
    [4, "4"],
  ]);
});

test("what Kredo's own commands sent accuses nobody, nor what came of it, and a watcher sees only what it asks for", () => {
  const findings = watched({ ...everyRequest, kinds: ["queried", "client-left"] });
  findings.take(accepted("unasked", 0), 1);

  findings.take(queried("own", 1, { traits: { isOfKredo: true } }), 2);
  findings.take(clientLeft("own", 2), 3);
  findings.take(queried("other", 3), 4);
  findings.take(clientLeft("other", 4), 5);

  expect(findings.list().map(({ subject }) => subject)).toEqual(["queried other", "client-left other"]);
});

test("the same exchange proves a finding once; another attempt or kind of it proves it, too", () => {
  const proofs: ExchangeReference[] = [request(1), callback(1), { ...callback(1), attempt: 2 }, request(2)];
  const findings = watched(
    watcher("all", () => (event) => [
      { id: "all", subject: "all", seen: "seen", exchanges: proofs.filter((_, index) => index < event.at) },
    ]),
  );

  for (const at of [1, 2, 3, 4, 4]) findings.take(topUp(at, 5), at);

  expect(findings.list()[0]?.exchanges).toEqual(proofs);
});

test("a check that is off is neither run for nor listed, beside another of its watcher", () => {
  const findings = new Findings({
    watchers: [everyTopUp, everyRequest],
    settings: {},
    off: ["every-top-up"],
    report: failOn,
  });

  findings.take(topUp(1, 5), 1);

  expect(findings.watched).toEqual(["every-request"]);
  expect(findings.list()).toEqual([]);
});

test("each check has so many subjects of its own", () => {
  const both = watcher("both", () => (event) => [
    { id: "both", subject: String(event.at), seen: "seen", exchanges: [] },
  ]);
  const findings = watched(everyTopUp, both);

  for (let at = 1; at <= MAX_SUBJECTS; at += 1) findings.take(topUp(at, at), at);

  expect(findings.list().filter(({ subject }) => subject.startsWith("all others"))).toEqual([]);
});

test("a trial, which decides itself how many orders come at once, has no settings for its watchers", () => {
  const bursts: unknown[] = [];
  const curious = watcher("curious", ({ burst }) => {
    bursts.push(burst?.requests);
    return () => [];
  });
  const settings = { burst: { requests: 3, per: 1_000 } };
  const findings = new Findings({ watchers: [curious], settings, report: failOn });

  findings.take(topUp(1, 5), 1);
  findings.take({ ...OPENED, rehearsal: "r" }, 2);
  findings.take(topUp(1, 5), 3);
  findings.take(OPENED, 4);
  findings.take(topUp(1, 5), 5);

  expect(bursts).toEqual([3, undefined, 3]);
});

test("the findings of one order are those without any other order", () => {
  const lost = appliedRules({ breakage: "reset" });
  const [one, two] = [accepted("one", 0, { rules: lost }), accepted("two", 5)];
  const alien = accepted("alien", 1, { order: airtime(70), traits: { exposed: ["secret"] } });
  const events = [one, alien, two];

  const own = findOfOrder({ first: 1, events }, [one, two], failOn);
  const half = findOfOrder({ first: 1, events }, [two], failOn);

  expect(own.map(({ id }) => id)).toEqual(["sold-twice"]);
  expect(half).toEqual([]);
});

test("a question for the balance counts for each order, and is nothing that an order did", () => {
  const [one, two] = [cut("one", 0), accepted("two", 10)];
  const asked = queried("asked", 5, { traits: { exposed: ["secret"] } });

  const findings = findOfOrder({ first: 1, events: [one, asked, two] }, [one, two], failOn);

  expect(findings).toEqual([]);
});

const everyRequest = watcher("every-request", () => (event) => {
  if (!("requestId" in event)) return [];
  return [{ id: "every-request", subject: `${event.kind} ${event.requestId}`, seen: "seen", exchanges: [] }];
});

const OPENED: Opened = { kind: "opened", at: 0, settings: accountSettings(), seed: 1, clock: { mode: "real" } };

/** Findings of some watchers, from an opening on; a function among them is told of faults. */
function watched(...parts: readonly (Watcher | ((fault: unknown) => unknown))[]): Findings {
  const report = parts.find((part) => typeof part === "function") ?? failOn;
  const findings = new Findings({
    watchers: parts.filter((part) => typeof part !== "function"),
    settings: {},
    report,
  });
  findings.take(OPENED, 1);
  return findings;
}

function watcher(id: string, watch: Watcher["watch"]): Watcher {
  const check = { id, severity: "risk", title: "Title", why: "Why.", repair: "Repair.", assumes: "Nothing." } as const;
  return { checks: [check], kinds: ["topped-up"], watch };
}

function topUp(at: number, amount: number): ToppedUp {
  return { kind: "topped-up", at, amount: cents(amount) };
}

function request(at: number): ExchangeReference {
  return { kind: "request", requestId: `request ${at}` };
}

function callback(at: number): ExchangeReference {
  return { kind: "callback", requestId: `request ${at}`, attempt: 1 };
}
