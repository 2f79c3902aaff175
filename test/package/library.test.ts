import { expect, inject, test } from "vitest";
import { node } from "./run.ts";

const installed = inject("installed");
const installedWithPeers = inject("installedWithPeers");

const USE = `
  const sandbox = await createSandbox({ clock: "manual", seed: 1, accounts: [{ callbacks: { airtime: "kredo:sink" } }] });
  const body = JSON.stringify({ phone_number: "254712345678", amount: "100" });
  const answer = await sandbox.fetch("/api/v2/airtime", { method: "POST", headers: { "content-type": "application/json" }, body });
  const fired = await sandbox.clock.advance("1m");
  const { available } = await sandbox.wallet.read();
  const fresh = await sandbox.account();
  console.log(JSON.stringify([answer.status, fired.length, available, typeof fresh.consumerKey]));
  await sandbox.close();
`;

test.each([
  ["an ES module", "use.mjs", `import { createSandbox } from "kredo"; ${USE}`],
  ["CommonJS", "use.cjs", `const { createSandbox } = require("kredo"); (async () => { ${USE} })();`],
])("makes a sandbox in process for %s", async (_, name, program) => {
  const printed = await node(installed, name, program);

  expect(JSON.parse(printed)).toEqual([200, 1, 9905, "string"]);
});

test.each([
  ["kredo", "createSandbox"],
  ["kredo/gateway", "startGateway"],
])(
  "shows the program's own line and the message for a wrong option, and nothing of %s's bundle",
  async (from, name) => {
    const program = `import { ${name} } from "${from}";\nawait ${name}({ clocks: "manual" });`;

    await expect(node(installed, "mistaken.mjs", program)).rejects.toMatchObject({
      stderr: expect.stringMatching(
        new RegExp(
          `^file://.*/mistaken.mjs:2\nawait ${name}.*\n +\\^\n\nTypeError: clocks is not a key; did you mean "clock"`,
        ),
      ),
    });
  },
);

test("calls back over HTTP from the installed package", async () => {
  const program = `
    import { createServer } from "node:http";
    import { once } from "node:events";
    import { createSandbox } from "kredo";
    const server = createServer((request, response) => { console.log(request.url); response.end(); });
    await once(server.listen(0), "listening");
    const sandbox = await createSandbox({ clock: "manual", accounts: [{ callbacks: { sms: \`http://localhost:\${server.address().port}/hooks\` } }] });
    const body = JSON.stringify({ phone_number: "254712345678", sender_id: "SANDBOX", message: "Habari" });
    await sandbox.fetch("/api/v2/sms", { method: "POST", headers: { "content-type": "application/json" }, body });
    await sandbox.clock.advance("1m");
    await sandbox.close();
    server.close();
    server.closeAllConnections();
  `;

  expect(await node(installed, "call-back.mjs", program)).toBe("/hooks");
});

test("finds the schemas", async () => {
  const program = `console.log(require("kredo/schema/config.schema.json").type, require("kredo/package.json").name);`;

  expect(await node(installed, "schema.cjs", program)).toBe("object kredo");
});

test.each([
  [
    "an ES module",
    "use.mjs",
    `import { KredoContainer } from "kredo/testcontainers"; console.log(typeof new KredoContainer().withScenario("callback-never").start);`,
  ],
  [
    "CommonJS",
    "use.cjs",
    `const { KredoContainer } = require("kredo/testcontainers"); console.log(typeof new KredoContainer().withScenario("callback-never").start);`,
  ],
])("gives the container of kredo/testcontainers to %s", async (_, name, program) => {
  expect(await node(installedWithPeers, name, program)).toBe("function");
});
