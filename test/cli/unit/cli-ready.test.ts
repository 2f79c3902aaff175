import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { deserted, playSandbox } from "../../support/played-sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

test("is exit code 0 when the sandbox is ready", async () => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 200 } });

  const { exitCode, printed } = await kredo(["ready"], { env: { KREDO_PORT: String(sandbox.port) } });

  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: `Ready: ${sandbox.url}\n` });
});

test.each([
  ["KREDO_PORT", (port: number) => ({ env: { KREDO_PORT: String(port), PORT: "1" } })],
  ["KREDO_HOST for all addresses", (port: number) => ({ env: { KREDO_PORT: String(port), KREDO_HOST: "0.0.0.0" } })],
  ["PORT in the image", (port: number) => ({ env: { KREDO_IMAGE: "1", PORT: String(port) } })],
  [
    "a service link for KREDO_PORT in the image",
    (port: number) => ({ env: { KREDO_IMAGE: "1", KREDO_PORT: "tcp://10.0.0.1:8254", PORT: String(port) } }),
  ],
  ["KREDO_CONFIG_INLINE", (port: number) => ({ env: { KREDO_CONFIG_INLINE: `port: ${port}` } })],
  ["the config file", (port: number) => ({ files: { "kredo.config.yaml": `port: ${port}` } })],
])("looks where serve would listen with %s", async (_said, options) => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 200 } });

  const exitCode = await run(["ready"], fakeTerminal(options(sandbox.port)));

  expect(exitCode).toBe(0);
});

test("--config names the file that serve runs with", async () => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 200 } });

  const exitCode = await run(
    ["ready", "--config", "ci.yaml"],
    fakeTerminal({ files: { "ci.yaml": `port: ${sandbox.port}` } }),
  );

  expect(exitCode).toBe(0);
});

test("is exit code 1 while the sandbox is not ready", async () => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 503 } });

  const { exitCode, complained } = await kredo(["ready", "--url", sandbox.url]);

  expect({ exitCode, complained }).toEqual({ exitCode: 1, complained: `Not ready: ${sandbox.url} answers 503.\n` });
});

test.each([
  [200, 0, true, undefined],
  [503, 1, false, "answers 503"],
])("--json prints what a status of %i means", async (status, code, isReady, obstacle) => {
  await using sandbox = await playSandbox({ "GET /readyz": { status } });

  const { exitCode, printed } = await kredo(["ready", "--json", "--url", sandbox.url]);

  expect(exitCode).toBe(code);
  expect(JSON.parse(printed)).toEqual({ ready: isReady, url: sandbox.url, obstacle });
});

test("says what each replica owns, where several share the sandbox", async () => {
  await using sandbox = await playSandbox({
    "GET /readyz": { status: 200, text: "ready\nhttp://a owns 2 accounts\nhttp://b owns 1 account\n" },
  });

  const { printed } = await kredo(["ready", "--url", sandbox.url]);

  expect(printed).toBe(`Ready: ${sandbox.url}\nhttp://a owns 2 accounts\nhttp://b owns 1 account\n`);
});

test("says why a replica is not ready", async () => {
  await using sandbox = await playSandbox({
    "GET /readyz": { status: 503, text: "this replica cannot renew its lease\n" },
  });

  const { complained } = await kredo(["ready", "--url", sandbox.url]);

  expect(complained).toBe(`Not ready: ${sandbox.url} answers 503: this replica cannot renew its lease.\n`);
});

test("is exit code 1 where nobody answers", async () => {
  const url = await deserted();

  const { exitCode, complained } = await kredo(["ready", "--url", url]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 1,
    complained: `Not ready: ${url} does not answer (connection refused).\n`,
  });
});

test("--wait asks until it is ready", async () => {
  const statuses = [503, 503, 200];
  await using sandbox = await playSandbox({ "GET /readyz": () => ({ status: statuses.shift() ?? 500 }) });
  const terminal = fakeTerminal();

  const exitCode = await run(["ready", "--wait", "30s", "--url", sandbox.url], terminal);

  expect(exitCode).toBe(0);
  expect(statuses).toEqual([]);
  expect(terminal.pauses).toEqual([100, 100]);
});

test("--wait gives up when its time is over", async () => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 503 } });

  const { exitCode, complained } = await kredo(["ready", "--wait", "250ms", "--url", sandbox.url]);

  expect(exitCode).toBe(1);
  expect(sandbox.calls).toHaveLength(4);
  expect(complained).toBe(`Not ready within 250ms: ${sandbox.url} answers 503.\n`);
});

test.each([
  [{ KREDO_PORT: "plenty" }, /^KREDO_PORT: "plenty" is not a port; write the sandbox's port/],
  [{ KREDO_PORT: "0" }, /^KREDO_PORT: "0" means any free port; write the sandbox's port, or pass its URL with --url$/m],
])("%j is bad config", async (env, message) => {
  const { exitCode, complained } = await kredo(["ready"], { env });

  expect(exitCode).toBe(2);
  expect(complained).toMatch(message);
});
