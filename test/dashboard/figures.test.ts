import { test } from "vitest";
import type { GatewayRequest, List, TransactionJson, WalletJson } from "../../src/control/client/shapes.ts";
import type { FindingJson } from "../../src/verdict/shapes.ts";
import { accountPath, ControlClient } from "../../src/control/client/control-client.ts";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { sendAirtime, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

/** Every magic number that needs no wait, and numbers without a meaning. */
const ENDINGS = [
  "401",
  "402",
  "422",
  "429",
  "500",
  "201",
  "204",
  "301",
  "303",
  "305",
  "306",
  "307",
  "309",
  "602",
  "604",
];

test("after 500 mixed orders, every figure on all four views is the control API's", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard({
    accounts: [{ balance: "30000", callbacks: { airtime: receiver.url, sms: receiver.url } }],
  });
  const { page, sandbox } = session;
  const orders = Array.from({ length: 500 }, (_, index) => ({
    number:
      index % 3 === 0 ? `254700000${ENDINGS[(index / 3) % ENDINGS.length]}` : String(254_712_000_000 + (index % 90)),
    send: index % 5 === 4 ? sendSms : sendAirtime,
    content: String(10 + (index % 4) * 15),
  }));
  const halves = [orders.slice(0, 250), orders.slice(250)];
  await Promise.all(
    (halves[0] ?? []).map(({ send, number, content }) => send(sandbox, number, content).catch(() => "")),
  );
  await sandbox.clock.advance("30m");
  receiver.answerWith(500);
  await Promise.all(
    (halves[1] ?? []).map(({ send, number, content }) => send(sandbox, number, content).catch(() => "")),
  );
  await sandbox.clock.advance("2h");
  const api = new ControlClient(
    { url: sandbox.url, send: (request) => fetch(request) },
    accountPath(sandbox.consumerKey),
  );
  const requests = await api.get<List<GatewayRequest>>("requests?limit=1000");
  const transactions = await api.get<List<TransactionJson>>("transactions?limit=1000");
  const wallet = await api.get<WalletJson>("wallet");
  const ledger = await api.get<List<unknown>>("ledger?limit=1");
  const findings = await api.get<{ items: FindingJson[] }>("findings");
  const of = (isMeant: (one: TransactionJson) => boolean): number => transactions.items.filter(isMeant).length;
  const held = transactions.items.filter(({ state }) => state === "stuck").reduce((sum, { hold }) => sum + hold, 0);
  const fired = requests.items.flatMap(({ rules = [] }) => rules).filter(({ rule }) => rule === "refused-500").length;
  const ids = new Set(findings.items.map(({ id }) => id));

  await session.visit("requests");
  await expect(page.getByRole("button", { name: /^All/ })).toBeVisible();
  const pills = await page.getByRole("group", { name: "Problem" }).getByRole("button").allInnerTexts();
  const risk = await page.getByRole("list", { name: "Money at risk" }).innerText();
  const balance = await page.getByTitle("Available balance").innerText();
  const foot = await page
    .getByRole("main")
    .getByText(/^\d[\d,]* requests/)
    .innerText();
  await session.visit("failures");
  await page.getByText("25 rules").click();
  const counted = page
    .getByRole("listitem")
    .filter({ hasText: "refused-500" })
    .getByRole("link", { name: /^fired/ });
  await expect(counted).toBeVisible();
  const rule = await counted.innerText();
  await session.visit("verdict");
  await expect(page.getByRole("group", { name: "Severity" })).toBeVisible();
  const severities = await page.getByRole("group", { name: "Severity" }).getByRole("button").allInnerTexts();
  await session.visit("account");
  const facts = await page.getByRole("region", { name: "Wallet" }).locator("dd").allInnerTexts();
  const entries = await page.getByText(/entries$/).innerText();

  const shown = {
    pills: Object.fromEntries(pills.map((text) => text.split(/\s*\n\s*|(?<=\D)(?=\d)/).map((part) => part.trim()))),
    isHeldShown: risk.includes(`KES ${money(held)} held for ever`),
    balance,
    foot: foot.split(" ")[0],
    rule,
    problems: severities[0]?.replace(/\D/g, ""),
    facts,
    entries,
  };
  expect(shown).toEqual({
    pills: expect.objectContaining({
      All: String(requests.total),
      Failed: String(of(({ state }) => state === "failed")),
      "Never settles": String(of(({ state }) => state === "stuck")),
      "Callback failed": String(of(({ callback }) => callback.state === "undelivered")),
      Refused: String(requests.items.filter(({ status_code: code }) => code >= 400).length),
    }),
    isHeldShown: true,
    balance: `KES ${money(wallet.available)}`,
    foot: String(requests.total),
    rule: `fired ${fired}×`,
    problems: String(ids.size),
    facts: [`KES ${money(wallet.available)}`, `KES ${money(wallet.held)}`, `KES ${money(wallet.ledger)}`],
    entries: `${ledger.total.toLocaleString("en")} entries`,
  });
});

function money(amount: number): string {
  return amount.toLocaleString("en", { minimumFractionDigits: 2 });
}
