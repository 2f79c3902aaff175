import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { folderIn, run } from "./run.ts";

const project = inject("installedWithPeers");
const tsc = new URL("../../node_modules/typescript/bin/tsc", import.meta.url).pathname;

// What is expected to be wrong would be right if a type were lost on the way and came out as any.
const PROGRAM = `
import { createSandbox, ControlError, type Account, type SandboxOptions, type TransactionJson } from "kredo";
import { startGateway, type Gateway } from "kredo/gateway";
import { useAccount } from "kredo/jest";
import { test as inPlaywright } from "kredo/playwright";
import "kredo/redirect";
import { KredoContainer, type StartedKredoContainer } from "kredo/testcontainers";
import { test as inVitest } from "kredo/vitest";

const options: SandboxOptions = { clock: "manual", seed: 1, accounts: [{ balance: "500.00" }] };
// @ts-expect-error -- no option has this name
const mistaken: SandboxOptions = { clocks: "manual" };
// @ts-expect-error -- no clock has this name
const noClock: SandboxOptions = { clock: "fast" };
// @ts-expect-error -- no effect has this name
const noScenario = (account: Account) => account.scenario({ version: 1, name: "a", rules: [{ name: "b", then: { explode: true } }] });
// @ts-expect-error -- no carrier has this name
const noCarrier = (account: Account) => account.scenario({ version: 1, name: "a", rules: [{ name: "b", when: { carrier: "safaricm" }, then: {} }] });
const scenario = (account: Account) => account.scenario({ version: 1, name: "a", rules: [{ name: "b", then: { refuse: 402 } }] });
const states: TransactionJson["state"][] = ["queued", "succeeded", "failed", "stuck"];
// @ts-expect-error -- no state has this name
const noState: TransactionJson["state"] = "lost";

async function rehearse(account: Account): Promise<number> {
  const [first] = await account.clock.advance("10m");
  // @ts-expect-error -- it is a string
  const request: number | undefined = first?.request_id;
  return (await account.wallet.read()).available;
}

async function mock(): Promise<string> {
  // @ts-expect-error -- no option has this name
  const mistaken: Promise<Gateway> = startGateway({ account: {} });
  await using gateway = await startGateway({ port: 0, accounts: [{ consumer_key: "shop", balance: "500.00" }] });
  return gateway.url;
}

// @ts-expect-error -- a clock is not a number
const noFixture = () => useAccount({ clock: 1 });
const fixture = (): Account => useAccount({ clock: "manual" }).account;
// @ts-expect-error -- a clock is not a number
inVitest("buys", ({ account }) => { const clock: number = account.clock; });
// @ts-expect-error -- a clock is not a number
inPlaywright("buys", async ({ account }) => { const clock: number = account.clock; });

async function everywhere(): Promise<void> {
  await mock();
  await using sandbox = await createSandbox(options);
  const kredo: StartedKredoContainer = await new KredoContainer("kredo").withConfig(options).withAccount({ balance: "5" }).start();
  await Promise.all([rehearse(sandbox), rehearse(await sandbox.account()), rehearse(kredo.account())]);
  await kredo.stop();
}

everywhere().catch((error: unknown) => error instanceof ControlError && error.status);
`;

const COMMON = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable", "dom"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  // The declarations of the peers take most of the time; one project below checks them.
  skipLibCheck: true,
};

test.each([
  ["node16", "use.mts", { module: "node16", moduleResolution: "node16" }],
  ["nodenext", "use.mts", { module: "nodenext", moduleResolution: "nodenext", skipLibCheck: false }],
  ["nodenext, from CommonJS", "use.cts", { module: "nodenext", moduleResolution: "nodenext" }],
  ["bundler", "use.ts", { module: "esnext", moduleResolution: "bundler" }],
])("is typed under %s", async (_, name, options) => {
  const folder = folderIn(project);
  writeFileSync(join(folder, name), PROGRAM);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...COMMON, ...options }, files: [name] }),
  );

  const checked = run(folder, process.execPath, tsc, "--singleThreaded", "-p", ".");

  await expect(checked).resolves.toBe("");
});

test.each([
  ["shared/account", "ConfigFile"],
  ["gateway", "GatewayOptions"],
])("%s.d.ts says before each key of %s what it means", (file, name) => {
  const declared = readFileSync(join(project, `node_modules/kredo/dist/lib/${file}.d.ts`), "utf8");

  const keys = [...declared.matchAll(new RegExp(`^interface ${name}\\w* \\{\n([^]*?)\n\\}`, "gm"))]
    .flatMap(([, body = ""]) => body.split(";\n"))
    .map((key) => key.trim());

  expect(keys).toContainEqual(
    expect.stringMatching(/^\/\*\* Fixes every id, delay and outcome\. .*\*\/\n *readonly seed\?: number$/),
  );
  expect(keys).toContainEqual(
    expect.stringMatching(/^\/\*\* The number of attempts, .*\*\/\n *readonly attempts\?: number$/),
  );
  expect(keys.filter((key) => !key.startsWith("/** "))).toEqual([]);
});
