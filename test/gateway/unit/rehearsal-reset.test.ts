import { expect, test } from "vitest";
import type { CallbackSettings } from "../../../src/gateway/settings/callbacks.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

const OWN = "https://app.example.com/hook";
const target = (url: string, trusted: boolean) => ({ url, trusted });

test.each([
  ["both operations", { airtime: target(OWN, false), sms: target(OWN, false) }],
  ["airtime", { airtime: target(OWN, false) }],
  ["sms", { sms: target(OWN, false) }],
  ["nothing", {}],
])("a reset ends the rehearsal, and brings back the owner's URLs for %s with their trust", (_name, urls) => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(OWN), balance: cents(50_000) } });
  rehearse(account, urls);
  buyAirtime(account, 100);

  account.reset();

  expect(account.state.settings.callbacks.urls).toEqual(
    Object.fromEntries(Object.keys(urls).map((operation) => [operation, target(OWN, true)])),
  );
  expect(account.state.wallet).toEqual({ balance: 50_000, held: 0 });
  expect({ rehearsal: account.state.rehearsal, before: account.state.before }).toEqual({
    rehearsal: undefined,
    before: undefined,
  });
});

test("a reset trusts no URL from before the rehearsal that the owner has never given", () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(OWN) } });
  rehearse(account, {
    airtime: target("https://elsewhere.example.com/hook", false),
    sms: target("https://trusted.example.com/hook", true),
  });

  account.reset();

  expect(account.state.settings.callbacks.urls).toEqual({
    airtime: target("https://elsewhere.example.com/hook", false),
    sms: target("https://trusted.example.com/hook", true),
  });
});

/** Opens an account for a rehearsal, which replaces one with these callback URLs. */
function rehearse(account: RunningAccount, urls: CallbackSettings["urls"]): void {
  const { settings, clock } = account.state;
  const before = { settings: { ...settings, callbacks: { ...settings.callbacks, urls } }, scenarios: [] };
  const rehearsed = { ...settings, balance: cents(20_000), callbacks: callbacksTo("http://localhost:3000/hook") };
  account.import([
    { kind: "opened", at: WALL_START, settings: rehearsed, clock, seed: 2, rehearsal: "double callback", before },
  ]);
}
