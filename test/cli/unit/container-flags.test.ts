import { expect, test } from "vitest";
import { containerFlags } from "../../../src/cli/commands/ready.ts";
import { run } from "../../../src/cli/run.ts";
import { playSandbox } from "../../support/played-sandbox.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const IMAGE = { KREDO_IMAGE: "1" };
const NODE = "/usr/local/bin/node\0/usr/local/bin/kredo\0";

function startedBy(cmdline: string) {
  return fakeTerminal({ files: { "/proc/1/cmdline": cmdline } }).files;
}

test.each([
  [NODE, []],
  [`${NODE}--port\x009000\0`, ["--port", "9000"]],
  [`${NODE}serve\0--port=9000\0--watch\0`, ["--port=9000", "--watch"]],
  ["/sbin/docker-init\0--\0kredo\0--port\x009000\0", ["--port", "9000"]],
  ["node\0/app/dist/kredo.js\0--scenario\0a b\0", ["--scenario", "a b"]],
  [`${NODE}exec\0--port\x001\0--\0npm\0`, []],
  ["/pause\0", []],
  ["", []],
])("finds in a container that %j started the flags %j", (cmdline, flags) => {
  expect(containerFlags(IMAGE, startedBy(cmdline))).toEqual(flags);
});

test("finds none outside the image, nor if nothing names them", () => {
  const outside = containerFlags({}, startedBy(`${NODE}--port\x009000\0`));
  const untold = containerFlags(IMAGE, fakeTerminal().files);

  expect({ outside, untold }).toEqual({ outside: [], untold: [] });
});

test("ready asks the port that the container was started with", async () => {
  await using sandbox = await playSandbox({ "GET /readyz": { status: 200 } });
  const files = { "/proc/1/cmdline": `${NODE}--port\0${sandbox.port}\0` };

  const exitCode = await run(["ready"], fakeTerminal({ env: { ...IMAGE, KREDO_HOST: "0.0.0.0" }, files }));

  expect(exitCode).toBe(0);
});
