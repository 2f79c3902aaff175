import { expect, test } from "vitest";
import { startWarnings } from "../../../src/cli/serve/start-warnings.ts";
import type { Variables } from "../../../src/cli/terminal/terminal.ts";
import { configSchema } from "../../../src/config.ts";
import { CALLBACK_URLS } from "../../../src/gateway/domain/callback-outcome.ts";
import { startTestSandbox } from "../../support/sandbox.ts";

const IMAGE = { KREDO_IMAGE: "1" };

test.each<[string, Variables, string[]]>([
  ["http://localhost:3000/hooks?token=secret", IMAGE, ["http://localhost:3000/hooks?…"]],
  ["http://127.0.0.1:3000/hooks", IMAGE, ["http://127.0.0.1:3000/hooks"]],
  ["http://[::1]:3000/hooks", IMAGE, ["http://[::1]:3000/hooks"]],
  ["http://shop:3000/hooks", IMAGE, []],
  ["http://host.docker.internal:3000/hooks", IMAGE, []],
  ["kredo:sink", IMAGE, []],
  ["http://localhost:3000/hooks", {}, []],
])("callbacks to %s with the environment %j are warned of as %j", async (url, env, named) => {
  const config = { accounts: [{ consumer_key: "a" }, { consumer_key: "b", callbacks: { sms: url } }] };
  await using sandbox = await startTestSandbox(config);

  const warnings = startWarnings(configSchema.parse(config), sandbox.running, env);

  expect(warnings).toEqual(
    named.map((shown) => expect.stringContaining(`warning: callbacks to ${shown} stay in this container`)),
  );
});

test.each([
  ["http://localhost:3000/hooks?token=secret", "http://host.docker.internal:3000/hooks?…"],
  ["http://me:secret@127.0.0.1/hooks", "http://…@host.docker.internal/hooks"],
  ["http://[::1]:3000/hooks", "http://host.docker.internal:3000/hooks"],
])("of %s, it says that this machine is %s", async (url, repaired) => {
  const config = { accounts: [{ callbacks: { airtime: url } }] };
  await using sandbox = await startTestSandbox(config);

  const [warning] = startWarnings(configSchema.parse(config), sandbox.running, IMAGE);

  expect(warning).toContain(
    `write ${repaired} for this machine (on Linux with --add-host host.docker.internal:host-gateway)`,
  );
});

test.each(CALLBACK_URLS)("warns of the callback URL %s", async (key) => {
  const config = { accounts: [{ callbacks: { [key]: "http://localhost:3000/" } }] };
  await using sandbox = await startTestSandbox(config);

  expect(startWarnings(configSchema.parse(config), sandbox.running, IMAGE)).toHaveLength(1);
});
