import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import { get, post } from "../support/control-call.ts";
import { messageOf } from "../../src/gateway/domain/message-of.ts";
import { findLosses, findStray, type Problem } from "../kill/check-kept.ts";
import { nothingYet } from "../kill/load.ts";
import { acknowledgedIn, orderOnce } from "./load.ts";
import { ownerAndOther, type Replica, type Replicas, startReplicas } from "./replicas.ts";

// What is done to one account with its owner dying in the middle, or with a clock that is wrong; the answer is what does not hold.

const ACCOUNT = "test-0";

/** What somebody is told whose call may have been carried out. */
const BROKE_OFF = /answered 503: .*may have carried out the call/;

/** Asks for k orders' worth of money four times over, at all replicas at once. */
export async function emptyWallet(
  command: string,
): Promise<{ accepted: number; refused: number; others: number; problems: Problem[] }> {
  await using sandbox = await startReplicas({ command, replicas: 3, accounts: 1, balance: "1000", latency: "20ms" });
  const orders = Array.from({ length: 40 }, (_, turn) =>
    orderOnce(urlAt(sandbox, turn), ACCOUNT, { turn, shillings: 100 }),
  );
  const statuses = (await Promise.all(orders)).map(({ status }) => status);
  await post(`${urlAt(sandbox, 0)}/__admin/accounts/${ACCOUNT}/drain`, { within: "60s" });
  const journal = await sandbox.journalOf(ACCOUNT);
  const [accepted, refused] = [
    statuses.filter((status) => status === 200).length,
    statuses.filter((status) => status === 402).length,
  ];
  const problems = [...findLosses(journal, nothingYet()), ...findStray(journal, sandbox.receiver.received)];
  return { accepted, refused, others: statuses.length - accepted - refused, problems };
}

/** A replica with a wrong clock (what `shifted-clock.mjs` is told) owns the account; how far from their due time its callbacks came, in ms. */
export async function wrongClock(command: string, clock: string): Promise<{ furthest: number; callbacks: number }> {
  const latency = 500;
  await using sandbox = await startReplicas({ command, replicas: 1, accounts: 1, latency: `${latency}ms` });
  const right = sandbox.running[0];
  const shifted = await sandbox.add({
    nodeWords: ["--import", `${new URL("shifted-clock.mjs", import.meta.url).href}?${clock}`],
  });
  const before = await Promise.all(
    Array.from({ length: 5 }, (_, turn) => orderOnce(shifted.url, ACCOUNT, { turn, shillings: 10 })),
  );
  if (right !== undefined) await sandbox.end(right);
  const after: typeof before = [];
  for (let turn = 5; turn < 25; turn += 1) after.push(await orderUntilAccepted(shifted.url, turn));
  await sandbox.receiver.untilReceived(25);
  const late = after.map(({ requestId, at }) =>
    Math.abs((sandbox.receiver.received.get(requestId)?.[0]?.at ?? Infinity) - at - latency),
  );
  return { furthest: Math.max(...late), callbacks: before.length + after.length };
}

/** Kills the owner in the middle of an advance that another replica was asked for, and advances again. */
export async function killDuringAdvance(command: string): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1 });
  const { owner, other } = await ownerAndOther(sandbox, ACCOUNT);
  const account = `${other.url}/__admin/accounts/${ACCOUNT}`;
  await post(`${account}/clock`, { mode: "manual" }, "PUT");
  const orders = Array.from({ length: 100 }, (_, turn) => orderOnce(other.url, ACCOUNT, { turn, shillings: 10 }));
  const promised = acknowledgedIn(await Promise.all(orders), 10);
  const advance = () =>
    post(`${account}/clock/advance`, { by: "10m", within: "60s" }).then(() => "acknowledged", messageOf);
  const said = advance();
  const early = await Promise.race([said, sandbox.receiver.untilReceived(20)]);
  if (early !== undefined) return [wrong(`the advance was over before the kill: ${early}`)];
  await sandbox.end(owner);
  const answers = [await said, await advance()];
  const journal = await sandbox.journalOf(ACCOUNT);
  return [
    ...(BROKE_OFF.test(answers[0] ?? "") ? [] : [wrong(`whoever asked for the advance was told: ${answers[0]}`)]),
    ...(answers[1] === "acknowledged" ? [] : [wrong(`the second advance was answered: ${answers[1]}`)]),
    ...findLosses(journal, { ...nothingYet(), orders: promised }),
    ...findStray(journal, sandbox.receiver.received),
  ];
}

/** What replaces a whole journal. */
type Replacement = "reset" | "import";

/** Where the owner dies: before PostgreSQL has the new journal, while it gets it, or before anybody hears that it has. */
type KillMoment = "before" | "during" | "after";

/** Replaces the journal of an account again and again through another replica, and kills the owner each time. */
export async function killDuring(
  command: string,
  { change, moment, times }: { change: Replacement; moment: KillMoment; times: number },
): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1 });
  const problems: Problem[] = [];
  for (let time = 0; time < times; time += 1) {
    if (time > 0) await sandbox.add();
    problems.push(...(await killOnce(sandbox, { change, moment })));
  }
  return problems;
}

async function killOnce(
  sandbox: Replicas,
  { change, moment }: { change: Replacement; moment: KillMoment },
): Promise<Problem[]> {
  const { owner, other } = await ownerAndOther(sandbox, ACCOUNT);
  const account = `${other.url}/__admin/accounts/${ACCOUNT}`;
  const exported = (): Promise<Exported> => get(`${account}/export`);
  const order = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await orderOnce(other.url, ACCOUNT, { turn, shillings: 10 });
    await post(`${account}/drain`, { within: "60s" });
  };
  await order();
  // The URLs of what is imported are trusted no more: the same before and after.
  await post(`${account}/import`, await exported(), "PUT");
  const earlier = await exported();
  await order();
  const before = await exported();
  const isAfter = ({ events }: Exported): boolean =>
    change === "import" ? isDeepStrictEqual(events, earlier.events) : isOpening(events, before.events);

  if (moment === "after") owner.toDatabase.hold("back");
  else owner.toDatabase.hold("out", "opened");
  const answer = (change === "reset" ? post(`${account}/reset`, {}) : post(`${account}/import`, earlier, "PUT")).then(
    () => "acknowledged",
    messageOf,
  );
  if (moment === "after") await untilJournal(sandbox, (events) => !isDeepStrictEqual(events, before.events));
  else await owner.toDatabase.untilHolding("out");
  if (moment === "during") owner.toDatabase.mend();
  await sandbox.end(owner);
  const said = await answer;
  const found = await exported();

  const is = isDeepStrictEqual(found.events, before.events)
    ? "before"
    : isAfter(found)
      ? "after"
      : "neither before nor after";
  return judgeKill({ change, moment, said, is });
}

/** An import is the same when it is made twice, so the replica that was asked asks the next owner. */
function judgeKill({
  change,
  moment,
  said,
  is,
}: {
  change: Replacement;
  moment: KillMoment;
  said: string;
  is: string;
}): Problem[] {
  const name = `killed ${moment} the ${change} was written`;
  const isToldRightly = change === "import" ? said === "acknowledged" : BROKE_OFF.test(said);
  const wanted =
    change === "import" ? ["after"] : { before: ["before"], during: ["before", "after"], after: ["after"] }[moment];
  return [
    ...(isToldRightly ? [] : [wrong(`${name}, and whoever asked was told: ${said}`)]),
    ...(wanted.includes(is) ? [] : [wrong(`${name}: the account is as ${is} it`)]),
  ];
}

/** When a replica dies under a rehearsal: the owner before the rehearsal begins, in the middle or as it ends, or the one that was asked. */
type RehearsalMoment = "begins" | "runs" | "ends" | "runs, at the replica that was asked";

/** Rehearses on an account through another replica than its owner, and kills one of them. */
export async function killDuringRehearsal(command: string, moment: RehearsalMoment): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1 });
  const { owner, other } = await ownerAndOther(sandbox, ACCOUNT);
  const isAskedKilled = moment === "runs, at the replica that was asked";
  const [killed, left] = isAskedKilled ? [other, owner] : [owner, other];
  await using application = await startApplication(left);
  const before = await settingsAt(other);
  await orderOnce(other.url, ACCOUNT, { turn: 1, shillings: 10 });
  if (moment === "begins") owner.toDatabase.hold("out", "opened");
  const rehearsing = rehearse(command, { url: other.url, application: application.url });
  // A rehearsal that is over too early says why.
  await Promise.race([rehearsing, untilRehearsal(moment, { owner, application })]);
  await sandbox.end(killed);
  application.answer();
  const { exitCode, said } = await rehearsing;
  // What the command says to do.
  if (isAskedKilled) await post(`${left.url}/__admin/accounts/${ACCOUNT}/reset`, {});
  const isNotified = isAskedKilled ? exitCode === 3 && NOT_RESTORED.test(said) : exitCode === 0;
  const name = `killed while the rehearsal ${moment}`;
  return [
    ...(isNotified ? [] : [wrong(`${name}: it ended with ${exitCode} and said: ${said}`)]),
    ...(isDeepStrictEqual(await settingsAt(left), before) ? [] : [wrong(`${name}: the account is not as before`)]),
  ];
}

/** The kill may meet the command between two of its calls, or in the middle of one. */
const NOT_RESTORED =
  /^\.\/patience.yaml: (?:No sandbox answers at|\S+ accepted the connection but sent no answer) .* `kredo reset` gives it back what it had before\.$/m;

async function untilRehearsal(
  moment: RehearsalMoment,
  { owner, application }: { owner: Replica; application: Application },
): Promise<void> {
  if (moment !== "begins") await application.asked;
  if (moment === "ends") {
    owner.toDatabase.hold("out", "opened");
    application.answer();
  }
  if (moment === "begins" || moment === "ends") await owner.toDatabase.untilHolding("out");
}

/** Takes one order, and sends it to the gateway once it is told to. */
interface Application extends AsyncDisposable {
  readonly url: string;
  readonly asked: Promise<unknown>;
  answer(): void;
}

async function startApplication(gateway: Replica): Promise<Application> {
  const answering = new EventEmitter();
  const told = once(answering, "told");
  let status = "open";
  const answer = async (request: IncomingMessage): Promise<string> => {
    if (request.url === "/callback") status = "paid";
    if (request.url === "/orders") {
      answering.emit("asked");
      const { phone_number, amount } = JSON.parse(await text(request));
      const order = JSON.stringify({ phone_number, amount: String(amount) });
      await told;
      while (server.listening && (await isUnavailable(gateway, order))) await pause(50);
    }
    return JSON.stringify({ status });
  };
  const server = createServer((request, response) => void answer(request).then((said) => response.end(said)));
  const asked = once(answering, "asked");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    asked,
    answer: () => void answering.emit("told"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** While an account waits for its new owner, replicas answer 503 and sell nothing. */
async function isUnavailable({ url }: Replica, body: string): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${ACCOUNT}:secret`).toString("base64")}`;
  const headers = { "content-type": "application/json", authorization };
  const answer = await fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body }).catch(() => undefined);
  return answer === undefined || answer.status === 503;
}

/** What a rehearsal changes, and gives back. */
async function settingsAt({ url }: Replica): Promise<unknown[]> {
  const account = `${url}/__admin/accounts/${ACCOUNT}`;
  const { mode } = await get<{ mode: string }>(`${account}/clock`);
  return [mode, await get(`${account}/callbacks`), await get(`${account}/wallet`)];
}

/** A rehearsal that waits for the application and finds nothing. */
const REHEARSAL = `version: 1
name: patience
steps: [{ order: airtime }]
`;

const APP_MAP = `version: 1
application: http://localhost:3000
order:
  airtime:
    request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "{amount}" } }
status: { request: { url: "{app}/status" }, json_path: $.status, paid: paid, failed: failed, open: open }
callbacks: { airtime: "{app}/callback" }
`;

interface RehearseOptions {
  readonly url: string;
  readonly application: string;
}

function rehearse(command: string, { url, application }: RehearseOptions): Promise<{ exitCode: number; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-rehearsal-"));
  writeFileSync(join(folder, "patience.yaml"), REHEARSAL);
  writeFileSync(join(folder, "kredo.app.yaml"), APP_MAP);
  return new Promise((resolve) => {
    const words = ["rehearse", "./patience.yaml", "--url", url, "--app", application];
    execFile(process.execPath, [command, ...words], { cwd: folder }, (error, printed, complained) => {
      rmSync(folder, { recursive: true });
      resolve({ exitCode: Number(error?.code ?? 0), said: error === null ? printed : complained });
    });
  });
}

interface Exported {
  readonly events: readonly AccountEvent[];
}

/** The journal of an account that was reset: opened with the same settings, and nothing has happened since. */
function isOpening([opened, ...later]: readonly AccountEvent[], [before]: readonly AccountEvent[]): boolean {
  if (opened?.kind !== "opened" || before?.kind !== "opened") return false;
  return isDeepStrictEqual(opened.settings, before.settings) && later.every(({ kind }) => kind === "scenarios-changed");
}

async function untilJournal(sandbox: Replicas, isReached: (events: readonly AccountEvent[]) => boolean): Promise<void> {
  while (!isReached(await sandbox.journalOf(ACCOUNT))) await pause(20);
}

function wrong(text: string): Problem {
  return { kind: "wrong", text };
}

function urlAt({ running }: Replicas, turn: number): string {
  return running[turn % running.length]?.url ?? "";
}

/** While an account waits for its new owner, replicas answer 503. */
async function orderUntilAccepted(url: string, turn: number) {
  for (;;) {
    const answer = await orderOnce(url, ACCOUNT, { turn, shillings: 10 });
    if (answer.status === 200) return answer;
    await pause(20);
  }
}
