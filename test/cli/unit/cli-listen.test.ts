import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { createSandbox } from "../../../src/index.ts";
import { freePorts } from "../../support/free-ports.ts";
import { deserted, type PlayedSandbox, type Play, playSandbox } from "../../support/played-sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal, type FakeTerminalOptions } from "../../support/terminal.ts";

const CALLBACKS = "/__admin/accounts/default/callbacks";
const NONE = { airtime: null, sms: null };
const callback = {
  request_id: "r-1",
  charge: 95,
  account_balance: 9905.5,
  result_code: 200,
  result_desc: "Topped up.",
};

test("registers itself, prints and acknowledges what comes, and puts the old URLs back", async () => {
  const old = { airtime: "https://shop.example/hooks?token=s3cret", sms: null };
  await using listener = await startListening([], {}, old);
  const { url: registered } = listener;

  const answer = await post(`${registered}/airtime`, JSON.stringify(callback));
  const exitCode = await listener.stop();

  expect({ exitCode, status: answer.status }).toEqual({ exitCode: 0, status: 200 });
  await expect(post(`${registered}/sms`, "{}")).rejects.toThrow("fetch failed");
  expect(puts(listener.sandbox)).toEqual([{ airtime: `${registered}/airtime`, sms: `${registered}/sms` }, old]);
  expect(listener.printed()).toMatch(
    new RegExp(
      `^Receiving callbacks of default \\(profile observed\\) at ${registered}/airtime and ${registered}/sms, answering 200; stop with Ctrl-C\\.\n` +
        "\\d\\d:\\d\\d:00\\.000  airtime  r-1  200 Topped up\\.  charge 95  balance 9905\\.5\n" +
        "Restored: airtime https://shop\\.example/hooks\\?token=s3cret, sms none\\.\n$",
    ),
  );
});

test("leaves alone what somebody else registered meanwhile", async () => {
  await using listener = await startListening([], {}, { airtime: "http://old/a", sms: "http://old/s" });

  await fetch(`${listener.sandbox.url}${CALLBACKS}`, {
    method: "PUT",
    body: JSON.stringify({ sms: "http://newer/s" }),
  });
  await listener.stop();

  expect(puts(listener.sandbox).at(-1)).toEqual({ airtime: "http://old/a" });
  expect(listener.printed()).toContain(
    "Left unchanged, because they were set to something else in the meantime: airtime http://old/a, sms http://newer/s.\n",
  );
});

test("--json prints the callback as it came, and all else on standard error", async () => {
  await using listener = await startListening(["--json"]);

  await post(`${listener.url}/sms`, '{ "charge": 0.80 }');
  await listener.stop();

  expect(listener.printed()).toBe('{ "charge": 0.80 }\n');
  expect(listener.complained()).toMatch(/^Receiving callbacks .*\nRestored: airtime none, sms none\.\n$/);
});

test.each([
  ["/airtime", "{ broken", "airtime  unreadable: not JSON  { broken\n"],
  ["/sms", "", "sms      unreadable: not JSON  nothing\n"],
  ["/sms", '{"request_id":"r\\u001b[2J"}', 'sms      unreadable: no result_code  {"request_id":"r\\u001b[2J"}\n'],
  [
    "/sms",
    '{"request_id":"r-1","result_code":true}',
    'sms      unreadable: no result_code  {"request_id":"r-1","result_code":true}\n',
  ],
  ["/sms", '{"request_id":"r\\u001b[2J","result_code":500}', "sms      r [2J  500  charge ?  balance ?\n"],
  ["/", '{"result_code":"200"}', '?        unreadable: no request_id  {"result_code":"200"}\n'],
  [
    "/airtime",
    '{"request_id":"r-1","charge":"95.00","account_balance":"9905.50","result_code":"200","result_desc":"Topped up."}',
    'airtime  r-1  "200" Topped up.  charge "95.00"  balance "9905.50"\n',
  ],
])("prints on one line what came to %s as %j", async (path, body, line) => {
  await using listener = await startListening();

  await post(`${listener.url}${path}`, body);
  await listener.stop();

  expect(listener.printed()).toContain(`00.000  ${line}`);
});

test.each([
  ["green", 200],
  ["green", "200"],
  ["red", 500],
  ["red", "500"],
])("prints in %s the result_code %j", async (colour, code) => {
  await using listener = await startListening([], { isTTY: true, env: { TERM: "xterm" } });

  await post(`${listener.url}/sms`, JSON.stringify({ ...callback, result_code: code }));
  await listener.stop();

  expect(listener.printed()).toContain(`\u001b[${colour === "green" ? 32 : 31}m${JSON.stringify(code)} Topped up.`);
});

test.each([
  ["application/json; charset=utf-8", "r-1  200 Topped up.  charge 95"],
  ["text/plain", 'unreadable: wrong type: text/plain  {"request_id":"r-1"'],
])("reads a callback of type %s as any receiver does", async (type, line) => {
  await using listener = await startListening();

  await post(`${listener.url}/sms`, JSON.stringify(callback), type);
  await listener.stop();

  expect(listener.printed()).toContain(`00.000  sms      ${line}`);
});

test("tells a client that does not POST to do so", async () => {
  await using listener = await startListening();

  const answer = await fetch(`${listener.url}/airtime`);
  await listener.stop();

  expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
});

test.each([
  [["--callback-host", "host.docker.internal", "--host", "0.0.0.0"], /^http:\/\/host\.docker\.internal:\d+$/],
  [["--host", "0.0.0.0"], /^http:\/\/127\.0\.0\.1:\d+$/],
  [["--callback-host", "::1"], /^http:\/\/\[::1\]:\d+$/],
])("with %j it registers %s", async (argv, base) => {
  await using listener = await startListening([...argv]);
  await listener.stop();

  expect(listener.url).toMatch(base);
});

test("puts the old URLs back when it could not register both", async () => {
  const play = playCallbacks({ airtime: "http://old/a", sms: null });
  const refusal = { status: 500, json: { problem: "it failed halfway", repair: "look at the log" } };
  const puts = [refusal];
  await using sandbox = await playSandbox({
    ...play,
    [`PUT ${CALLBACKS}`]: (response, body) => {
      const done = play[`PUT ${CALLBACKS}`](response, body);
      return puts.shift() ?? done;
    },
  });

  const { exitCode, complained } = await kredo(["listen", "--url", sandbox.url]);

  expect(exitCode).toBe(1);
  expect(sandbox.calls.at(-1)).toMatchObject({
    call: `PUT ${CALLBACKS}`,
    body: { airtime: "http://old/a", sms: null },
  });
  expect(complained).toBe("Refused with 500: it failed halfway; look at the log\n");
});

test("registers itself again when the sandbox was restarted, and says so", async () => {
  const [port = 0] = await freePorts(1);
  const terminal = fakeTerminal();
  const first = await createSandbox({ port });
  const listening = run(["listen", "--url", first.url], terminal);
  await untilListening(terminal);

  await first.close();
  await using second = await createSandbox({ port });
  await terminal.untilSaid("was restarted");
  const { airtime } = await second.callbacks.read();
  terminal.interrupt();

  expect(airtime).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/airtime$/);
  expect(await listening).toBe(0);
});

test("says that the sandbox is gone, and exits with 0", async () => {
  const listener = await startListening();

  await listener.close();
  const exitCode = await listener.stop();

  expect(exitCode).toBe(0);
  expect(listener.printed()).toContain(`The sandbox at ${listener.sandbox.url} has gone, and the URLs with it.\n`);
});

test("a port that is in use is one sentence and exit code 3, and nothing is registered", async () => {
  await using sandbox = await playSandbox(playCallbacks(NONE));
  await using taken = await playSandbox({});

  const { exitCode, complained } = await kredo(["listen", "--port", String(taken.port), "--url", sandbox.url]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 3,
    complained: `Cannot listen on 127.0.0.1 port ${taken.port} (it is in use): choose another with --port or --host.\n`,
  });
  expect(sandbox.calls).toEqual([]);
});

test("--forward-to passes each callback on as it came, and the application's answer back", async () => {
  await using application = await playSandbox({
    "POST /hooks/sms?a=b": { status: 503 },
    "POST /hooks/airtime?a=b": {},
  });
  const url = `${application.url}/hooks/{operation}?a=b`;
  await using listener = await startListening(["--forward-to", url]);

  const answers = [
    await post(`${listener.url}/airtime`, JSON.stringify(callback)),
    await post(`${listener.url}/sms`, JSON.stringify({ ...callback, result_code: 500 })),
  ];

  expect(await listener.stop()).toBe(0);
  expect(answers.map(({ status }) => status)).toEqual([200, 503]);
  expect(application.calls).toEqual([
    { call: "POST /hooks/airtime?a=b", authorization: undefined, body: callback },
    { call: "POST /hooks/sms?a=b", authorization: undefined, body: { ...callback, result_code: 500 } },
  ]);
  expect(listener.printed()).toContain(`forwarding to ${url}; stop with Ctrl-C.`);
  expect(listener.printed()).toMatch(
    /airtime {2}r-1 {2}200 Topped up\. {2}charge 95 {2}balance 9905\.5 {2}→ 200 in 0 ms\n/,
  );
  expect(listener.printed()).toMatch(/sms {6}r-1 {2}500 .* {2}→ 503 in 0 ms\n/);
});

test("--forward-to passes the callback's headers on, but not those of its connection", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const application = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(application, "listening");
  onTestFinished(() => application.close().closeAllConnections());
  const { port } = Object(application.address());
  await using listener = await startListening(["--forward-to", `http://127.0.0.1:${port}/hooks`]);

  await fetch(`${listener.url}/sms`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "text/odd", traceparent: "00-a" },
  });
  await listener.stop();

  expect(seen[0]).toMatchObject({
    "content-type": "text/odd",
    traceparent: "00-a",
    host: `127.0.0.1:${port}`,
    "content-length": "2",
  });
});

test("--forward-to answers 502 if the application cannot be reached, and says so", async () => {
  const nowhere = await deserted();
  await using listener = await startListening(["--forward-to", nowhere, "--json"]);

  const answer = await post(`${listener.url}/sms`, "{}");
  await listener.stop();

  expect(answer.status).toBe(502);
  expect(listener.printed()).toBe("{}\n");
  expect(listener.complained()).toContain(`no answer from ${nowhere} after 0 ms (connection refused)\n`);
});

test("--forward-to stops when it is interrupted while a request waits", async () => {
  const asked = new AbortController();
  await using application = await playSandbox({
    "POST /": () => {
      asked.abort();
      return undefined;
    },
  });
  await using listener = await startListening(["--forward-to", application.url]);

  const answer = post(`${listener.url}/sms`, "{}").catch((error: unknown) => error);
  await once(asked.signal, "abort");

  expect(await listener.stop()).toBe(0);
  expect(await answer).toEqual(new TypeError("fetch failed"));
  await listener.untilSaid("(the sandbox stopped waiting)");
});

test.each([
  [
    ["--forward-to", "localhost:3000"],
    '--forward-to: "localhost:3000" is not a URL; write a URL like http://localhost:3000/hooks\n',
  ],
  [["--port", "http"], '--port: "http" is not valid; write a whole number from 0 to 65535\n'],
  [["--port", "65536"], '--port: "65536" is not valid; write a whole number from 0 to 65535\n'],
  [["--callback-host", "a b"], '"a b" cannot be part of a URL; set a name or an address with --callback-host\n'],
  [["now"], 'kredo listen: too many arguments, from "now" on; write kredo listen\n'],
])("listen %j is bad input", async (argv, line) => {
  expect(await kredo(["listen", ...argv])).toMatchObject({ exitCode: 2, complained: line });
});

/** Plays the callback settings of one account: GET reads them, PUT changes the keys that are there. */
function playCallbacks(urls: object) {
  const current: Record<string, unknown> = { ...urls };
  return {
    "GET /__admin/accounts/default": { json: { profile: "observed" } },
    [`GET ${CALLBACKS}`]: () => ({ json: { ...current, timeout: "3s" } }),
    [`PUT ${CALLBACKS}`]: (_response: unknown, body: unknown) => ({ json: Object.assign(current, body) }),
  } satisfies Play;
}

function puts({ calls }: PlayedSandbox): unknown[] {
  return calls.filter(({ call }) => call.startsWith("PUT")).map(({ body }) => body);
}

/** Listens to a played sandbox until it is stopped. `url` is the address that it registered, without the operation. */
async function startListening(flags: readonly string[] = [], options: FakeTerminalOptions = {}, urls: object = NONE) {
  const sandbox = await playSandbox(playCallbacks(urls));
  const terminal = fakeTerminal(options);
  const listening = run(["listen", ...flags, "--url", sandbox.url], terminal);
  const stop = (): Promise<number> => {
    terminal.interrupt();
    return listening;
  };
  const close = async (): Promise<void> => sandbox[Symbol.asyncDispose]();
  return { ...terminal, url: await untilListening(terminal), sandbox, stop, close, [Symbol.asyncDispose]: close };
}

/** The address that it registered, without the operation. */
async function untilListening(terminal: ReturnType<typeof fakeTerminal>): Promise<string> {
  await terminal.untilSaid("stop with Ctrl-C.");
  return / at (\S+)\/airtime /.exec(terminal.printed() + terminal.complained())?.[1] ?? "";
}

function post(url: string, body: string, type = "application/json"): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { "content-type": type } });
}
