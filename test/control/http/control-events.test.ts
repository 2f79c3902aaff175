import { expect, test, vi } from "vitest";
import { EXPLORATION } from "../../../scripts/api-examples.ts";
import { listen, testControl } from "../../support/control.ts";
import { accountSettings, buyAirtime, refuseRequest, sendSms } from "../../support/gateway/world.ts";
import { allReady } from "../../support/gateway/turns.ts";

test("streams what happens from now on: number, kind and the event itself", async () => {
  const { fetch, account } = testControl();
  const reader = await listen(fetch);

  const { requestId } = buyAirtime(account, 100);

  const frame = await reader.next();
  expect(frame).toMatch(/^id: 2\nevent: accepted\ndata: \{.*\}\n\n$/);
  expect(JSON.parse(frame.split("data: ")[1] ?? "")).toMatchObject({ kind: "accepted", requestId });
});

test("resumes behind the last event that came", async () => {
  const { fetch, account } = testControl();
  buyAirtime(account, 100);
  buyAirtime(account, 200);

  const reader = await listen(fetch, { "last-event-id": "2" });

  expect(await reader.next()).toMatch(/^id: 3\nevent: accepted\n/);
});

test("starts with everything that is kept if the last event is of an earlier run", async () => {
  const { fetch, account } = testControl();
  buyAirtime(account, 100);

  const reader = await listen(fetch, { "last-event-id": "3" });

  expect((await reader.next()).match(/^event: .*$/gm)).toEqual(["event: opened", "event: accepted"]);
});

test("starts with everything that is kept if asked to", async () => {
  const { fetch, account } = testControl();
  buyAirtime(account, 100);

  const reader = await listen(fetch, {}, "/accounts/default/events?after=0");

  expect((await reader.next()).match(/^event: .*$/gm)).toEqual(["event: opened", "event: accepted"]);
});

test("sends a snapshot first if the events asked for were evicted", async () => {
  const { fetch, account } = testControl({ bounds: { max_transactions: 5 } });
  await Array.from({ length: 270 }).reduce<Promise<unknown>>(async (before) => {
    await before;
    buyAirtime(account, 5);
    return account.advance({ by: 1_000 }, 1_000);
  }, Promise.resolve());

  const reader = await listen(fetch, { "last-event-id": "3" });

  expect(await reader.next()).toMatch(/^(event: finding\ndata: .*\n\n)*id: \d+\nevent: snapshot\n/);
});

test("continues after a reset with the new journal", async () => {
  const { fetch, account } = testControl();
  const reader = await listen(fetch);

  account.reset();

  expect(await reader.next()).toMatch(/^id: 2\nevent: opened\n/);
});

test("keeps a silent stream alive", async () => {
  const { fetch, wall } = testControl();
  const reader = await listen(fetch);

  wall.advance(15_000);

  expect(await reader.next()).toBe(": still here\n\n");
});

test("ends when the sandbox stops", async () => {
  const { fetch, stop } = testControl();
  const reader = await listen(fetch);

  stop();

  expect(await reader.next()).toBe("the end");
});

test("ends when its account was dropped", async () => {
  const { fetch, world, account, wall } = testControl();
  const reader = await listen(fetch);

  world.drop(account);
  wall.advance(15_000);

  expect(await reader.next()).toBe("the end");
});

test("drops a reader that takes nothing while events wait, after two heartbeats", async () => {
  const { fetch, account, wall } = testControl();
  const response = await fetch("/accounts/default/events?after=0");
  await allReady();
  wall.advance(15_000);
  buyAirtime(account, 100);

  wall.advance(15_000);
  await allReady();

  expect(await response.text()).toBe(": ready\n\n");
});

test("a reader that takes nothing has at most 1 MiB waiting when it is dropped, and resumes without a gap", async () => {
  const { fetch, account, wall } = testControl();
  const long = "x".repeat(38_000);
  Array.from({ length: 40 }, () => sendSms(account, long));
  const stalled = (await fetch("/accounts/default/events?after=0")).body?.getReader();
  await stalled?.read();
  await allReady();

  wall.advance(15_000);
  wall.advance(15_000);
  const unsent = new TextDecoder().decode((await stalled?.read())?.value);
  const isOver = (await stalled?.read())?.done;
  const resumed = await listen(fetch, { "last-event-id": String(numbersIn(unsent).at(-1)) });
  const rest = await resumed.next();

  expect(unsent.length).toBeLessThanOrEqual(1_048_576);
  expect(isOver).toBe(true);
  expect([...numbersIn(unsent), ...numbersIn(rest)]).toEqual(
    Array.from({ length: account.journal.version }, (_, index) => index + 1),
  );
});

test("leaves nothing behind when its reader disconnects", async () => {
  const { fetch, wall, account } = testControl();
  const response = await fetch("/accounts/default/events");
  await allReady();

  await response.body?.cancel();
  const [read, after] = [vi.spyOn(account.journal, "read"), vi.spyOn(wall, "after")];
  buyAirtime(account, 100);
  wall.advance(60_000);
  await allReady();

  expect(read).not.toHaveBeenCalled();
  expect(after).not.toHaveBeenCalled();
});

test.each(["x", "-1", "1.5"])("refuses %j as Last-Event-ID", async (last) => {
  const { fetch } = testControl();

  expect((await fetch("/accounts/default/events", { headers: { "last-event-id": last } })).status).toBe(422);
});

function numbersIn(frames: string): number[] {
  return [...frames.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
}

test("streams the requests that belong to no account", async () => {
  const { fetch, world } = testControl();
  const reader = await listen(fetch, {}, "/events");

  refuseRequest(world.sandbox, 401);

  expect(await reader.next()).toMatch(/^id: 2\nevent: refused\n/);
});

test("tells a follower of no account how many accounts there are, and when one was opened or dropped", async () => {
  const { fetch, call, world } = testControl();
  const followed = await fetch("/events");
  const reader = followed.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string | undefined> => (await reader?.read())?.value;

  const told = [await next()];
  await call("POST", "/accounts", { consumer_key: "second" });
  told.push(await next());
  world.drop(world.get("second"));
  told.push(await next());

  expect(told).toEqual([
    ': ready\n\nevent: accounts\ndata: {"total":1}\n\n',
    'event: accounts\ndata: {"total":2}\n\n',
    'event: accounts\ndata: {"total":1}\n\n',
  ]);
});

test("tells followers, later ones included, how far an exploration has come, without its cells", async () => {
  const { fetch, call, world } = testControl();
  world.open(accountSettings({ consumer_key: "another" }));
  const reader = await listen(fetch);
  const another = await listen(fetch, {}, "/accounts/another/events");

  await call("PUT", "/accounts/default/exploration", EXPLORATION);
  const told = await reader.next();
  const later = await fetch("/accounts/default/events");
  const first = await later.body?.pipeThrough(new TextDecoderStream()).getReader().read();
  refuseRequest(world.get("another"), 401);

  const { trials: _trials, ...progress } = EXPLORATION;
  expect(told).toBe(`event: exploration\ndata: ${JSON.stringify(progress)}\n\n`);
  expect(first?.value).toBe(`: ready\n\n${told}`);
  expect(await another.next()).toMatch(/^id: 2\nevent: refused\n/);
});

test("takes an exploration of thousands of trials", async () => {
  const { call } = testControl();
  const trials = Array.from({ length: 8_000 }, () => EXPLORATION.trials).flat();

  const { status } = await call("PUT", "/accounts/default/exploration", { ...EXPLORATION, trials });

  expect(status).toBe(200);
});
