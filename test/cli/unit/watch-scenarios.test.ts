import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { watchScenarios } from "../../../src/cli/serve/watch-scenarios.ts";
import { setBalance, setRule } from "../../../src/gateway/engine/commands.ts";
import type { Files } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { loadScenarios } from "../../../src/load-scenarios.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { turns } from "../../support/gateway/raw-client.ts";

const BEFORE =
  "version: 1\nname: mine\nsetup: { wallet: { balance: '500.00' } }\nrules: [{ name: no, then: { refuse: 403 } }]\n";
const AFTER = BEFORE.replace("refuse: 403", "refuse: 429");

test("a changed file replaces its scenario within a second, and the wallet stays", async () => {
  await using watched = await watch(BEFORE);
  setBalance(watched.account, watched.account.state.settings.balance);
  await sendAirtime(watched.sandbox);

  await watched.write(AFTER);
  const { status } = await sendAirtime(watched.sandbox);

  expect(status).toBe(429);
  expect(watched.account.state).toMatchObject({ wallet: { balance: 1_000_000 }, requests: 2 });
  expect(watched.said).toEqual(["mine.yaml changed: mine is replaced."]);
});

test("while a file is broken, the old version stays, which is logged once", async () => {
  await using watched = await watch(BEFORE);

  await watched.write(AFTER.replace("then", "than"));
  const during = await sendAirtime(watched.sandbox);
  await watched.write(undefined);
  await watched.write(AFTER);
  const { status } = await sendAirtime(watched.sandbox);

  expect({ during: during.status, status }).toEqual({ during: 403, status: 429 });
  expect(watched.said).toEqual([
    expect.stringMatching(/^mine\.yaml changed, but mine was not replaced:\nmine\.yaml:4:\d+ {2}rules\[0\]/),
    "mine.yaml changed, but mine was not replaced:\nmine.yaml cannot be read: there is no such file",
    "mine.yaml changed: mine is replaced.",
  ]);
});

test("a switched-off rule stays off, a later account gets the new file, and a reset starts it again", async () => {
  await using watched = await watch(BEFORE);
  setRule(watched.account, { scenario: "mine", rule: "no", is: "off" });

  await watched.write(AFTER);
  await watched.sandbox.running.fetch(new Request("http://localhost/__admin/accounts", { method: "POST" }));
  const { status } = await sendAirtime(watched.sandbox);
  watched.account.reset();
  const again = await sendAirtime(watched.sandbox);

  expect({ status, again: again.status }).toEqual({ status: 200, again: 429 });
  expect(watched.sandbox.running.world.list().at(-1)?.state.scenarios[0]?.scenario.rules?.[0]?.then).toEqual({
    refuse: 429,
  });
  expect(watched.account.state.wallet.balance).toBe(50_000);
});

test("of a rewritten timeline, only the steps still to come happen", async () => {
  const timeline = "timeline: [{ at: 1s, do: { wallet: { balance: '1.00' } } }]\n";
  await using watched = await watch(BEFORE + timeline);
  await watched.account.advance({ by: 5_000 }, 8_000);
  setBalance(watched.account, watched.account.state.settings.balance);

  await watched.write(
    `${BEFORE}timeline: [{ at: 2s, do: { wallet: { balance: '2.00' } } }, { at: 9s, do: { wallet: { balance: '9.00' } } }]\n`,
  );
  await watched.account.advance({ by: 1_000 }, 8_000);
  const early = watched.account.state.wallet.balance;
  await watched.account.advance({ by: 3_000 }, 8_000);
  const { events } = watched.account.journal.read();
  const folded = foldJournal(JSON.parse(JSON.stringify(events)));

  expect({ early, balance: watched.account.state.wallet.balance }).toEqual({ early: 1_000_000, balance: 900 });
  expect(folded).toEqual(watched.account.state);
});

test("a file that takes another scenario's name does not replace it", async () => {
  await using watched = await watch(BEFORE);

  await watched.write(AFTER.replace("name: mine", "name: magic-numbers"));

  expect(watched.said).toEqual([expect.stringContaining("another scenario is already called magic-numbers")]);
  expect(watched.account.state.scenarios.map(({ scenario }) => scenario.name)).toEqual(["mine", "magic-numbers"]);
});

/** A sandbox with one scenario file that is watched. */
async function watch(text: string) {
  const stored: { text: string | undefined } = { text };
  const files: Files = { read: () => (stored.text === undefined ? { missing: true } : { text: stored.text }) };
  const { loaded } = await loadScenarios([{ reference: "mine.yaml", place: "test" }], files);
  const sandbox = await startTestSandbox({}, { scenarios: loaded.map(({ scenario }) => scenario) });
  const clock = manualWallClock(0);
  const stopping = new AbortController();
  const said: string[] = [];
  const log = { notice: (_level: string, text: string) => void said.push(text) };
  const watching = watchScenarios(
    { running: sandbox.running, scenarios: loaded, files, pause: pauseOn(clock), log },
    stopping.signal,
  );
  return {
    sandbox,
    account: sandbox.account,
    said,
    /** Changes the file, or takes it away, and lets a second pass. */
    write: async (changed: string | undefined) => {
      stored.text = changed;
      clock.advance(1_000);
      await turns(3);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await watching;
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
