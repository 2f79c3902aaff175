import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { BUILT_COMMAND, buildCommand, runCommand, runVerb, startCommand } from "../../support/command.ts";
import { AIRTIME, DETAILS, UUID } from "../../support/gateway/gateway-client.ts";
import { RawClient } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { receiveHttp, type Receiver } from "../../support/gateway/http-receivers.ts";

// The dashboard is built with it, which takes its time on a busy machine. No other file builds it, because one that runs it would find half of it.
beforeAll(buildCommand, 60_000);

/** A receiver that takes callbacks and never answers, and a wait for the first. */
async function receiveInSilence(): Promise<Receiver & { first: Promise<unknown> }> {
  const taken = new EventEmitter();
  const first = once(taken, "first");
  return Object.assign(await receiveHttp(() => void taken.emit("first")), { first });
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "prints where it is and that it is ready, and ends well on %s",
  async (signal) => {
    await using command = await startCommand();
    await using client = await RawClient.connect(command.port);
    await client.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const ready = await client.read();

    const { code, stdout, stderr } = await command.stop(signal);

    expect(ready.status).toBe(200);
    expect(code).toBe(0);
    expect(stdout.match(/^Ready\.$/gm)).toHaveLength(1);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("Stopped; every callback was delivered or given up.");
    expect(stderr).toBe("");
  },
);

test("answers the first request for account details, although its client has closed its end", async () => {
  await using command = await startCommand();
  await using client = await RawClient.connect(command.port);

  client.socket.end(rawHead({ line: `GET ${DETAILS} HTTP/1.1` }));

  expect(await client.readToEnd()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test.each([
  ["warns that the control API is open to the network", ["--host", "0.0.0.0"], 1],
  ["does not warn where a token is asked for", ["--host", "0.0.0.0", "--admin-token", "a-long-token-of-the-team"], 0],
  ["does not warn where only this machine can call", ["--host", "127.0.0.1"], 0],
])("%s", async (_what, flags, warnings) => {
  await using command = await startCommand(flags);

  const { stdout } = await command.stop("SIGTERM");

  expect(
    stdout.match(/^warning: the control API is open to everyone who can reach 0\.0\.0\.0.*KREDO_ADMIN_TOKEN/gm) ?? [],
  ).toHaveLength(warnings);
});

test("says how many callbacks it leaves undelivered, and waits neither for receivers nor for clients", async () => {
  await using receiver = await receiveInSilence();
  const config = `{ carriers: { safaricom: { latency: "0" }, airtel: { latency: "1h" } }, numbers: { ported_share: 0 } }`;
  await using command = await startCommand(["--callback-url", receiver.url], { KREDO_CONFIG_INLINE: config });
  await using client = await RawClient.connect(command.port);
  await using slow = await RawClient.connect(command.port);
  await slow.send(rawPost().slice(0, -10));
  await client.send(rawPost(), rawPost({ body: '{"phone_number":"254733123456","amount":"10"}' }));
  const answers = [await client.read(), await client.read()];
  await receiver.first;

  const { code, stdout } = await command.stop("SIGTERM");

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("Stopped with 2 callbacks undelivered.");
});

test.runIf("flushCompileCache" in module)("keeps while it runs what it compiled, since it may be killed", async () => {
  const cache = mkdtempSync(join(tmpdir(), "kredo-"));

  await using command = await startCommand([], { NODE_COMPILE_CACHE: cache });

  // A folder for this version of Node, and a file for each module.
  await expect.poll(() => readdirSync(cache, { recursive: true }).length, { timeout: 30_000 }).toBeGreaterThan(3);
  expect(command.printed()).toContain("Ready.");
});

test("prints the callback URL that a scenario sets, and counts what is left for it", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-")), "s.yaml");
  writeFileSync(file, "version: 1\nname: s\nsetup: { callbacks: { airtime: kredo:sink } }");
  await using command = await startCommand(["--latency", "1h", "--scenario", file]);
  await using client = await RawClient.connect(command.port);
  await client.send(rawPost());
  await client.read();

  const { stdout } = await command.stop("SIGTERM");

  expect(stdout).toContain("callbacks       airtime kredo:sink, sms none\n");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("Stopped with 1 callback undelivered.");
});

test.each([
  ["--port", []],
  ["--https-port", ["--port", "0", "--ca-folder", mkdtempSync(join(tmpdir(), "kredo-"))]],
])("says in one sentence that the port of %s is in use", async (flag, others) => {
  await using receiver = await receiveHttp((_request, response) => void response.end());

  const { code, stderr } = await runCommand([flag, String(receiver.port), ...others]);

  expect(code).toBe(3);
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(
    `Port ${receiver.port} on 127.0.0.1 is in use: stop the program that uses it, or choose another with ${flag} (0 takes a free one).`,
  );
});

test("says that its port is in use by a sandbox", async () => {
  await using other = await startCommand(["--port", "0"]);

  const { code, stderr } = await runCommand(["--port", String(other.port)]);

  expect(code).toBe(3);
  expect(stderr).toBe(
    `Port ${other.port} on 127.0.0.1 is in use by a running sandbox: stop it, or choose another with --port (0 takes a free one).\n`,
  );
});

test("names every mistake of its config by its place and starts nothing", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-")), "kredo.config.yaml");
  writeFileSync(file, "prot: 8254\naccounts:\n  - balance: lots\n");

  const { code, stdout, stderr } = await runCommand(["--port", "0", "--config", file]);

  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/kredo\.config\.yaml:1:1\s+prot.*did you mean "port"\?/),
    expect.stringMatching(/kredo\.config\.yaml:3:14\s+accounts\[0\]\.balance/),
    "",
  ]);
});

test("logs lines of JSON without secrets and with phone numbers masked", async () => {
  const accounts = `{ accounts: [{ consumer_key: key, consumer_secret: "s3cret:with:colons" }] }`;
  await using command = await startCommand(["--log-format", "json", "--latency", "0"], {
    KREDO_CONFIG_INLINE: accounts,
  });
  await using client = await RawClient.connect(command.port);
  await client.send(
    rawPost({ authorization: basic("key", "s3cret:with:colons") }),
    rawPost({ authorization: basic("key", "wr0ng") }),
  );
  await client.read();
  await client.read();

  const { stdout } = await command.stop("SIGTERM");

  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    event: "ready",
    url: `http://127.0.0.1:${command.port}`,
    consumer_key: "key",
    text: "Ready.",
  });
  expect(lines.filter(({ event }) => event === "accepted" || event === "refused")).toMatchObject([
    { event: "accepted", order: { phoneNumber: "254712***678" }, account: "key" },
    { event: "refused", code: 401, account: "key" },
  ]);
  expect(lines.at(-1)).toMatchObject({ event: "notice", undelivered: expect.any(Number) });
  expect(stdout).not.toMatch(/s3cret|wr0ng|254712345678/);
});

test("a start loads nothing that only some requests need", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-loaded-"));
  await using command = await startCommand([], { NODE_V8_COVERAGE: folder });

  await command.stop("SIGTERM");

  const loaded = readdirSync(folder).flatMap((file) => scriptsIn(readFileSync(join(folder, file), "utf8")));
  expect(loaded).toContain("start");
  expect(loaded.filter((name) => /^(organization|callback-connections|undici|prometheus)$/.test(name))).toEqual([]);
});

/** The chunks of the command in a report of Node's coverage, without their hashes. */
function scriptsIn(report: string): string[] {
  const { result }: { result: readonly { url: string }[] } = JSON.parse(report);
  const chunks = result.filter(({ url }) => url.startsWith("file:"));
  return chunks.map(({ url }) => url.replace(/^.*\//, "").replace(/-[\w-]{8}\.js$/, ""));
}

test("prints a pretty line for each request, result and callback", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using command = await startCommand(["--latency", "0", "--callback-url", `${receiver.url}?token=s3cret`]);
  await using client = await RawClient.connect(command.port);
  await client.send(rawPost());
  const id = String(JSON.parse((await client.read()).body).request_id);

  await command.untilPrinted(`callback 1  200  ${id}`);

  const lines = command
    .printed()
    .trimEnd()
    .split("\n")
    .slice(-3)
    .map((line) => line.slice("12:00:00".length));
  expect(lines).toEqual([
    `  airtime   254712***678 KES 100.00  200  ${id} accepted (safaricom; KES 95.00 held; the result is due after 0ms)`,
    `  result      200  ${id} KES 95.00 charged, KES 9,905.00 available (Airtime top-up of KES 100.00 to 254712***678 was successful)`,
    expect.stringMatching(
      new RegExp(`^  callback 1  200  ${id} said: delivered, result 200; http://.+/hooks answered 200 \\(\\d+ ms\\)$`),
    ),
  ]);
  expect(command.printed()).not.toContain("s3cret");
});

test("answers with the faster listener as it does in process", async () => {
  await using command = await startCommand();
  await using client = await RawClient.connect(command.port);
  const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAA"];
  const oversized =
    rawHead({ headers: ["Content-Type: application/json", "Content-Length: 1048577"] }) + " ".repeat(1_048_577);

  await client.send(rawPost({ headers: offer }));
  const accepted = await client.read();
  await client.send(rawHead({ line: `GET ${DETAILS} HTTP/1.1` }), oversized);
  const [details, tooLarge] = [await client.read(), await client.read()];
  await client.send(rawHead({ line: `HEAD ${DETAILS} HTTP/1.1` }));
  const head = await client.read("head");
  await client.send(
    rawHead({ line: `OPTIONS ${AIRTIME} HTTP/1.1` }),
    rawPost({ authorization: "Basic" }),
    rawHead({ line: "OPTIONS * HTTP/1.1" }),
  );
  const [options, unauthorized, unreadable] = [await client.read(), await client.read(), await client.read()];

  const { request_id: id, ...acknowledgment } = JSON.parse(accepted.body);
  expect([accepted, details, tooLarge, head, options, unauthorized, unreadable].map(({ status }) => status)).toEqual([
    200, 200, 413, 200, 204, 401, 400,
  ]);
  expect(acknowledgment).toEqual({ status_code: 200, description: "Operation successful." });
  expect(id).toMatch(UUID);
  expect(accepted.headers).toMatchObject({ "content-type": "application/json", "keep-alive": "timeout=65" });
  expect(head.headers).toMatchObject({ "content-type": "application/json" });
  expect(options.headers).toMatchObject({ allow: "POST, OPTIONS" });
  expect(unauthorized.headers).toMatchObject({ "www-authenticate": 'Basic realm="gateway", charset="UTF-8"' });
});

test("exec leaves standard input and output to the command, and passes its exit code on", async () => {
  const script = `process.stdin.on("data", (text) => process.stdout.write(String(text).toUpperCase())).on("end", () => process.exit(4))`;

  const { code, stdout, stderr } = await runVerb(["exec", "--", process.execPath, "-e", script], { stdin: "habari" });

  expect(code).toBe(4);
  expect(stdout).toBe("HABARI");
  expect(stderr).toMatch(
    /^kredo: sandbox at http:\/\/127\.0\.0\.1:\d+, seed \d+\nkredo: the command never called the sandbox; .+\nkredo: No verdict: no request arrived\.\n$/,
  );
});

test.each([
  ["SIGTERM", "process.exit(6)", 6],
  ["SIGINT", "process.exit(7)", 7],
  ["SIGHUP", "process.exit(8)", 8],
  ["SIGQUIT", "process.kill(process.pid, 'SIGKILL')", 137],
] as const)("exec passes %s on, and the command that does %s then decides", async (name, reaction, expected) => {
  const script = `process.on("${name}", () => { console.log("caught"); ${reaction}; }); setInterval(() => {}, 1000); console.log("begun")`;

  const { code, stdout, stderr } = await runVerb(["exec", "--", process.execPath, "-e", script], {
    signal: { name, after: "begun" },
  });

  expect(code).toBe(expected);
  expect(stdout).toMatch(/^begun\ncaught/);
  expect(stderr).toMatch(/\nkredo: No verdict: no request arrived\.\n$/);
});

test("exec says with its exit code which signal ended the command", async () => {
  const script = `setInterval(() => {}, 1000); console.log("begun")`;
  const signal = { name: "SIGTERM", after: "begun" } as const;

  const { code } = await runVerb(["exec", "--", process.execPath, "-e", script], { signal });

  expect(code).toBe(143);
});

const CONFIG = "accounts: [{ consumer_key: key, consumer_secret: secret, balance: '1000000.00' }]";

test("a signal ends a sandbox whose log nobody reads any more", async () => {
  const env = { KREDO_CONFIG_INLINE: CONFIG };
  const child = spawn(process.execPath, [BUILT_COMMAND, "serve", "--port", "0", "--log-format", "json"], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const gone = once(child, "exit");
  const [line] = await once(child.stdout, "data");
  child.stdout.pause();
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line)) ?? [];
  await Promise.all(Array.from({ length: ORDERS }, () => order(`${url}/api/v2/airtime`)));

  child.kill("SIGTERM");

  expect(await gone).toEqual([0, null]);
});

/** Their lines are longer than what a pipe holds and Node reads ahead. */
const ORDERS = 1_500;

async function order(url: string): Promise<void> {
  const headers = { authorization: `Basic ${btoa("key:secret")}`, "content-type": "application/json" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "10" });
  await (await fetch(url, { method: "POST", headers, body })).text();
}
