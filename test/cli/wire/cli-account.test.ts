import { expect, test } from "vitest";
import { filesOnDisk } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { run } from "../../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import { playSandbox } from "../../support/played-sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const SCENARIO = "version: 1\nname: mine\nrules:\n  - name: never answers\n    then: { callback: { drop: true } }\n";

test("scenario starts a shipped scenario, lists it and stops it", async () => {
  await using sandbox = await createSandbox({ scenarios: [] });

  const printed = [
    await say(sandbox, "scenario", "start", "duplicate-callbacks"),
    await say(sandbox, "scenario", "list"),
    await say(sandbox, "scenario", "stop", "duplicate-callbacks"),
    await say(sandbox, "scenario", "list"),
  ];

  expect(printed).toEqual([
    expect.stringMatching(/^ {2}STARTED +DESCRIPTION\n {2}duplicate-callbacks {2}\w/),
    expect.stringMatching(/^ {2}ACTIVE +DESCRIPTION\n {2}duplicate-callbacks {2}\w/),
    "Stopped duplicate-callbacks.\n",
    "No scenario is active.\n",
  ]);
});

test("scenario starts one from a file, and stop without a name stops all", async () => {
  await using sandbox = await createSandbox({ scenarios: ["callback-never"] });

  const { exitCode } = await kredo(["scenario", "start", "mine.yaml", "--url", sandbox.url], {
    files: { "mine.yaml": SCENARIO },
  });
  const active = await sandbox.scenarios();
  const stopped = await say(sandbox, "scenario", "stop");

  expect(exitCode).toBe(0);
  expect(active.map(({ name }) => name)).toContain("mine");
  expect(stopped).toBe("Stopped all scenarios. Magic numbers work again after kredo scenario start magic-numbers.\n");
  expect(await sandbox.scenarios()).toEqual([]);
});

test("scenario start says where a file is wrong", async () => {
  await using sandbox = await createSandbox();

  const { exitCode, complained } = await kredo(["scenario", "start", "mine.yaml", "--url", sandbox.url], {
    files: { "mine.yaml": SCENARIO.replace("then:", "than:") },
  });

  expect(exitCode).toBe(2);
  expect(complained).toContain('mine.yaml:5:5  rules[0].than is not a key; did you mean "then"?');
});

test("scenario start says that a word is a folder", async () => {
  const terminal = { ...fakeTerminal(), files: filesOnDisk };

  const exitCode = await run(["scenario", "start", "scenarios"], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.complained()).toBe("scenarios is a folder; write the path of a file in it\n");
});

test("transactions lists what was accepted, newest first, with its result", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await say(sandbox, "send", "airtime", "254712345678", "100");
  await sandbox.clock.advance("10m");
  await say(sandbox, "send", "sms", "254712345678", "Habari");

  const all = await say(sandbox, "transactions");
  const queued = await say(sandbox, "transactions", "--state", "queued");

  expect(all).toMatch(
    /^ {2}ACCEPTED +OPERATION +PHONE +STATE +KNOWN +GOT +PAID +REQUEST_ID\n {2}2025-01-06T06:10:00\.000Z {2}sms {8}254712345678 {2}queued .+\n {2}2025-01-06T06:00:00\.000Z {2}airtime {4}254712345678 {2}succeeded 200 {2}accepted {2}KES 100\.00 {2}KES 95\.00 {2}[0-9a-f-]{36}\n2 transactions\.\n$/,
  );
  expect(queued).toMatch(/^ {2}ACCEPTED .+\n {2}\S+ {2}sms .+\n1 transaction\.\n$/);
});

test("transactions says how many there are, and how to list them all", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  for (const shillings of Array.from({ length: 22 }, (_, place) => String(10 + place)))
    await say(sandbox, "send", "airtime", "254712345678", shillings);

  const latest = await say(sandbox, "transactions");
  const all = await say(sandbox, "transactions", "--limit", "all");
  const two: unknown = JSON.parse(await say(sandbox, "transactions", "--limit", "2", "--json"));

  expect(latest).toMatch(/\n20 of 22 transactions; --limit all lists them all\.\n$/);
  expect({ latest: latest.match(/ queued /g)?.length, all: all.match(/ queued /g)?.length }).toEqual({
    latest: 20,
    all: 22,
  });
  expect(all).toMatch(/\n22 transactions\.\n$/);
  expect(two).toMatchObject({ items: [{}, {}], total: 22, next: expect.any(String) });
});

test.each(["0", "-1", "everything"])("transactions refuses --limit %s", async (limit) => {
  const { exitCode, complained } = await kredo(["transactions", "--limit", limit]);

  expect(exitCode).toBe(2);
  expect(complained).toContain(`--limit: "${limit}" is not valid`);
});

test("a table that is wider than the terminal has its last column below", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await say(sandbox, "send", "airtime", "254712345678", "100");

  const { printed } = await kredo(["transactions", "--url", sandbox.url], { isTTY: true, columns: 80 });

  expect(printed).toMatch(/PAID\n {4}REQUEST_ID\n {2}2025.+ queued .+\n {4}[0-9a-f-]{36}\n1 transaction/);
});

test("findings names what was seen, and the repair", async () => {
  const finding = {
    severity: "defect",
    title: "A result was lost",
    id: "lost",
    seen: "Seen once.",
    repair: "Answer 200.",
    count: 1,
  };
  await using sandbox = await playSandbox({
    "GET /__admin/accounts/default/findings?severity=defect&limit=1000": { json: { items: [finding], total: 1 } },
  });

  const { exitCode, printed } = await kredo(["findings", "--severity", "defect", "--url", sandbox.url]);

  expect({ exitCode, printed }).toEqual({
    exitCode: 0,
    printed: "defect  A result was lost (lost), 1 time\n  Seen once.\n  Answer 200.\n1 finding.\n",
  });
});

test("an answer without what was asked for is not a sandbox's", async () => {
  await using sandbox = await playSandbox({ "GET /__admin/accounts/default/clock": { json: {} } });

  const { exitCode, complained } = await kredo(["clock", "--url", sandbox.url]);

  expect(exitCode).toBe(3);
  expect(complained).toContain("is not a Kredo sandbox");
});

test("clock shows the clock and what is due, and sets it", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await say(sandbox, "send", "airtime", "254712345678", "100");

  const shown = await say(sandbox, "clock");
  const set = await say(sandbox, "clock", "x10");

  expect(shown).toMatch(
    /^manual, now 2025-01-06T06:00:00\.000Z; 1 pending\n {2}TIME +DUE +REQUEST_ID\n {2}2025-\S+ {2}\S+ {2}[0-9a-f-]{36}\n$/,
  );
  expect(set).toMatch(/^x10, now /);
});

async function say(sandbox: Sandbox, ...words: string[]): Promise<string> {
  const { printed, complained } = await kredo([...words, "--url", sandbox.url]);
  return printed + complained;
}
