import { expect, test } from "vitest";
import { ControlError, createSandbox } from "../../../src/index.ts";

const airtime = (phone_number: string, amount: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ phone_number, amount }),
});

const sms = (phone_number: string, message: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ phone_number, message, sender_id: "SANDBOX" }),
});

test("advancing a manual clock answers with the callbacks that fired", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1, latency_ms: 1_000 });
  await sandbox.callbacks.set({ airtime: "kredo:sink" });
  const acknowledged = await sandbox.fetch("/api/v2/airtime", airtime("254712345678", "100"));
  const { request_id }: { request_id: string } = JSON.parse(await acknowledged.text());

  const early = await sandbox.clock.advance("999ms");
  const fired = await sandbox.clock.advance("1ms");

  expect(early).toEqual([]);
  expect(fired).toEqual([expect.objectContaining({ request_id, attempt: 1, answered: 200 })]);
  expect(JSON.parse(fired[0]?.body ?? "")).toMatchObject({
    request_id,
    charge: 95,
    account_balance: 9905,
    result_code: 200,
  });
  expect(await sandbox.callbacks.received()).toHaveLength(1);
});

test("a test reads the one-time password that was sent", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  await sandbox.fetch("/api/v2/sms", sms("254712345678", "Your code is 4711"));

  await sandbox.clock.advance("next");

  expect(await sandbox.messages.next("254712345678")).toMatchObject({
    message: "Your code is 4711",
    sender_id: "SANDBOX",
  });
});

test("a test that no request said something fails, also if the gateway refused the request", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  const refused = await sandbox.fetch("/api/v2/airtime", airtime("254712345678", "1"));

  const found = await sandbox.requests.list({ amount: "1" });

  expect(refused.status).toBe(422);
  expect(found).toMatchObject([{ status_code: 422, phone_number: "254712345678", amount: 1 }]);
  await expect(sandbox.requests.verify({ amount: "1" }, 0)).rejects.toThrow("406");
});

test("accounts are separate", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  const [one, other] = [await sandbox.account({ balance: "100.00" }), await sandbox.account({ balance: "100.00" })];

  await one.fetch("/api/v2/airtime", airtime("254712345678", "50"));

  expect(one.consumerKey).not.toBe(other.consumerKey);
  expect(await one.wallet.read()).toEqual({ available: 52.5, held: 47.5, ledger: 100 });
  expect(await other.wallet.read()).toEqual({ available: 100, held: 0, ledger: 100 });
  expect(await one.requests.count({ operation: "airtime" })).toBe(1);
  expect(await other.requests.count()).toBe(0);
});

test("verify throws with what was expected and what arrived", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  await sandbox.fetch("/api/v2/airtime", airtime("254712345678", "50"));

  await sandbox.requests.verify({ phone_number: "254712*" }, 1);

  await expect(sandbox.requests.verify({ phone_number: "254712*" }, 2)).rejects.toMatchObject({
    status: 406,
    answer: { actual: 1 },
  });
});

test("a wrong option names itself, and nothing is started", async () => {
  await expect(createSandbox(JSON.parse('{"clok":"manual","seed":-1}'))).rejects.toThrow(
    /seed: -1 is too small.*\nclok is not a key; did you mean "clock"\?/,
  );
});

test.each([
  [null, "the options are null; write them like"],
  [[], "the options are a list; write them like"],
  [Promise.resolve({ clock: "manual" }), "the options are a Promise; write them like"],
  [{ accounts: {} }, "accounts: a mapping is not a list"],
])("the options %j are refused in words of their own", async (options, told) => {
  // @ts-expect-error -- a program without types passes anything
  await expect(createSandbox(options)).rejects.toThrow(told);
});

test("what the control API refuses is an error with the repair", async () => {
  await using sandbox = await createSandbox();

  const refused = sandbox.clock.advance("1s");

  await expect(refused).rejects.toBeInstanceOf(ControlError);
  await expect(refused).rejects.toThrow("409: the clock is real, and only a manual one can be advanced");
});

test("a wrong scenario is an error that names each mistake, and changes nothing", async () => {
  await using sandbox = await createSandbox({ scenarios: [] });

  const refused = sandbox.scenario("version: 1\nname: s\nruls: []\nseed: -1\n");

  await expect(refused).rejects.toThrow(
    '422: body:3:1 ruls is not a key (and 1 more); did you mean "rules"?\n  4:7 seed: -1 is too small; write at least 0',
  );
  expect(await sandbox.scenarios()).toEqual([]);
});

test("it listens for other processes too, until it is closed", async () => {
  const sandbox = await createSandbox();
  const alive = await fetch(`${sandbox.url}/readyz`);

  await sandbox.close();

  expect(alive.status).toBe(200);
  await expect(fetch(`${sandbox.url}/readyz`)).rejects.toThrow("fetch failed");
});

test("reset gives the money back, and with a seed the same ids again", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 7 });
  const first = await (await sandbox.fetch("/api/v2/airtime", airtime("254712345678", "50"))).json();

  await sandbox.reset();

  const again = await (await sandbox.fetch("/api/v2/airtime", airtime("254712345678", "50"))).json();
  expect(again).toEqual(first);
  expect(await sandbox.transactions()).toHaveLength(1);
});

test("a rotated secret takes the former one's place, also in the account's own calls", async () => {
  await using sandbox = await createSandbox();
  const former = `Basic ${btoa(`${sandbox.consumerKey}:${sandbox.consumerSecret}`)}`;

  const generated = await sandbox.rotateSecret();
  const answers = [
    await sandbox.fetch("/api/v2/account-details", { headers: { authorization: former } }),
    await sandbox.fetch("/api/v2/account-details"),
  ];
  const given = await sandbox.rotateSecret("given");

  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  expect(generated).toMatch(/^[0-9a-f]{32}$/);
  expect({ given, secret: sandbox.consumerSecret }).toEqual({ given: "given", secret: "given" });
});

test("magic numbers work on every account unless they are turned off", async () => {
  await using plain = await createSandbox({ clock: "manual" });
  await using calm = await createSandbox({ clock: "manual", scenarios: [] });
  const other = await plain.account();

  const answers = [
    await plain.fetch("/api/v2/airtime", airtime("254700000429", "50")),
    await other.fetch("/api/v2/airtime", airtime("254700000429", "50")),
    await calm.fetch("/api/v2/airtime", airtime("254700000429", "50")),
  ];

  expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
});

test("scenarios that it is given come before the magic numbers, and begin again with a reset", async () => {
  await using sandbox = await createSandbox({ clock: "manual", scenarios: ["bad-afternoon"] });

  const begun = await sandbox.wallet.read();
  await sandbox.wallet.topUp("100");
  await sandbox.reset();

  expect((await sandbox.scenarios()).map(({ name }) => name)).toEqual(["bad-afternoon", "magic-numbers"]);
  expect(begun.available).toBe(500);
  expect(await sandbox.wallet.read()).toEqual(begun);
});

test("a scenario that is not there is a TypeError, and nothing starts", async () => {
  await expect(createSandbox({ scenarios: ["bad-aftrenoon", "./no.yaml"] })).rejects.toThrow(
    new TypeError(
      'scenarios[0]: "bad-aftrenoon" is not a shipped scenario; did you mean "bad-afternoon"?\nscenarios[1]: "no.yaml" cannot be read (there is no such file); write the path of a scenario file',
    ),
  );
});

test("a top-up of nothing is refused", async () => {
  await using sandbox = await createSandbox();

  await expect(sandbox.wallet.topUp("0")).rejects.toThrow(
    /^422: KES 0\.00 is not between 0\.01 and .*; use an amount in this range$/,
  );
});

test("a test reads the findings", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  await sandbox.fetch("/api/v2/airtime?token=a", airtime("254712345678", "50"));

  const findings = await sandbox.findings();

  expect(findings).toMatchObject([
    { id: "credentials-in-url", severity: "risk", count: 1, exchanges: [{ kind: "request" }] },
  ]);
  expect(await sandbox.findings({ severity: "defect" })).toEqual([]);
});

test("a check that is switched off sees nothing", async () => {
  await using sandbox = await createSandbox({ findings: { off: ["credentials-in-url"] } });

  await sandbox.fetch("/api/v2/airtime?token=a", airtime("254712345678", "50"));

  expect(await sandbox.findings()).toEqual([]);
});
