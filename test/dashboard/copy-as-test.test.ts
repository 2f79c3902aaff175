import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { startSoundBackend } from "../backends/sound.ts";
import { shopMap } from "../support/shop-map.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;

test("an order that was asked twice, a refused one and an empty wallet are copied as tests that pass as pasted", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox, context } = session;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await sendAirtime(sandbox, "254700000602", "100").catch(() => "");
  await sendAirtime(sandbox, "254700000602", "100").catch(() => "");
  await sandbox.scenario({
    version: 1,
    name: "busy",
    rules: [{ name: "it's busy", when: { operation: "sms" }, then: { refuse: 429 } }],
  });
  await sendSms(sandbox, "254733456789", "It's “curly” \\ 🚚");
  await sandbox.wallet.set("10");
  await sendAirtime(sandbox, "254712345678", "50");
  await session.visit("requests");

  const lost = await copied(page, /700 000 602/);
  const refused = await copied(page, /733 456 789/);
  const poor = await copied(page, /712 345 678/);

  expect({
    compiled: await compile([lost, refused, poor]),
    vitest: await playVitest([lost, refused, poor]),
    phpunit: await playPhpUnit([lost, refused, poor]),
    rehearsals: await rehearse([lost, refused]),
  }).toEqual({
    compiled: [],
    vitest: expect.stringMatching(/Tests\s+3 passed/),
    phpunit: expect.stringContaining("OK (3 tests, 7 assertions)"),
    rehearsals: expect.stringContaining("No defect; 2 trials"),
  });
}, 240_000);

interface Copied {
  readonly vitest: string;
  readonly phpunit: string;
  readonly rehearsal: string;
}

async function copied(page: Page, row: RegExp): Promise<Copied> {
  await page.getByRole("row", { name: row }).getByRole("link").click();
  const copy = async (name: string): Promise<string> => {
    await page.getByRole("button", { name: `${name}: copy as test` }).click();
    await expect(page.getByRole("button", { name: `${name}: copy as test` })).toHaveText("Copied");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const texts = { vitest: await copy("Vitest"), phpunit: await copy("PHPUnit"), rehearsal: await copy("Rehearsal") };
  await page.keyboard.press("Escape");
  return texts;
}

function paste(all: readonly string[], nameOf: (index: number, text: string) => string): string {
  const folder = mkdtempSync(`${tmpdir()}/kredo-pasted-`);
  for (const [index, text] of all.entries()) writeFileSync(`${folder}/${nameOf(index, text)}`, text);
  return folder;
}

/** What the compiler says of the pasted files. */
async function compile(all: readonly Copied[]): Promise<readonly string[]> {
  const folder = paste(
    all.map(({ vitest }) => vitest),
    (index) => `pasted-${index}.test.ts`,
  );
  symlinkSync(`${ROOT}node_modules`, `${folder}/node_modules`);
  writeFileSync(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  const paths = { "kredo/vitest": [`${ROOT}src/testing/fixtures/vitest.ts`] };
  const settings = { extends: `${ROOT}tsconfig.json`, compilerOptions: { noEmit: true, paths }, include: ["*.ts"] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(settings));
  const { stdout }: { stdout: string } = await run("node", [
    `${ROOT}node_modules/typescript/bin/tsc`,
    "-p",
    folder,
  ]).catch((failed) => failed);
  return stdout.split("\n").filter((line) => line.includes("pasted-"));
}

async function playVitest(all: readonly Copied[]): Promise<string> {
  const folder = paste(
    all.map(({ vitest }) => vitest),
    (index) => `pasted-${index}.test.ts`,
  );
  symlinkSync(`${ROOT}node_modules`, `${folder}/node_modules`);
  const alias = { "kredo/vitest": `${ROOT}src/testing/fixtures/vitest.ts` };
  writeFileSync(
    `${folder}/vitest.config.mjs`,
    `export default ${JSON.stringify({ root: folder, resolve: { alias } })};`,
  );
  const env = { ...process.env, NO_COLOR: "1", VITEST: undefined, VITEST_WORKER_ID: undefined };
  const { stdout } = await run("node", [`${ROOT}node_modules/vitest/vitest.mjs`, "run", "--root", folder], {
    env,
    cwd: folder,
  }).catch((failed) => failed);
  return stdout;
}

async function playPhpUnit(all: readonly Copied[]): Promise<string> {
  await using sandbox = await createSandbox();
  const folder = paste(
    all.map(({ phpunit }) => phpunit),
    (_, text) => `${/final class (\w+)/.exec(text)?.[1]}.php`,
  );
  copyFileSync(`${ROOT}clients/php/Kredo.php`, `${folder}/Kredo.php`);
  const { stdout } = await run("phpunit", ["--do-not-cache-result", folder], {
    env: { ...process.env, KREDO_URL: sandbox.url },
  }).catch((failed) => failed);
  return stdout;
}

/** What `kredo rehearse` prints with the sound backend. */
async function rehearse(all: readonly Copied[]): Promise<string> {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using backend = await startSoundBackend({ port: 0, gateway, key, secret, backOff: 100 });
  const folder = paste(
    all.map(({ rehearsal }) => rehearsal),
    (index) => `pasted-${index}.yaml`,
  );
  writeFileSync(`${folder}/kredo.app.yaml`, shopMap(backend.url));
  const files = all.map((_, index) => `pasted-${index}.yaml`);
  const { stdout }: { stdout: string } = await run(
    "node",
    [`${ROOT}dist/kredo.js`, "rehearse", ...files, "--url", gateway],
    { cwd: folder },
  ).catch((failed) => failed);
  return stdout;
}
