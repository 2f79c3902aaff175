import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Routes } from "../../backends/http-shell.ts";
import { type Outcome, rehearseTexts, rehearsing, file, untilSent, verdicts } from "../../support/rehearse.ts";

const NO_DEFECT = "expect: [{ name: clean, findings: { none_of: defect } }]\n";
const RECEIVER: Routes = { "POST /hooks/:id": () => ({ status: 200 }) };
const FOLDER = join(mkdtempSync(join(tmpdir(), "kredo-report-")), "folder.html");
mkdirSync(FOLDER);
/** What is said of findings where nobody expects any, and nothing came to the gateway. */
const UNSEEN = { "findings: no defects": "not_assessed" };
const OWN_AIRTIME = 'sandbox: { airtime: { phone_number: "25471234567{n}", amount: "100" }, repeat: 3 }';
const CALLED_BACK = 'account: { callbacks: { airtime: "{app}/hooks/airtime" } }\n';

test("drives a receiver with orders of the sandbox's own, and judges how it answers", async () => {
  await using environment = await rehearsing(RECEIVER);

  const outcome = await environment.rehearse([
    file(`clock: manual\n${CALLED_BACK}drive: [{ ${OWN_AIRTIME} }, { advance: all }]
expect: [{ callbacks: { acknowledged_within: 3s, count: 3 } }, { wallet: { spent: "285.00" } }, { transactions: { succeeded: 3 } }]\n`),
  ]);

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toMatchObject({
    "callbacks: acknowledged within 3s, 3": "passed",
    "wallet: spent 285.00": "passed",
    "transactions: 3 succeeded": "passed",
  });
});

test("says what nobody asked the application, and does not fail for it", async () => {
  await using environment = await rehearsing(RECEIVER);

  const outcome = await environment.rehearse([
    file(`clock: manual\n${CALLED_BACK}drive: [{ ${OWN_AIRTIME} }, { advance: all }]\n${NO_DEFECT}`),
  ]);

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toEqual({
    clean: "passed",
    "each result is credited exactly once": "not_assessed",
    "each order ends in the right status": "not_assessed",
    "the books agree with the ledger": "not_assessed",
  });
  expect(outcome.printed).toContain("not assessed");
});

test("sends what it captured, in its own kind, and fills it into checks", async () => {
  const sent: unknown[] = [];
  await using environment = await rehearsing({
    "POST /orders": () => ({ status: 201, json: { order: { id: 7 }, lines: ["a"] } }),
    "PUT /orders/:id": ({ id, text }) => {
      sent.push(id, JSON.parse(text));
      return { status: 409 };
    },
    "GET /orders/:id": ({ id }) => ({ status: 200, json: { id, seen: sent.length } }),
  });
  const steps = `  - request: { url: "{app}/orders", json: {}, capture: { order: $.order.id, lines: $.lines } }
  - request: { method: PUT, url: "{app}/orders/{order}", json: { order: "{order}", lines: "{lines}", text: "no. {order}" }, expect_status: any }
`;

  const outcome = await environment.rehearse([
    file(
      `drive:\n${steps}expect: [{ name: same, probe: { request: { url: "{app}/orders/{order}" }, json_path: $.id, equals: "{order}" } }]\n`,
    ),
  ]);

  expect(verdicts(outcome)).toEqual({ same: "passed", ...UNSEEN });
  expect(sent).toEqual(["7", { order: 7, lines: ["a"], text: "no. 7" }]);
});

test("asks again until the application is done, and no longer than it may", async () => {
  const asked: string[] = [];
  await using environment = await rehearsing({
    "GET /orders/:id": ({ id }) => ({ status: 200, json: { tries: asked.push(id) } }),
  });

  const outcome = await environment.rehearse([file(`expect: [${countedProbe(4, "10s")}, ${countedProbe(1, "0")}]\n`)]);

  expect(outcome.exitCode).toBe(1);
  expect(verdicts(outcome)).toEqual({ "4": "passed", "1": "failed", ...UNSEEN });
  expect(asked).toHaveLength(4);
});

test("asks one thing after another in the order of the file, and none waits while another is asked again", async () => {
  const asked: (string | undefined)[] = [];
  await using environment = await rehearsing({
    "GET /orders/:id": ({ id }) => ({ status: 200, json: { tries: asked.push(id) } }),
  });

  await environment.rehearse([file(`expect: [${probeOf("a")}, ${probeOf("b")}, ${probeOf("c")}]\n`)]);

  expect(asked.slice(0, 4)).toEqual(["a", "b", "c", expect.any(String)]);
});

test("a check that failed says what was wanted, also under a name of its own", async () => {
  await using environment = await rehearsing({ "GET /orders/:id": () => ({ status: 200, json: { tries: 3 } }) });

  const { printed } = await environment.rehearse([
    file(
      `drive: [{ ${OWN_AIRTIME} }]\nexpect: [${countedProbe(2, "0")}, { name: once, requests: { match: { operation: sms }, count: 1 } }]\n`,
    ),
  ]);

  expect(printed).toContain(
    `FAILED       2: $.tries is 3; expected: GET ${environment.application.url}/orders/1, $.tries, equals 2\n`,
  );
  expect(printed).toContain("FAILED       once: 0 requests; expected: 1, sms\n");
});

test("a defect that no check asks about fails, and one that a check on findings lets pass does not", async () => {
  await using environment = await rehearsing({ "POST /hooks/:id": () => ({ status: 204 }) });
  const drive = `clock: manual\n${CALLED_BACK}drive: [{ ${OWN_AIRTIME} }, { advance: all }]\n`;
  const report = join(mkdtempSync(join(tmpdir(), "kredo-junit-")), "report.xml");

  const silent = await environment.rehearse([file(`${drive}expect: [{ wallet: { spent: "285.00" } }]\n`)]);
  const lenient = await environment.rehearse(
    [file(`${drive}expect: [{ findings: { some: callback-not-acknowledged } }]\n`)],
    {
      flags: ["--report", report],
    },
  );

  expect(silent.exitCode).toBe(1);
  expect(verdicts(silent)).toMatchObject({ "wallet: spent 285.00": "passed", "findings: no defects": "failed" });
  expect(lenient.exitCode).toBe(0);
  expect(readFileSync(report, "utf8")).toContain('failures="0"');
});

test("a step that fails is a failed check, and what holds after half a drive is not called passed", async () => {
  await using environment = await rehearsing({
    "POST /orders": () => ({ status: 503, json: { problem: "no stock" } }),
  });

  const outcome = await environment.rehearse([
    file(`drive: [{ ${OWN_AIRTIME} }, { request: { url: "{app}/orders", json: {} } }, { wait: 1h }]\n${NO_DEFECT}`),
  ]);

  expect(outcome.exitCode).toBe(1);
  expect(verdicts(outcome)).toMatchObject({ "step 2, POST {app}/orders": "failed", clean: "not_assessed" });
  expect(outcome.printed).toContain('answered 503, not 200 to 299: {"problem":"no stock"}');
});

test("a value that cannot be captured fails its step, and leaves checks that need it open", async () => {
  await using environment = await rehearsing({ "POST /orders": () => ({ status: 200, json: {} }) });

  const outcome = await environment.rehearse([
    file(`drive: [{ request: { url: "{app}/orders", json: {}, capture: { order: $.id } } }]
expect: [{ name: paid, probe: { request: { url: "{app}/orders/{order}" }, json_path: $.status, equals: paid } }]\n`),
  ]);

  expect(verdicts(outcome)).toEqual({ "step 1, POST {app}/orders": "failed", paid: "not_assessed", ...UNSEEN });
  expect(outcome.printed).toContain("the answer has no $.id for {order}");
});

test("an application that is not there is exit code 3, in one line, and the account is put back", async () => {
  await using environment = await rehearsing(RECEIVER);
  await environment.sandbox.callbacks.set({ sms: "kredo:sink" });
  await environment.application.close();

  const outcome = await rehearseTexts(
    [file(`clock: manual\ndrive: [{ request: { url: "{app}/orders" } }]\n${NO_DEFECT}`)],
    {
      flags: ["--url", environment.sandbox.url, "--app", environment.application.url],
    },
  );

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained.trimEnd().split("\n").at(-1)).toBe(
    `./1.yaml: Nothing answers at ${environment.application.url} (connection refused): start the application, or say where it is with --app.`,
  );
  expect(await environment.sandbox.callbacks.read()).toMatchObject({ airtime: null, sms: "kredo:sink" });
  expect(await environment.sandbox.clock.read()).toMatchObject({ mode: "real" });
});

test("a sandbox that is not there is exit code 3 as well", async () => {
  const outcome = await rehearseTexts([file(NO_DEFECT)], { flags: ["--url", "http://127.0.0.1:1"] });

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained).toContain("No sandbox answers at http://127.0.0.1:1");
});

test.each([
  [file(`scenario: nobody\n${NO_DEFECT}`), [], './1.yaml scenario[0]: "nobody" is not a shipped scenario'],
  [
    file(`drive: [{ request: { url: "{app}/" } }]\n${NO_DEFECT}`),
    [],
    "./1.yaml: the URL of {app} is missing; add application to the file, or pass --app URL",
  ],
  [
    file(NO_DEFECT),
    ["--report", "x.pdf"],
    '--report: "x.pdf" has no known extension; end it with .json, .xml (JUnit) or .html',
  ],
  [file(NO_DEFECT), ["--report", "/not/there/a.xml"], "--report: /not/there/a.xml cannot be written"],
  [file(NO_DEFECT), ["--report", FOLDER], `--report: ${FOLDER} cannot be written (it is a folder)`],
  [file(NO_DEFECT), ["--seed", "seven"], '--seed: "seven" is not valid'],
  [file(NO_DEFECT), ["--while", "true"], "--while: ./1.yaml has no step that observes"],
  [file(NO_DEFECT), ["--app", "localhost"], '--app: "localhost" is not a URL'],
])("%j with %j is bad input", async (text, flags, message) => {
  const outcome = await rehearseTexts([text], { flags });

  expect(outcome.exitCode).toBe(2);
  expect(outcome.complained).toContain(message);
  expect(outcome.complained).not.toContain("Rehearsing");
});

test("the account is a fresh one for each file, and is put back to what it was", async () => {
  await using environment = await rehearsing(RECEIVER, { scenarios: ["happy-path"] });
  await environment.sandbox.callbacks.set({ airtime: "kredo:sink" });
  const text =
    file(`clock: manual\naccount: { wallet: { balance: "300.00" }, callbacks: { airtime: "{app}/hooks/airtime" }, rate_limit: { requests: 100 } }
scenario: duplicate-callbacks\ndrive: [{ ${OWN_AIRTIME} }, { advance: all }]\nexpect: [{ wallet: { available: "15.00" } }, { callbacks: { count: 9 } }]\n`);

  const outcome = await environment.rehearse([text, text]);

  expect(outcome.exitCode).toBe(0);
  expect(outcome.reports).toHaveLength(2);
  expect(await environment.sandbox.transactions()).toEqual([]);
  expect(await environment.sandbox.wallet.read()).toMatchObject({ available: 10_000 });
  expect(await environment.sandbox.clock.read()).toMatchObject({ mode: "real" });
  expect(await environment.sandbox.callbacks.read()).toMatchObject({ airtime: "kredo:sink" });
  expect((await environment.sandbox.scenarios()).map(({ name }) => name)).toEqual(["happy-path", "magic-numbers"]);
});

test("the same seed is the same run, and the words of two files differ", async () => {
  await using environment = await rehearsing(RECEIVER);
  const drive = `drive: [{ ${OWN_AIRTIME} }, { command: "echo {run}; test -n $KREDO_CAPTURED_RUN" }, { advance: all }]\n`;
  const text = file(`clock: manual\n${CALLED_BACK}${drive}${NO_DEFECT}`);

  const [one, other] = [
    await environment.rehearse([text], { flags: ["--seed", "5"] }),
    await environment.rehearse([text], { flags: ["--seed", "5"] }),
  ];

  expect(one.reports[0]?.seed).toBe(5);
  expect(ids(one)).toHaveLength(6);
  expect(ids(other)).toEqual(ids(one));
});

test("a length of time on a clock that goes by itself is a failed step", async () => {
  await using environment = await rehearsing({});

  const outcome = await environment.rehearse([file(`drive: [{ advance: 1h }]\n${NO_DEFECT}`)]);

  expect(verdicts(outcome)).toMatchObject({ "step 1, advance 1h": "failed" });
  expect(outcome.printed).toContain("the clock is real and advances by itself; write clock: manual, or wait: 1h");
});

test("waits until the application has sent its requests, and fails where it sends too few", async () => {
  await using environment = await rehearsing({});

  const outcome = await environment.rehearse([
    file(`clock: manual\ndrive: [{ ${OWN_AIRTIME} }, ${untilSent(1, "10s")}, ${untilSent(4, "0")}]\n${NO_DEFECT}`),
  ]);

  expect(outcome.complained).toContain("step 2, until at least 1 request airtime\n");
  expect(verdicts(outcome)).toMatchObject({ "step 3, until at least 4 requests airtime": "failed" });
});

test("a command is told where all is, and fails with its exit code", async () => {
  await using environment = await rehearsing({});
  const command = 'echo "$KREDO_URL $KREDO_BASE_URL $KREDO_CONSUMER_KEY $KREDO_CONSUMER_SECRET $KREDO_APP" >&2; exit 4';

  const outcome = await environment.rehearse([file(`drive: [{ command: ${JSON.stringify(command)} }]\n${NO_DEFECT}`)]);

  const { url } = environment.sandbox;
  expect(outcome.exitCode).toBe(1);
  expect(outcome.printed).toContain(
    `ended with 4: ${url} ${url}/api/v2 sandbox-key sandbox-secret ${environment.application.url}`,
  );
});

test("a command of --while ends what is observed, and its exit code counts", async () => {
  await using environment = await rehearsing({});
  const text = file(`drive: [{ observe: 1h }]\nexpect: [{ name: none, requests: { count: 0 } }]\n`);

  const well = await environment.rehearse([text], { flags: ["--while", "true"] });
  const ill = await environment.rehearse([text], { flags: ["--while", "exit 9"] });

  expect([well.exitCode, ill.exitCode]).toEqual([0, 1]);
  expect(verdicts(ill)).toEqual({ "step 1, observe for up to 1h": "failed", none: "not_assessed", ...UNSEEN });
});

test("an interruption ends the observing, and what was seen is judged", async () => {
  await using environment = await rehearsing({});
  const controller = new AbortController();
  const onPrinted = (text: string): void => stopAt(controller, text, "observe for");

  const outcome = await environment.rehearse(
    [file(`drive: [{ ${OWN_AIRTIME} }, { observe: 1h }, { top_up: "5" }]\n${NO_DEFECT}`)],
    {
      interruption: controller.signal,
      onPrinted,
    },
  );

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toMatchObject({ clean: "passed" });
});

test("an interruption anywhere else ends the rehearsal without a verdict, and puts the account back", async () => {
  await using environment = await rehearsing({});
  const controller = new AbortController();
  const onPrinted = (text: string): void => stopAt(controller, text, "wait 1h");

  const outcome = await environment.rehearse([file(`clock: manual\ndrive: [{ wait: 1h }]\n${NO_DEFECT}`)], {
    interruption: controller.signal,
    onPrinted,
  });

  expect(outcome.exitCode).toBe(130);
  expect(outcome.complained).toContain("./1.yaml: stopped before its end; there is no verdict.");
  expect(await environment.sandbox.clock.read()).toMatchObject({ mode: "real" });
});

test("what was evicted from the journal is not assessed", async () => {
  await using environment = await rehearsing(RECEIVER, { journal: { max_transactions: 1 } });
  const many = 'sandbox: { airtime: { phone_number: "254712345{n}", amount: "5" }, repeat: 300, parallel: 8 }';

  const outcome = await environment.rehearse([
    file(`clock: manual\ndrive: [{ ${many} }, { advance: all }]\nexpect: [{ name: all, requests: { count: 300 } }]\n`),
  ]);

  expect(verdicts(outcome)).toMatchObject({ all: "not_assessed" });
  expect(outcome.reports[0]?.evicted).toBeGreaterThan(0);
});

test("names a sandbox that has the port already, which is left as it is", async () => {
  await using environment = await rehearsing(RECEIVER);
  const { url } = environment.sandbox;

  const outcome = await rehearseTexts([file(NO_DEFECT)], { flags: ["--port", new URL(url).port] });

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained).toBe(
    `A sandbox is already running at ${url}: stop it, use it with --url ${url}, or choose another port with --port (0 takes a free one).\n`,
  );
});

test("starts a sandbox of its own where none is named", async () => {
  const outcome = await rehearseTexts(
    [
      file(`clock: manual\naccount: { callbacks: { airtime: "kredo:sink" } }\ndrive: [{ ${OWN_AIRTIME} }, { advance: all }]
expect: [{ name: sent, callbacks: { count: 3, acknowledged: all } }]\n`),
    ],
    { flags: ["--port", "0"] },
  );

  expect(outcome.exitCode).toBe(0);
  expect(verdicts(outcome)).toMatchObject({ sent: "passed" });
});

test("a sandbox of its own is configured as serve is, but for scenarios", async () => {
  const config =
    "port: 0\nscenarios: [callback-never]\naccounts: [{ consumer_key: shop-key, callbacks: { airtime: kredo:sink } }]\n";
  const drive = `drive: [{ command: "test $KREDO_CONSUMER_KEY = shop-key" }, { ${OWN_AIRTIME} }, { advance: all }]`;

  const outcome = await rehearseTexts(
    [file(`clock: manual\n${drive}\nexpect: [{ name: sent, callbacks: { count: 3 } }]\n`)],
    { config },
  );

  expect(verdicts(outcome)).toMatchObject({ sent: "passed" });
  expect(outcome.exitCode).toBe(0);
});

test("a mistake in the config of its own sandbox is bad input", async () => {
  const outcome = await rehearseTexts([file(NO_DEFECT)], { config: "prot: 0\n" });

  expect(outcome.exitCode).toBe(2);
  expect(outcome.complained).toBe('kredo.config.yaml:1:1  prot is not a key; did you mean "port"?\n');
});

test("says each thing that it does in a line of its own", async () => {
  await using environment = await rehearsing({});

  const { complained } = await environment.rehearse([file(`drive: [{ top_up: "5" }]\n${NO_DEFECT}`)]);

  expect(complained).toBe(
    `Rehearsing 1 file with the sandbox at ${environment.sandbox.url}, whose wallet and journal are reset\ntried: step 1, top-up of 5.00\ntried: checking clean\n`,
  );
});

function countedProbe(wanted: number, within: string): string {
  return `{ name: "${wanted}", probe: { request: { url: "{app}/orders/1" }, json_path: $.tries, equals: ${wanted}, within: ${within}, every: 1ms } }`;
}

function probeOf(order: string): string {
  return `{ probe: { request: { url: "{app}/orders/${order}" }, json_path: $.tries, equals: 0, within: 200ms, every: 1ms } }`;
}

function ids({ reports }: Outcome): string[] {
  return reports.flatMap(({ timeline }) => timeline.map(({ exchange }) => exchange.request_id));
}

function stopAt(controller: AbortController, printed: string, text: string): void {
  if (printed.includes(text)) controller.abort();
}

test("--json prints the reports as a report file has them, and nothing else", async () => {
  await using bench = await rehearsing({});
  const texts = ["one", "two"].map((name) => `version: 1\nname: ${name}\nexpect: []\n`);

  const { printed, reports } = await bench.rehearse(texts, { flags: ["--json"] });

  expect(JSON.parse(printed).reports).toMatchObject(reports);
  expect(reports.map(({ name }) => name)).toEqual(["one", "two"]);
});
