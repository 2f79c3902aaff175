import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const LAUNCHER = new URL("../../backends/start.js", import.meta.url).pathname;

test.each(["sound", "naive"])("the %s backend can be started by hand", async (kind) => {
  const child = spawn(process.execPath, [LAUNCHER, kind], {
    env: { ...process.env, PORT: "0", KREDO_BASE_URL: "http://127.0.0.1:9" },
  });

  const [said] = await once(child.stdout, "data");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(said))?.[0];
  const answer = await fetch(`${url}/health`);
  child.kill();

  expect(String(said)).toBe(`The ${kind} backend listens on ${url} and calls http://127.0.0.1:9.\n`);
  expect(await answer.json()).toMatchObject({ status: "up" });
});

test("an unknown backend ends the launcher with exit code 2 and the list of backends", async () => {
  const child = spawn(process.execPath, [LAUNCHER, "perfect"]);

  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);

  expect(code).toBe(2);
  expect(complaint).toBe("Say which backend: `node test/backends/start.js sound`, or naive.\n");
});
