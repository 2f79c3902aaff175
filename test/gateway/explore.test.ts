import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { type Cell, faultsAt } from "../../src/exploration/cell.ts";
import { playRandom } from "../../src/exploration/random.ts";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { openShell, type Routes } from "../backends/http-shell.ts";
import { MUTANTS, pairFlags, SOUND_SHOPS } from "../backends/shops/mutants.ts";
import type { Defect } from "../backends/shops/shop.ts";
import type { Pause } from "../../src/ports/pause.ts";
import { SYSTEM } from "../support/system-terminal.ts";
import { exploreAt, type Explored, exploreMutant, exploreSound, replayMutant } from "../support/explored.ts";

/** Some of each group, so that a test takes a second. */
const SOME = [
  "refused-422",
  "proxy-502-after-accept",
  "reset-after-accept",
  "result-failed",
  "callback-twice-at-once",
  "callback-before-ack",
];

function only(faults: readonly string[]): string[] {
  return faults.flatMap((fault) => ["--fault", fault]);
}

test("a sound shop has no defect, and holds open what it cannot know", async () => {
  const { exitCode, json } = await exploreSound("like Django", only(SOME));

  expect(json.defects).toEqual([]);
  expect(json.singles).toEqual({ done: 12, total: 12 });
  expect(Object.fromEntries(json.cells.map(({ id, verdict }) => [id, verdict]))).toMatchObject({
    "airtime-plain": "right",
    "airtime-1-refused-422": "right",
    "airtime-1-reset-after-accept": "needs a person",
    "sms-1-callback-before-ack": "right",
  });
  expect(exitCode).toBe(0);
});

test("an order that is sent again after silence is sold twice: one defect, with its exchanges and every cell that has it", async () => {
  const { exitCode, json } = await exploreMutant(
    "sends again after silence",
    only(["reset-after-accept", "empty-after-accept", "callback-twice"]),
  );

  expect(json.defects).toEqual([
    expect.objectContaining({
      kind: "sold twice",
      sentence: "One order was sold more than once when the connection is reset, and the order is accepted.",
      cells: expect.arrayContaining(["airtime-1-reset-after-accept", "sms-1-reset-after-accept", "airtime-1-empty-after-accept"]),
    }),
  ]);
  const cell = json.cells.find(({ id }) => id === "airtime-1-reset-after-accept");
  expect(cell?.seen).toContain("2 requests, 2 accepted, 2 delivered");
  expect(cell?.exchanges.filter(({ title }) => title.startsWith("POST /api/v2/airtime"))).toHaveLength(2);
  expect(exitCode).toBe(1);
});

test("two callbacks at the same moment show a receiver that checks before it debits", async () => {
  const { json } = await exploreMutant("checks, then debits 80 ms later", only(SOME));

  expect(json.defects).toEqual([expect.objectContaining({ kind: "debited wrongly", cells: ["airtime-1-callback-twice-at-once"] })]);
});

test("an application that does not call the sandbox is told so in one sentence, and nothing is touched", async () => {
  await using sandbox = await createSandbox();
  const appMap = `version: 1
application: ${sandbox.url}
order: { airtime: { request: { url: "{app}/health", json: { to: "{phone_number}" } } } }
callbacks: { airtime: "{app}/hooks" }
settle: 50ms
`;

  const { exitCode, complained, printed } = await exploreAt(sandbox, appMap, []);

  expect(complained).toContain("and no request reached the sandbox: point the application at");
  expect(printed).toBe("");
  expect(exitCode).toBe(3);
  const clock = await fetch(`${sandbox.url}/__admin/accounts/default/clock`);
  expect(await clock.json()).toMatchObject({ mode: "real" });
});

test("an app map whose fields the application does not read is told so, with what the gateway misses", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox);

  const { exitCode, complained } = await exploreAt(sandbox, shop.appMap.replace(', amount: "105"', ""), []);

  expect(complained).toContain("refuses its request with 422");
  expect(complained).toContain("amount: ");
  expect(complained).toContain("correct order.airtime.request in the app map");
  expect(exitCode).toBe(3);
});

test("an application that compares result_code with text is told so", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox);

  const { exitCode, complained } = await exploreAt(sandbox, shop.appMap, []);

  expect(complained).toContain('is shown as "failed", and as paid once result_code is the text "200"');
  expect(complained).toContain("gateway.result_code_type");
  expect(exitCode).toBe(3);
});

/** Takes an order as paid where its result_code is 200, as text or as a number. */
async function startTextShop({ url, consumerKey, consumerSecret }: Sandbox, type: "text" | "number" = "text") {
  const success = type === "text" ? '"result_code":"200"' : '"result_code":200';
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}`;
  const headers = { authorization, "content-type": "application/json" };
  let status = "open";
  const routes: Routes = {
    "POST /orders": async ({ text }) => {
      status = "open";
      await fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body: text });
      return { status: 201 };
    },
    "GET /order": () => ({ status: 200, json: { status } }),
    "POST /hooks": ({ text }) => {
      status = text.includes(success) ? "paid" : "failed";
      return { status: 200 };
    },
  };
  const shop = await openShell(0, routes, () => {});
  const appMap = `version: 1
application: ${shop.url}
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "105" } } } }
status: { request: { url: "{app}/order" }, json_path: $.status, paid: paid, failed: failed, open: open }
callbacks: { airtime: "{app}/hooks" }
settle: 50ms
`;
  return { ...shop, appMap };
}

test("points that a retry uncovers are explored too", async () => {
  const { json } = await exploreSound("queue worker", only(["refused-429", "reset-after-accept"]));

  expect(json.defects).toEqual([]);
  expect(json.cells.map(({ id }) => id)).toContain("airtime-1-refused-429-and-airtime-2-reset-after-accept");
});

test("questions for account details are points too: those of a plain order, and those that a fault brings about", async () => {
  const [asksBefore, asksAfterSilence] = await Promise.all([
    exploreMutant("keeps the money when it cannot read its balance", only(["refused-500", "hang-before-accept"])),
    exploreMutant("fails an order after silence when it cannot read its balance", only(["reset-after-accept", "reset-before-accept"])),
  ]);

  expect(asksBefore.json.defects).toEqual([
    expect.objectContaining({
      kind: "not refunded",
      sentence: expect.stringContaining("refuses with 500, internal server error (1st account-details request (airtime))."),
      cells: ["airtime-details-1-refused-500", "airtime-details-1-hang-before-accept"],
    }),
  ]);
  expect(asksAfterSilence.json.defects).toEqual([
    expect.objectContaining({
      kind: "delivered, but shown failed",
      cells: expect.arrayContaining(["airtime-1-reset-after-accept-and-airtime-details-1-reset-before-accept"]),
    }),
  ]);
});

test("credentials that are revoked between two orders show what becomes of the first", async () => {
  const replayed = await replayMutant("fails every open order after a 401", only(["refused-401", "credentials-revoked"]));

  expect(replayed).toEqual([
    {
      exitCode: 1,
      printed: expect.stringMatching(/when the credentials are revoked between two orders.*1 of 2 orders: the order was delivered/s),
    },
  ]);
});

test("what is not refunded after the credentials are revoked is told as that, also where two orders share a balance", async () => {
  const { json } = await exploreMutant("never refunds", only(["credentials-revoked"]));

  expect(json.defects.map(({ kind }) => kind)).toEqual(["not refunded"]);
});

test("pairs show what no fault alone does: two of one order, or one of an airtime order beside one of an SMS", async () => {
  const [ofOne, beside] = await Promise.all([
    explorePairs("debits for each callback that names the number of an order without an answer"),
    explorePairs("gives a callback that it does not know to the only order without an answer"),
  ]);

  expect(ofOne.json.defects).toEqual([
    expect.objectContaining({ kind: "debited wrongly", cells: ["airtime-1-reset-after-accept-and-airtime-1-callback-twice"] }),
  ]);
  expect(beside.json.defects).toEqual([
    expect.objectContaining({
      kind: "shown paid, never delivered",
      sentence: expect.stringMatching(/is not accepted \(1st airtime request\), and the callback .* \(1st sms request\)\.$/),
      cells: [
        "airtime-1-reset-before-accept-beside-sms-1-callback-unknown-request-id",
        "airtime-1-callback-unknown-request-id-beside-sms-1-reset-before-accept",
      ],
    }),
  ]);
});

function explorePairs(defect: Defect): Promise<Explored> {
  return exploreMutant(defect, pairFlags(MUTANTS[defect]));
}

test("on a machine that is too busy, an application that is only slow is not accused", async () => {
  await using sandbox = await createSandbox();
  const { url, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await SOUND_SHOPS[MUTANTS["drops early callbacks"].shop]({
    gateway: url,
    key,
    secret,
    defect: "drops early callbacks",
  });
  let late = 0;
  const clock = { ...SYSTEM.clock, now: () => SYSTEM.clock.now() + late };
  const pause: Pause = async (wait, signal) => {
    await SYSTEM.pause(wait, signal);
    late += 500;
  };

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(["callback-before-ack"])], { clock, pause });

  const cell = json.cells.find(({ id }) => id === "airtime-1-callback-before-ack");
  expect(cell).toMatchObject({ verdict: "not assessed", seen: expect.stringContaining("the machine was too busy") });
  expect([exitCode, json.defects]).toEqual([0, []]);
});

test("what is printed fits on 80 columns without color: a line for each fault, a column for each point", async () => {
  const { printed } = await exploreMutant("drops early callbacks", only(["callback-before-ack", "result-failed"]), "text");

  expect(printed).toContain("  callback-before-ack             X  X\n");
  expect(printed).toContain("  result-failed                   ·  ·\n");
  expect(printed).toContain("1. STUCK ALTHOUGH IT WAS TOLD");
  expect(printed).toContain("repair: Store every callback");
  expect(printed).toContain("1 defect. 4 of 4 single faults");
});

test("in a terminal of 80 columns, the matrix grows line over line, and leaves no trace", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");

  const { complained } = await exploreAt(sandbox, shop.appMap, only(["result-failed", "callback-dropped"]), { columns: 80 });

  const frames = complained.split("\u001b[2K").map((frame) => stripVTControlCharacters(frame).replaceAll("\r", ""));
  const last = frames.findLast((frame) => frame !== "");
  expect(last).toMatch(/^ {2}1st airtime request +· +\?\nsingle faults: 2 of 2 single faults; 0 defects$/);
  expect(Math.max(...frames.flatMap((frame) => frame.split("\n")).map((line) => line.length))).toBeLessThan(80);
  expect(frames.at(-1)).toBe("");
});

test("a map that is missing, or wrong, is said so", async () => {
  await using sandbox = await createSandbox();

  const { exitCode, complained } = await exploreAt(sandbox, "version: 1\n", []);

  expect(complained).toContain("kredo.app.yaml");
  expect(exitCode).toBe(2);
});

test("the growing report is there for the dashboard, and each form of report has every cell", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");
  const folder = mkdtempSync(join(tmpdir(), "kredo-reports-"));
  const reports = ["json", "xml", "html"].map((form) => join(folder, `report.${form}`));

  await exploreAt(sandbox, shop.appMap, [...only(["result-failed"]), ...reports.flatMap((path) => ["--report", path])]);

  const [json = "", xml = "", html = ""] = reports.map((path) => readFileSync(path, "utf8"));
  const shown = await fetch(`${sandbox.url}/__admin/accounts/default/exploration`);
  const expected = { is_over: true, cells: [{ id: "airtime-plain" }, { id: "airtime-1-result-failed", exchanges: [{}, {}] }] };
  expect(await shown.json()).toMatchObject(expected);
  expect(JSON.parse(json)).toMatchObject(expected);
  expect(xml).toContain('<testcase name="airtime: the carrier fails the order"');
  expect(html).toContain("airtime: the carrier fails the order");
});

test("a rehearsal of each defect plays it again", async () => {
  const replayed = await replayMutant("takes silence for failure", only(["reset-after-accept", "result-failed"]));

  expect(replayed).toEqual([
    { exitCode: 1, printed: expect.stringContaining("the order was delivered, but the application shows it as failed") },
  ]);
});

test("orders that are mixed up show beside one another, although each alone is right", async () => {
  const { exitCode, json } = await exploreMutant("gives every callback to the newest open order", only(["result-failed", "callback-late"]));

  expect(json.defects.map(({ kind }) => kind)).toContain("delivered, but shown failed");
  expect(exitCode).toBe(1);
});

function isSeveralWithFault(cells: readonly Cell[]): boolean {
  return cells.length > 1 && cells.some((cell) => cell.faults.length > 0);
}

test("a random course that goes wrong is shrunk to the smallest", async () => {
  const faults = faultsAt({ operation: "airtime", isDetails: false, nth: 1 });

  const smallest = await playRandom({
    courses: 50,
    seed: 7,
    operations: ["airtime"],
    faults,
    run: async (cells) => cells,
    isBroken: isSeveralWithFault,
    isOver: () => false,
    onCourse: () => {},
  });

  expect(smallest?.map((cell) => cell.faults.length).toSorted()).toEqual([0, 1]);
});

test("random courses accuse no sound shop", async () => {
  const { exitCode, json } = await exploreSound("like Laravel", [
    ...only(["callback-twice", "result-failed", "reset-after-accept"]),
    "--random",
    "6",
  ]);

  expect(json.defects).toEqual([]);
  expect(exitCode).toBe(0);
});
