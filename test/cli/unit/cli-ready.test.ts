import { expect, test } from "vitest";
import { kredo } from "../../support/kredo.ts";
import { deserted, playSandbox } from "../../support/played-sandbox.ts";
import { run } from "../../../src/cli/run.ts";
import { fakeTerminal, type FakeTerminalOptions } from "../../support/terminal.ts";

test.each<[string, (port: number) => FakeTerminalOptions, string[]]>([
  ["KREDO_PORT", (port) => ({ env: { KREDO_PORT: String(port), PORT: "1" } }), []],
  ["KREDO_HOST for all addresses", (port) => ({ env: { KREDO_PORT: String(port), KREDO_HOST: "0.0.0.0" } }), []],
  ["PORT in the image", (port) => ({ env: { KREDO_IMAGE: "1", PORT: String(port) } }), []],
  [
    "a service link for KREDO_PORT in the image",
    (port) => ({ env: { KREDO_IMAGE: "1", KREDO_PORT: "tcp://10.0.0.1:8254", PORT: String(port) } }),
    [],
  ],
  ["KREDO_CONFIG_INLINE", (port) => ({ env: { KREDO_CONFIG_INLINE: `port: ${port}` } }), []],
  ["the config file", (port) => ({ files: { "kredo.config.yaml": `port: ${port}` } }), []],
  ["--config", (port) => ({ files: { "ci.yaml": `port: ${port}` } }), ["--config", "ci.yaml"]],
])("looks where serve would listen with %s", async (_said, options, flags) => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 200 } });

  const { exitCode, printed } = await kredo(["ready", ...flags], options(sandbox.port));

  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: `Ready: http://127.0.0.1:${sandbox.port}\n` });
});

const OWNERS = "http://a owns 2 accounts\nhttp://b owns 1 account\n";

test.each([
  [200, `ready\n${OWNERS}`, { exitCode: 0, printed: `\n${OWNERS}`, complained: "" }],
  [503, "", { exitCode: 1, printed: "", complained: " answers 503.\n" }],
  [503, "no lease\n", { exitCode: 1, printed: "", complained: " answers 503: no lease.\n" }],
])("says what a status of %i with the text %j means", async (status, text, { exitCode, printed, complained }) => {
  await using sandbox = await playSandbox({ "GET /readyz": { status, text } });

  expect(await kredo(["ready", "--url", sandbox.url])).toEqual({
    exitCode,
    printed: printed && `Ready: ${sandbox.url}${printed}`,
    complained: complained && `Not ready: ${sandbox.url}${complained}`,
  });
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

test("exits with 1 if nothing answers", async () => {
  const url = await deserted();

  const { exitCode, complained } = await kredo(["ready", "--url", url]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 1,
    complained: `Not ready: ${url} does not answer (connection refused).\n`,
  });
});

test.each([
  ["30s", [503, 503, 200], 0, [100, 100]],
  ["250ms", [503, 503, 503, 503], 1, [100, 100, 100]],
])("--wait %s asks until it is ready, or its time is over", async (time, statuses, code, pauses) => {
  const left = [...statuses];
  await using sandbox = await playSandbox({ "GET /readyz": () => ({ status: left.shift() ?? 500 }) });
  const terminal = fakeTerminal();

  const exitCode = await run(["ready", "--wait", time, "--url", sandbox.url], terminal);

  expect({ exitCode, left, pauses: terminal.pauses }).toEqual({ exitCode: code, left: [], pauses });
  expect(terminal.complained()).toBe(code === 0 ? "" : `Not ready within ${time}: ${sandbox.url} answers 503.\n`);
});
