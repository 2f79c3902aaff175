import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import type { Row } from "../../../src/dashboard/live/sales.ts";
import { callbackWords, answerWords, stateWords } from "../../../src/dashboard/views/requests/list/words.ts";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import type { Report } from "../../../src/verdict/report/report.ts";
import { openShell } from "../../backends/http-shell.ts";
import { file, problems, rehearseTexts } from "../../support/rehearse.ts";
import { recordingTerminal } from "../../support/system-terminal.ts";
import { fakeTerminal } from "../../support/terminal.ts";
import { type SmallCallback, type SmallShop, startSmallShop } from "../../verdict/small-shop.ts";

/** What every surface says of an order that a scenario's rule is about. */
interface Case {
  readonly then: string;
  /** What the receiver answers; `null` if nobody registered one. No rehearsal is tried with one that is named. */
  readonly receiver?: number | null;
  /** What each callback said. */
  readonly said?: readonly string[];
  readonly known?: string;
  readonly told?: string;
  readonly state?: string;
  readonly got?: string;
  readonly findings?: readonly string[];
  /** What a rehearsal complains of. */
  readonly problems?: readonly string[];
}

const DELIVERED = "delivered, result 200";
const REFUSAL = String.raw`'{"status_code":402,"request_id":null}'`;
const NEVER_GOT = "delivered, under an id it never got";

const CASES: readonly Case[] = [
  { then: "result: { outcome: success }" },
  { then: "refuse: 402", said: [], state: "Refused 402", got: "402" },
  { then: "refuse: 503", said: [], state: "Not sold, you got HTTP 503", got: "503" },
  {
    then: "connection: reset_before_accept",
    said: [],
    state: "Not sold, you got no answer",
    got: "no answer",
  },
  { then: "ack: { status: 503 }", known: NEVER_GOT, state: "Sold, you got HTTP 503", got: "503" },
  { then: "connection: reset_after_accept", known: NEVER_GOT, state: "Sold, you got no answer", got: "no answer" },
  { then: `ack: { status: 402, body: ${REFUSAL} }`, known: "refused with 402", told: "delivered", got: "402" },
  { then: "result: { outcome: failed }", said: ["failed, result 500"], known: "failed", state: "Failed" },
  {
    then: "callback: { times: 2, contradict: true }",
    said: [DELIVERED, "failed, result 500"],
    known: "delivered, then failed",
  },
  {
    then: "result: { outcome: failed }, callback: { times: 2, contradict: true }",
    said: ["failed, result 500", DELIVERED],
    known: "failed, then delivered",
    state: "Failed",
  },
  {
    then: "callback: { times: 2, reverse: true }",
    said: [DELIVERED, "reversed, result 500"],
    known: "delivered, then reversed",
    state: "Reversed",
  },
  { then: "callback: { malformed: true }", said: ["unreadable: not JSON"], problems: ["hint fails-on-malformed"] },
  { then: "callback: { wrong_content_type: true }", said: ["unreadable: wrong type: text/plain"] },
  {
    then: `callback: { body: '{"request_id":"{{request_id}}","result_code":true}' }`,
    said: ["unreadable: no result_code"],
  },
  { then: `callback: { body: '{"request_id":1,"result_code":200}' }`, said: ["unreadable: no request_id"] },
  {
    then: String.raw`callback: { body: "\uFEFF{\"request_id\":\"{{request_id}}\",\"result_code\":200}" }`,
    receiver: 200,
  },
  { then: "callback: { unknown_id: true }", said: ["unknown id"] },
  { then: "callback: { drop: true }", said: [], known: "accepted", told: "never told" },
  { then: "ack: { delay: 0s }", receiver: null, said: [], known: "accepted", told: "not sent: no callback URL" },
  {
    then: "ack: { delay: 0s }",
    receiver: 404,
    known: "accepted",
    told: "your receiver: 404",
    findings: ["callback-not-acknowledged"],
  },
];

const USUAL = { said: [DELIVERED], state: "Succeeded", got: "200", findings: [], problems: [] };

test.each(CASES)("every surface says the same of { $then } where the receiver answers $receiver", async (one) => {
  const { said, state, got, findings, known = resultIn(said), told = known } = { ...USUAL, ...one };

  expect(await readSurfaces(onlyFirst(one), one.receiver)).toEqual({
    said: { logs: said, timeline: said, report: said, listen: one.receiver === null ? [] : said.map(asListened) },
    known: { transactions: known, api: known },
    told: { api: told, page: told },
    page: [state, got],
    findings,
  });
});

test.concurrent.each(CASES.filter(({ receiver }) => receiver === undefined))(
  "a rehearsal with a sound shop says the same of { $then }",
  async (one) => {
    const { said, problems: found } = { ...USUAL, ...one };

    expect(await rehearse(onlyFirst(one))).toEqual({ said: [...new Set(said)], problems: found });
  },
);

function resultIn([said]: readonly string[]): string | undefined {
  return said?.replace(/, result.*/, "");
}

function onlyFirst({ then }: Case): string {
  return `rules: [{ name: r, when: { nth: 1 }, then: { ${then} } }]`;
}

/** Who only listens knows of no reversal. */
function asListened(said: string): string {
  return said.replace("reversed", "failed");
}

async function readSurfaces(scenario: string, answer: number | null = 200): Promise<object> {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await using receiver = await openShell(0, { "POST /hooks": () => ({ status: answer ?? 0 }) }, () => {});
  const listener = fakeTerminal({ isTTY: true, env: { TERM: "xterm" } });
  const listening =
    answer !== null && run(["listen", "--forward-to", `${receiver.url}/hooks`, "--url", sandbox.url], listener);
  if (answer !== null) await listener.untilSaid("stop with Ctrl-C");
  await sandbox.scenario(`version: 1\nname: s\n${scenario}`);
  await sandbox
    .fetch("/api/v2/airtime", { method: "POST", body: ORDER, headers: { "content-type": "application/json" } })
    .catch(() => undefined);
  await sandbox.clock.advance("1h");

  const { said, ...surfaces } = await look(sandbox);
  listener.interrupt();
  await listening;
  return { ...surfaces, said: { ...said, listen: listenedIn(listener.printed(), await idIn(sandbox)) } };
}

const ORDER = JSON.stringify({ phone_number: "254712345678", amount: "75" });

async function idIn(sandbox: Sandbox): Promise<string | undefined> {
  return (await sandbox.transactions())[0]?.request_id;
}

async function look(sandbox: Sandbox) {
  const { timeline, known, told } = await readDetail(sandbox);
  const [row] = await readPage(sandbox);
  if (row === undefined) throw new Error("the page shows no request");
  return {
    said: {
      logs: saidIn(await command(sandbox, "logs")),
      timeline: saidIn(timeline.map(({ title }) => title).join("\n")),
      report: saidIn((await sandbox.report()).trials.flatMap(outcomesOf).join("\n")),
    },
    known: { transactions: knownIn(await command(sandbox, "transactions")), api: known },
    told: { api: told, page: callbackWords(row, 0)?.text },
    page: [stateWords(row).text, answerWords(row).text],
    findings: (await sandbox.findings()).map((finding) => finding.id),
  };
}

/** A request that was not accepted has no details. */
async function readDetail(sandbox: Sandbox) {
  const id = await idIn(sandbox);
  return id === undefined ? { timeline: [], known: undefined, told: undefined } : sandbox.transaction(id);
}

async function command(sandbox: Sandbox, name: string): Promise<string> {
  const { terminal, printed } = recordingTerminal();
  await run([name, "--url", sandbox.url], terminal);
  return printed();
}

/** The rows of the page, folded from the journal as the page does. */
async function readPage({ url }: Sandbox): Promise<readonly Row[]> {
  const exported = await fetch(`${url}/__admin/accounts/default/export`);
  const { events }: { events: AccountEvent[] } = JSON.parse(await exported.text());
  const page = new AccountReading();
  events.forEach((event, index) => page.take({ number: index + 1, event }));
  return page.rows;
}

function outcomesOf({ exchanges }: Report["trials"][number]): string[] {
  return exchanges.map(({ outcome }) => outcome);
}

function saidIn(text: string): string[] {
  return [...text.matchAll(/said: ([^;\n]*)/g)].map(([, words = ""]) => words);
}

function knownIn(table: string): string | undefined {
  return table.split("\n")[1]?.split(/ {2,}/)[5];
}

/** Green means that it was delivered; an id that is not the order's is unknown. */
function listenedIn(printed: string, orderId: string | undefined): string[] {
  const lines = printed.split("\n").filter((line) => line.includes("  airtime  "));
  return lines.map((line) => {
    const [before = "", painted = ""] = line.split("\u001b[", 2);
    const words = painted.slice("32m".length);
    if (before.endsWith("  airtime  ")) return words;
    if (orderId === undefined || !before.includes(orderId)) return "unknown id";
    return `${painted.startsWith("32") ? "delivered" : "failed"}, result ${words.split(" ")[0]}`;
  });
}

/** Keeps an order open that a callback says no result of. */
function receive(shop: SmallShop, callback: SmallCallback): { readonly status: number } {
  if (typeof callback.result_code === "number") shop.receive(callback);
  return { status: 200 };
}

/** What a rehearsal with a sound shop tells. */
async function rehearse(scenario: string): Promise<object> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, { receive });
  const rehearsal = file(`scenario: { version: 1, name: s, ${scenario} }\n`);
  const outcome = await rehearseTexts([rehearsal], { map: shop.appMap, flags: ["--url", sandbox.url] });
  return { said: [...new Set(saidIn(outcome.trials.flatMap(outcomesOf).join("\n")))], problems: problems(outcome) };
}
