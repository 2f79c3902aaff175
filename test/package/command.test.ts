import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { startSoundBackend } from "../backends/sound.ts";
import { folderIn, kredo, run, serve } from "./run.ts";

const installed = inject("installed");

test("prints its version, under npx in a folder of the project", async () => {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(installed, "node_modules/kredo/package.json"), "utf8"),
  );

  expect(await run(folderIn(installed), "npx", "--no-install", "kredo", "--version")).toBe(version);
});

test("lists the shipped scenarios and rehearsals", async () => {
  const listed = await kredo(installed, "list");

  expect(listed).toContain("magic-numbers");
  expect(listed).toContain("flaky-gateway");
});

test("writes files for a project, and finds no mistake in them", async () => {
  const folder = folderIn(installed);

  await kredo(folder, "init");
  const validated = kredo(folder, "validate", "kredo.config.yaml", "scenarios/weak-network.yaml");

  await expect(validated).resolves.toBeDefined();
});

test("says where a mistake is, with exit code 2", async () => {
  const validated = kredo(installed, "validate", "no-such-file.yaml");

  await expect(validated).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining("no-such-file.yaml") });
});

test("serves the gateway, the dashboard, metrics, and profiles made up", async () => {
  await using sandbox = await serve(installed);

  const statuses = await Promise.all(
    ["/", "/metrics", "/readyz"].map(async (path) => (await fetch(`${sandbox.url}${path}`)).status),
  );
  const opened = await fetch(`${sandbox.url}/__admin/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { consumer_key: key, consumer_secret: secret }: Record<string, string> = JSON.parse(await opened.text());
  const details = await fetch(`${sandbox.url}/api/v2/account-details`, {
    headers: { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}` },
  });

  expect(statuses).toEqual([200, 200, 200]);
  expect(await details.json()).toMatchObject({ organization: { name: expect.any(String) } });
});

test("Ctrl-C under npx stops the sandbox in order, and ends npx by the signal, which a shell shows as 130", async () => {
  const serving = spawn("npx", ["kredo", "serve", "--port", "0"], {
    cwd: installed,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let printed = "";
  serving.stdout.on("data", (text: Buffer) => {
    printed += text.toString();
    // A terminal sends the signal to the whole foreground group.
    if (printed.endsWith("Ready.\n")) process.kill(-(serving.pid ?? 0), "SIGINT");
  });

  const end = await once(serving, "close");

  expect(end).toEqual([null, "SIGINT"]);
  expect(printed).toMatch(/^Stopped; every callback was delivered or given up\.$/m);
});

const MAP = fileURLToPath(new URL("../docs/files/kredo.app.yaml", import.meta.url));

test("rehearses with a backend that it calls back", async () => {
  await using sandbox = await serve(installed);
  await using backend = await startSoundBackend({
    port: 0,
    gateway: sandbox.url,
    key: "sandbox-key",
    secret: "sandbox-secret",
    backOff: 100,
  });

  const printed = await kredo(
    installed,
    "rehearse",
    "books-after-a-bad-afternoon",
    "--url",
    sandbox.url,
    "--app",
    backend.url,
    "--map",
    MAP,
  );

  expect(printed).toContain("No defect; 1 trial");
});
