import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { run } from "../../../src/cli/run.ts";
import { readSnapshot, writeSnapshot } from "../../../src/cli/serve/snapshot.ts";
import { openJournals } from "../../../src/storage/journal/journals.ts";
import { fakeTerminal } from "../../support/terminal.ts";
import { limitRequests } from "../../support/gateway/scripted.ts";
import { accountSettings, buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

test("saved accounts start again as they were, with what is pending", async () => {
  const before = testWorld({ account: { callbacks: callbacksTo("https://app.example.com/hook") } });
  before.world.open(accountSettings({ consumer_key: "other" }));
  const { requestId } = buyAirtime(before.account, 10);
  limitRequests(before.account, 2);
  const path = join(newFolder(), "accounts.json");

  await writeSnapshot(before.world.journals(), path);
  const journals = await openJournals(undefined, readBack(path));
  const { world, account } = testWorld(journals);
  world.resumeAll();
  account.wake();
  const { fired } = await account.advance({ by: 1_000 }, 1_000);

  expect(world.list().map(({ consumerKey }) => consumerKey)).toEqual(["sandbox-key", "other"]);
  expect(settingsInForce(account.state)).toMatchObject({
    rate_limit: { requests: 2, per: 60_000 },
    callbacks: { urls: { sms: { trusted: true } } },
  });
  expect(fired).toMatchObject([{ requestId }]);
});

test("writing leaves nothing else in the folder, and puts the new file in the place of the old one", async () => {
  const folder = newFolder();
  const path = join(folder, "accounts.json");
  writeFileSync(path, "old");

  await writeSnapshot(testWorld().world.journals(), path);

  expect(readdirSync(folder)).toEqual(["accounts.json"]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    accounts: [{ consumer_key: "sandbox-key", number: 1 }],
  });
});

test("the export of one account is a snapshot of one", async () => {
  const { events } = testWorld().account.journal.read();

  const read = readBack("one.json", JSON.stringify({ kredo: "0.1.0", consumer_key: "shop", number: 1, events }));

  expect(read).toMatchObject([
    { consumerKey: "shop", events: [{ kind: "opened", settings: { consumer_key: "shop" } }] },
  ]);
});

const EVENT = '{"kind":"topped-up","at":1,"amount":1}';

test.each([
  ["{", '--import: "s.json" is not JSON; write the path of a snapshot'],
  ['{"kredo":"0.1.0"}', "s.json  accounts is missing"],
  [snapshot(`{"kredo":"1","consumer_key":"a:b","number":1,"events":[${EVENT}]}`), "s.json  accounts[0].consumer_key"],
  [
    snapshot(`{"kredo":"1","consumer_key":"a","number":1,"events":[{"kind":"paid"}]}`),
    "s.json  accounts[0].events[0] is not an event",
  ],
  [
    snapshot(`{"kredo":"1","consumer_key":"a","number":1,"events":[${EVENT}]}`),
    's.json  accounts[0].events: the journal is inconsistent: events[0]: a journal begins with "opened" or "snapshot"',
  ],
  [
    snapshot(
      Array.from({ length: 2 }, () => `{"kredo":"1","consumer_key":"a","number":1,"events":[${EVENT}]}`).join(",\n"),
    ),
    's.json  accounts[1].consumer_key: "a" is already the key of an earlier account; keep one of the two',
  ],
])("an invalid snapshot is refused with the place of the mistake: %s", async (text, message) => {
  const terminal = fakeTerminal({ files: { "s.json": text } });

  const code = await run(["serve", "--port", "0", "--import", "s.json"], terminal);

  expect(code).toBe(2);
  expect(terminal.complained()).toContain(message);
  expect(terminal.printed()).toBe("");
});

test.each([
  [
    ["--import", "nowhere.json"],
    {},
    '--import: "nowhere.json" cannot be read (there is no such file); write the path of a snapshot',
  ],
  [[], { KREDO_IMPORT: "nowhere.json" }, 'KREDO_IMPORT: "nowhere.json" cannot be read (there is no such file)'],
  [
    ["--export-on-exit", "/nowhere/at/all.json"],
    {},
    "--export-on-exit: /nowhere/at/all.json cannot be written (ENOENT",
  ],
  [
    [],
    { KREDO_EXPORT_ON_EXIT: "/" },
    "KREDO_EXPORT_ON_EXIT: / cannot be written (it is a folder); choose a file in an existing folder",
  ],
])("%j with %j is refused before anything begins", async (words, env, message) => {
  const terminal = fakeTerminal({ env });

  const code = await run(["serve", "--port", "0", ...words], terminal);

  expect(code).toBe(2);
  expect(terminal.complained()).toContain(message);
});

test("the next sandbox continues with what the last one left", async () => {
  const path = join(newFolder(), "accounts.json");
  const first = fakeTerminal({ env: { KREDO_SEED: "7", KREDO_EXPORT_ON_EXIT: path, KREDO_CONSUMER_KEY: "shop" } });
  const serving = run(["serve", "--port", "0"], first);
  await first.untilSaid("Ready.");
  first.interrupt();
  await serving;

  const second = fakeTerminal({ files: { [path]: readFileSync(path, "utf8") }, env: { KREDO_CONSUMER_KEY: "shop" } });
  const again = run(["serve", "--port", "0", "--import", path, "--profile", "observed"], second);
  await second.untilSaid("Ready.");
  second.interrupt();

  expect(await again).toBe(0);
  expect(second.printed()).toContain(`accounts        in memory, with those of ${path}: 1 restored`);
  expect(first.printed()).toContain("seed            7\nprofile         document\n");
  expect(second.printed()).toContain("seed            7\nprofile         observed\n");
});

function snapshot(accounts: string): string {
  return `{"kredo":"0.1.0","accounts":[\n${accounts}\n]}`;
}

function readBack(path: string, text: string = readFileSync(path, "utf8")): ReturnType<typeof readSnapshot> {
  return readSnapshot({ path, place: "--import" }, { read: () => ({ text }) });
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kredo-snapshot-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
