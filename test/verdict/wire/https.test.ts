import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchange } from "../../../src/control/client/http-exchange.ts";
import { run } from "../../../src/cli/run.ts";
import { DETAILS } from "../../support/gateway/gateway-client.ts";
import { AUTHORIZATION } from "../../support/gateway/test-gateway.ts";
import { startSecureSandbox } from "../../support/secure-sandbox.ts";
import { fakeTerminal } from "../../support/terminal.ts";

interface Get {
  readonly url: string;
  readonly ca?: string;
}

/** The status and body of an answer, or the code of the error in its place. */
function get({ url, ca }: Get): Promise<unknown> {
  return new Promise((resolve) => {
    const sent = request(url, {
      ...(ca !== undefined && { ca }),
      agent: false,
      headers: { authorization: AUTHORIZATION },
    });
    sent.on("error", ({ code }: Error & { code?: string }) => resolve(code));
    sent.on(
      "response",
      (answer) =>
        void answer.toArray().then((chunks) => resolve([answer.statusCode, Buffer.concat(chunks).toString()])),
    );
    sent.end();
  });
}

test("answers a client that trusts the authority, by name and by address", async () => {
  await using sandbox = await startSecureSandbox();
  const { ca } = sandbox;

  const answers = await Promise.all(
    ["127.0.0.1", "localhost"].map((host) => get({ url: `https://${host}:${sandbox.secure.port}${DETAILS}`, ca })),
  );

  expect(sandbox.secure.url).toBe(`https://127.0.0.1:${sandbox.secure.port}`);
  expect(answers).toEqual([
    [200, expect.stringContaining("available_balance")],
    [200, expect.stringContaining("available_balance")],
  ]);
});

test("a client that does not trust it cannot connect", async () => {
  await using sandbox = await startSecureSandbox();

  expect(await get({ url: sandbox.secure.url })).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
});

test("a command says how to trust it, and how to use a port without TLS", async () => {
  await using sandbox = await startSecureSandbox();
  const [terminal, other] = [fakeTerminal(), fakeTerminal()];

  const exitCodes = [
    await run(["balance", "--url", sandbox.secure.url], terminal),
    await run(["ready", "--url", `https://127.0.0.1:${sandbox.port}`], other),
  ];

  expect(exitCodes).toEqual([3, 1]);
  expect(terminal.complained()).toMatch(
    /^https:.+ cannot be reached \(.+\): set NODE_EXTRA_CA_CERTS to its authority's certificate .+, or /,
  );
  expect(other.complained()).toMatch(/ does not answer \(the server there does not speak TLS\): use http:\/\/, or /);
});

test("serves the certificate to trust on both ports, to whoever asks", async () => {
  await using sandbox = await startSecureSandbox();
  const { ca } = sandbox;

  const plain = await exchange({
    method: "GET",
    url: `http://127.0.0.1:${sandbox.port}/ca.pem`,
    headers: {},
    limit: 5_000,
  });
  const secure = await get({ url: `${sandbox.secure.url}/ca.pem`, ca });

  expect(plain).toMatchObject({
    status: 200,
    text: ca,
    headers: { "content-type": "application/pem-certificate-chain" },
  });
  expect(secure).toEqual([200, ca]);
});

test("the command prints both URLs and whom to trust, and keeps the authority for the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-https-"));
  const out = join(folder, "given.pem");
  const words = ["--https", "--port", "0", "--ca-folder", folder, "--ca-out", out];

  const first = await startAndStop(words);
  const ca = readFileSync(out, "utf8");
  const second = await startAndStop(words);

  expect(first).toMatch(/^Kredo sandbox {3}http:\/\/127\.0\.0\.1:\d+\nHTTPS {11}https:\/\/127\.0\.0\.1:\d+\n/);
  expect(first).toContain(`\nto trust it     NODE_EXTRA_CA_CERTS=${out}, or the certificate at http://127.0.0.1:`);
  expect(second).toContain("Ready.");
  expect(readFileSync(out, "utf8")).toBe(ca);
});

test("the command says what is wrong with the authority, and starts nothing", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-https-")), "a-file");
  const place = join(file, "ca");
  writeFileSync(file, "");
  const terminal = fakeTerminal();

  const exitCode = await run(["serve", "--https", "--port", "0", "--ca-folder", place], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.printed()).toBe("");
  expect(terminal.complained()).toBe(`${place}: cannot be written (ENOTDIR); name a folder that can\n`);
});

/** What the command printed from its start to its end. */
async function startAndStop(words: readonly string[]): Promise<string> {
  const terminal = fakeTerminal();
  const code = run(["serve", ...words], terminal);
  await terminal.untilSaid("Ready.");
  terminal.interrupt();
  expect(await code).toBe(0);
  return terminal.printed();
}
