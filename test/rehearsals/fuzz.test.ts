import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { run } from "../../src/cli/run.ts";
import { createSandbox } from "../../src/index.ts";
import { openShell, type Routes } from "../backends/http-shell.ts";
import { startNaiveBackend } from "../backends/naive.ts";
import { startSoundBackend } from "../backends/sound.ts";
import { SYSTEM } from "../support/system-terminal.ts";

const report = z.object({ charge: z.number() });

const ANY_COURSE = fileURLToPath(new URL("any-course.yaml", import.meta.url));

test("finds that a receiver credits each callback, and writes a rehearsal of two callbacks that plays it again", async () => {
  const shop = await startCreditingShop();
  const file = join(mkdtempSync(join(tmpdir(), "kredo-fuzz-")), "smallest.yaml");

  const fuzzed = await kredo("rehearse", "--fuzz", "200", "--seed", "1", `${shop}/hooks`, "--books", `${shop}/total`, "--write", file);
  const replayed = await kredo("rehearse", file);

  expect(fuzzed.exitCode).toBe(1);
  expect(fuzzed.printed).toMatch(/^Run \d+ broke it; made smaller \d+ times?, 2 callbacks are left \(seed 1\):/);
  expect(fuzzed.printed).toContain("books KES 190.00, ledger KES 95.00");
  expect(readFileSync(file, "utf8")).toContain("sendings:");
  expect(replayed.exitCode).toBe(1);
  expect(replayed.printed).toContain("books KES 190.00, ledger KES 95.00");
});

test("a receiver that only has to acknowledge passes every course", async () => {
  const shop = await startCreditingShop();

  const fuzzed = await kredo("rehearse", "--fuzz", "20", "--seed", "2", `${shop}/hooks`);

  expect(fuzzed).toMatchObject({ exitCode: 0, printed: `20 runs of ${shop}/hooks, and no check failed (seed 2).\n` });
});

test("a sound backend passes every course of a rehearsal", async () => {
  await using sandbox = await createSandbox();
  const access = { port: 0, gateway: sandbox.url, key: sandbox.consumerKey, secret: sandbox.consumerSecret };
  await using backend = await startSoundBackend({ ...access, backOff: 100 });

  const fuzzed = await kredo("rehearse", "--fuzz", "20", "--seed", "3", ANY_COURSE, "--url", sandbox.url, "--app", backend.url);

  expect(fuzzed).toMatchObject({ exitCode: 0, complained: expect.not.stringContaining("smaller") });
});

test("a naive backend breaks on at most three callbacks", async () => {
  await using sandbox = await createSandbox();
  await using backend = await startNaiveBackend({
    port: 0,
    gateway: sandbox.url,
    key: sandbox.consumerKey,
    secret: sandbox.consumerSecret,
  });
  const file = join(mkdtempSync(join(tmpdir(), "kredo-fuzz-")), "smallest.yaml");

  const fuzzed = await kredo("rehearse", "--fuzz", "50", "--seed", "1", ANY_COURSE, "--write", file, ...at(sandbox.url, backend.url));

  expect(fuzzed.exitCode).toBe(1);
  expect(fuzzed.printed).toMatch(/, [123] callbacks? (is|are) left \(seed 1\):/);
});

test("a receiver that is not there is exit code 3, and no rehearsal is written", async () => {
  const fuzzed = await kredo("rehearse", "--fuzz", "5", "http://127.0.0.1:1/hooks");

  expect(fuzzed).toEqual({
    exitCode: 3,
    printed: "",
    complained: "Nothing answers at http://127.0.0.1:1/hooks (connection refused): start the receiver, or correct the URL.\n",
  });
});

test.each([
  [["--fuzz", "10"], "kredo rehearse: missing required argument 'FILE'; write kredo rehearse FILE...\n"],
  [["--fuzz", "0", "http://localhost:1"], /^--fuzz: "?0"? /],
  [["--fuzz", "10", "http://localhost:1", "http://localhost:2"], /http:\/\/localhost:2 is one too many/],
  [["--fuzz", "10", "http://localhost:1", "--report", "/not/there/a.html"], /^--report: \/not\/there\/a\.html cannot be written/],
  [["--fuzz", "10", ANY_COURSE], /the URL of \{app\} is missing/],
  [["--fuzz", "10", ANY_COURSE, "--app", "http://localhost:1", "--books", "http://localhost:1"], /--books is for a receiver's URL/],
])("refuses %j", async (flags, complaint) => {
  const refused = await kredo("rehearse", ...flags);

  expect(refused).toMatchObject({ exitCode: 2, printed: "" });
  expect(refused.complained).toMatch(complaint);
});

function at(url: string, app: string): string[] {
  return ["--url", url, "--app", app];
}

/** What `kredo` does with these words, on a port of its own. */
async function kredo(...argv: string[]): Promise<{ exitCode: number; printed: string; complained: string }> {
  const [out, err] = [recorder(), recorder()];
  const port = argv.includes("--url") ? [] : ["--port", "0"];
  const exitCode = await run([...argv, ...port], { ...SYSTEM, env: {}, stdout: out, stderr: err });
  return { exitCode, printed: out.kept.join(""), complained: err.kept.join("") };
}

function recorder() {
  const kept: string[] = [];
  return { kept, isTTY: false, write: (text: string) => void kept.push(text) };
}

/** Believes each callback; tells at /total what it was charged. */
async function startCreditingShop(): Promise<string> {
  let cents = 0;
  const routes: Routes = {
    "POST /hooks": ({ text }) => {
      cents += Math.round(report.parse(JSON.parse(text)).charge * 100);
      return { status: 200, json: {} };
    },
    "GET /total": () => ({ status: 200, json: { total: (cents / 100).toFixed(2) } }),
  };
  const shop = await openShell(0, routes, () => undefined);
  onTestFinished(() => shop.close());
  return shop.url;
}
