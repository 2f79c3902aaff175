import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import type { Backend } from "../backends/http-shell.ts";
import { startNaiveBackend } from "../backends/naive.ts";
import type { BackendOptions } from "../backends/reference-backend.ts";
import { startSoundBackend } from "../backends/sound.ts";
import { shopMap } from "../support/shop-map.ts";
import { copyStories, FAULTY, ordinaryStories, SOLD_TWICE, withoutScenario } from "./copied-stories.ts";
import { openDashboard } from "./dashboard-session.ts";
import { compile, paste, play } from "./pasted-tests.ts";
import { startReceiver } from "./receiver.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

const run = promisify(execFile);

const { faulty, ordinary, twice } = await copyAll();
const once = twice.replace(/ {2}await account\.clock\.advance\("120s"\);\n.*\n/, "");

const without = withoutScenario(faulty);
const played = await play({ ...faulty, ...without, ...ordinary, twice, once, ...withoutScenario({ once }) });

/** Copies every story, on one sandbox. */
async function copyAll() {
  await using sandbox = await createSandbox({ clock: "manual" });
  await using failing = await startReceiver();
  await using silent = await startReceiver();
  failing.answerWith(500);
  silent.hold();
  const { "sold twice": twice = "" } = await copyStories(sandbox, SOLD_TWICE);
  return {
    faulty: await copyStories(sandbox, FAULTY),
    ordinary: await copyStories(sandbox, ordinaryStories(failing.url, silent.url)),
    twice,
  };
}

test("a copied test passes as pasted, and fails without its fault", () => {
  expect(Object.keys(faulty).filter((name) => played[name] !== "passed")).toEqual([]);
  expect(Object.keys(without).filter((name) => played[name] === "passed")).toEqual([]);
});

test("a copied test has the receiver that its account had: one that fails, is silent or not there, or none", () => {
  expect(Object.keys(ordinary).filter((name) => played[name] !== "passed")).toEqual([]);
  expect(Object.fromEntries(Object.entries(ordinary).map(([name, text]) => [name, toldIn(text)]))).toEqual({
    ordinary: '"delivered"',
    failing: '"your receiver: 500"',
    "failing again": '"your receiver: 500 ×3"',
    silent: 'expect.stringContaining("your receiver: no answer")',
    "not there": '"nothing listening"',
    none: '"not sent: no callback URL"',
    invalid: undefined,
    "sent again": '"your receiver: 500"',
  });
});

/** What a copied test asserts of what was told. */
function toldIn(text: string): string | undefined {
  return /told: (.*), got: /.exec(text)?.[1];
}

test("copied tests have nothing for the compiler to complain of", async () => {
  expect(await compile({ ...faulty, ...ordinary, twice })).toEqual([]);
});

test("a copied test of an order that was sold twice fails, and passes once the order is sent once", () => {
  const { twice: asCopied, once: sentOnce, "once, without": withoutFault } = played;

  expect({ asCopied, sentOnce, withoutFault }).toEqual({
    asCopied: expect.stringContaining("sold 2×: expected 2 to be 1"),
    sentOnce: "passed",
    withoutFault: expect.stringContaining("to match object"),
  });
});

test("a copied rehearsal shows the defect of a backend that has it, and none without its fault or of a sound backend", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  const { "sold twice": rehearsal = "" } = await copyStories(sandbox, SOLD_TWICE, "Rehearsal");
  const without = rehearsal.replace(/scenario: [^]*?\n\}\n/, "");

  const printed = await Promise.all([
    rehearse(rehearsal, (access) => startNaiveBackend(access)),
    rehearse(without, (access) => startNaiveBackend(access)),
    rehearse(rehearsal, (access) => startSoundBackend({ ...access, backOff: 100 })),
  ]);

  expect(printed).toEqual([
    expect.stringContaining("SOLD TWICE"),
    expect.stringContaining("No defect"),
    expect.stringContaining("No defect"),
  ]);
});

/** What `kredo rehearse` prints of a pasted rehearsal with a backend. */
async function rehearse(rehearsal: string, start: (access: BackendOptions) => Promise<Backend>): Promise<string> {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using backend = await start({ port: 0, gateway, key, secret });
  const folder = paste({ pasted: rehearsal }, ".yaml");
  writeFileSync(`${folder}/kredo.app.yaml`, shopMap(backend.url));
  const kredo = new URL("../../dist/kredo.js", import.meta.url).pathname;
  const command = [kredo, "rehearse", "pasted.yaml", "--url", gateway];
  const { stdout }: { stdout: string } = await run("node", command, { cwd: folder }).catch((failed) => failed);
  return stdout;
}

test("the page copies the tests of the order that it shows", async () => {
  await using session = await openDashboard({ accounts: [{ callbacks: { airtime: "kredo:sink" } }] });
  const { page, sandbox, context } = session;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await sandbox.scenario({ name: "ack-lost-after-accept" });
  await sendAirtime(sandbox, "254712345678", "75").catch(() => "");
  await sandbox.clock.advance("1m");
  await session.visit("requests");
  await page
    .getByRole("row", { name: /712 345 678/ })
    .getByRole("link")
    .click();

  await page.getByRole("button", { name: "Copy…" }).click();
  await page.getByRole("button", { name: "Vitest: copy as test" }).click();

  await expect(page.getByRole("button", { name: "Vitest: copy as test" })).toHaveText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(await play({ copied })).toEqual({ copied: "passed" });
});
