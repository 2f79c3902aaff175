import { link, lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesOnDisk } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { run } from "../../../src/cli/run.ts";
import { GUESSES } from "../../../src/calibration/guesses.ts";
import { sentenceForm } from "../../../src/calibration/known-sentences.ts";
import { PROFILES } from "../../../src/gateway/settings/profiles.ts";
import { createSandbox } from "../../../src/index.ts";
import { fakeTerminal } from "../../support/terminal.ts";

/** Nine responses of the live gateway as public-facts.md lists them, with ids of the same form. */
const LIVE = [
  ...["17T08", "17T19", "18T07", "19T10", "19T11", "20T16", "21T06"].map((hour, index) => ({
    at: `2025-10-${hour}:00:00Z`,
    body: {
      status_code: 200,
      description: "Operation successful.",
      request_id: `aB${index}Z0f8fad5bd9cb469fa16570867728950e9xY7`,
    },
  })),
  { at: "2025-10-20T11:00:00Z", body: { status_code: 402, description: "Insufficient funds.", request_id: null } },
  {
    at: "2025-10-17T11:00:00Z",
    body: { validation_errors: { amount: ["The amount must be between 5 and 10000."] } },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const ACCEPTED = `{"status_code":200,"description":"Operation successful.","request_id":"${UUID}"}`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kredo-calibrate-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function calibrate(args: readonly string[], stdin = "") {
  const terminal = { ...fakeTerminal({ stdin }), files: filesOnDisk };
  const exitCode = await run(["calibrate", ...args], terminal);
  return { exitCode, printed: terminal.printed(), complained: terminal.complained().replaceAll(`${folder}/`, "") };
}

interface JsonReport {
  readonly exchanges: number;
  readonly others: number;
  readonly rows: readonly { readonly id: string; readonly verdict: string; readonly observed: unknown }[];
}

async function calibrateToJson(args: readonly string[], stdin = ""): Promise<JsonReport> {
  const { printed } = await calibrate([...args, "--json"], stdin);
  return JSON.parse(printed);
}

describe("what the live gateway was seen to send", () => {
  test("differs from the document in four guesses, each with its count and its days", async () => {
    const { exitCode, printed } = await calibrate([await file("live.jsonl", LIVE)]);

    expect(exitCode).toBe(1);
    expect(printed).toBe(`  GUESS                 VERDICT  KREDO  OBSERVED
  request-id            differs  uuid   padded (7 times, 2025-10-17 to 2025-10-21)
  refusal-request-id    differs  id     null (once, 2025-10-20)
  validation            differs  full   bare (once, 2025-10-17)
  validation-sentences  differs  kredo  laravel (once, 2025-10-17)
9 exchanges: 4 differences, ${GUESSES.length - 4} guesses not seen.
profile: observed in the config agrees with everything that was seen; or add --write to set each in the config file.
`);
  });

  test.each([
    ["document", 1, ["request-id", "refusal-request-id", "validation", "validation-sentences"]],
    ["sdk", 1, ["request-id", "refusal-request-id", "validation"]],
    ["observed", 0, []],
  ] as const)("from standard input, with profile %s, exits with %i", async (profile, expected, different) => {
    const { exitCode, printed } = await calibrate(["-", "--profile", profile], LIVE);

    expect(exitCode).toBe(expected);
    expect([...printed.matchAll(/^ {2}(\S+) +differs/gm)].map(([, id]) => id)).toEqual(different);
    expect(printed).toContain(
      `9 exchanges: ${different.length} differences, ${GUESSES.length - 4} guesses not seen.\n`,
    );
  });

  test("is written to the config file, which keeps its order and its other comments", async () => {
    const live = await file("live.jsonl", LIVE);
    const config = await file(
      "kredo.yaml",
      "# Ours\nport: 9000 # free\nrequest_id: uuid # as documented\n\n# The end\nlog:\n  format: json\n",
    );

    const first = await calibrate([live, "--config", config, "--write"]);

    expect(first.printed).toContain("set request_id, refusals.request_id, refusals.validation, refusals.sentences.\n");
    expect(first.exitCode).toBe(0);
    expect(await readFile(config, "utf8")).toBe(`# Ours
port: 9000 # free
request_id: padded # as documented; observed 7 times, 2025-10-17 to 2025-10-21

# The end
log:
  format: json
refusals:
  request_id: null # observed once, 2025-10-20
  validation: bare # observed once, 2025-10-17
  sentences: laravel # observed once, 2025-10-17
`);
    expect(await calibrate([live, "--config", config])).toMatchObject({ exitCode: 0, complained: "" });
  });
});

const ENTRY = {
  startedDateTime: "2025-10-17T08:00:00.000+03:00",
  time: 420,
  request: {
    method: "POST",
    url: "https://api.example.com/api/v2/airtime",
    headers: [{ name: "Authorization", value: "Basic c2VjcmV0" }],
    postData: { text: '{"phone_number":"+254712345678","amount":"250","note":"for Jane"}' },
  },
  response: {
    status: 200,
    headers: [{ name: "Set-Cookie", value: "secret" }],
    content: { text: Buffer.from(ACCEPTED).toString("base64"), encoding: "base64" },
  },
};
const ELSEWHERE = { ...ENTRY, request: { ...ENTRY.request, url: "https://example.com/login" } };
const HAR = { log: { version: "1.2", entries: [ENTRY, ELSEWHERE] } };
const CALLBACK = {
  request_id: UUID,
  charge: 95,
  account_balance: 1234.5,
  result_code: 200,
  result_desc: "Sent to Jane Wanjiku 0712 345 678.",
};
const HOOK = { method: "POST", path: "/hook?token=s3cret", headers: { "User-Agent": "okhttp/4", Cookie: "s3cret" } };

describe.each([
  ["HAR", JSON.stringify(HAR), { exchanges: 1, others: 1 }],
  ["HAR on several lines", JSON.stringify(HAR, undefined, 2), { exchanges: 1, others: 1 }],
  ["a list of bodies", `[${ACCEPTED},${ACCEPTED}]`, { exchanges: 2, others: 0 }],
  ["bodies on several lines", JSON.stringify(CALLBACK, undefined, 2), { exchanges: 1, others: 0 }],
  ["a byte order mark and CRLF", `\uFEFF${ACCEPTED}\r\n\r\n${ACCEPTED}\r\n`, { exchanges: 2, others: 0 }],
  [
    "a journal's export",
    JSON.stringify({
      kredo: "1",
      number: 1,
      events: [
        { kind: "opened", at: 0 },
        {
          kind: "accepted",
          at: 1,
          requestId: UUID,
          order: { operation: "airtime", phoneNumber: "254712345678", amount: 5 },
        },
      ],
    }),
    { exchanges: 1, others: 1 },
  ],
  [
    "an exchange of the control API",
    JSON.stringify({
      request_id: UUID,
      received_at: "2025-01-06T06:00:00Z",
      request: { method: "POST", target: "/api/v2/airtime", headers: [["host", "x"]], body: { text: "{}" } },
      response: { status: 200, head: "", body: { text: ACCEPTED } },
    }),
    { exchanges: 1, others: 0 },
  ],
])("%s", (_format, text, counts) => {
  test("is read", async () => {
    expect(await calibrateToJson(["-"], text)).toMatchObject({
      ...counts,
      rows: expect.arrayContaining([expect.objectContaining({ id: "request-id", verdict: "agrees" })]),
    });
  });
});

test("writes what can be attached to an issue, without secrets, which calibrates alike", async () => {
  const lines = [
    ENTRY,
    { request: { ...HOOK, body: CALLBACK }, body: "ok" },
    { body: { ...CALLBACK, "254712345678": 1 } },
  ];
  const captured = await file("secret.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  const redacted = join(folder, "redacted.jsonl");

  const before = await calibrateToJson([captured, "--redacted", redacted]);

  const text = await readFile(redacted, "utf8");
  expect(text).not.toMatch(/s3cret|secret|c2VjcmV0|345678|345 678|Jane|Wanjiku|1234|250/);
  expect(text).toContain('"user-agent":"okhttp/4"');
  expect(await calibrateToJson([redacted])).toEqual(before);
});

test("keeps a known sentence but for what it says of somebody, and the join of an acknowledgment to its callback", async () => {
  const lines = [
    { request: { body: { phone_number: "+254712345678", amount: "12345.00" } }, body: JSON.parse(ACCEPTED) },
    { body: { ...CALLBACK, result_desc: "Airtime top-up of KES 12345.00 to 254712345678 was successful." } },
    { body: { validation_errors: { amount: ["The amount must be between 5 and 10000."] } } },
    { body: { validation_errors: { sender_id: ["The sender_id JANE is not registered."] } } },
  ];
  const redacted = join(folder, "sentences.jsonl");

  await calibrate(["-", "--redacted", redacted], lines.map((line) => JSON.stringify(line)).join("\n"));

  const written = (await readFile(redacted, "utf8")).trim().split("\n");
  expect(written.map((line) => JSON.parse(line))).toEqual([
    {
      request: { body: { phone_number: "+254-712-xxxx", amount: "1111.10" } },
      body: { ...JSON.parse(ACCEPTED), request_id: "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa" },
    },
    {
      body: {
        request_id: "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
        charge: 11,
        account_balance: 1111.1,
        result_code: 200,
        result_desc: "Airtime top-up of KES 1111.10 to 254-712-xxxx was successful.",
      },
    },
    { body: { validation_errors: { amount: ["The amount must be between 5 and 10000."] } } },
    { body: { validation_errors: { sender_id: ["The sender_id xxxx is not registered."] } } },
  ]);
});

test("knows every sentence that Kredo refuses an order with", async () => {
  await using sandbox = await createSandbox();
  const orders = [
    {},
    { phone_number: 7, amount: 5, message: 1, sender_id: 1 },
    { phone_number: "0712345678", amount: "5.5.5", message: "\ud800", sender_id: "JANE" },
    { phone_number: "254747345678", amount: "999999", message: "x".repeat(60_000), sender_id: "KREDO" },
    ...["1", "!", "A".repeat(12), " A", "."].map((sender_id) => ({ phone_number: "0", message: "Habari", sender_id })),
  ];

  const answers = await Promise.all(
    ["airtime", "sms"].flatMap((operation) =>
      orders.map(async (order) => {
        const body = JSON.stringify(order);
        const headers = { "content-type": "application/json" };
        const answer = await sandbox.fetch(`/api/v2/${operation}`, { method: "POST", headers, body });
        return answer.text();
      }),
    ),
  );

  const sentences = answers.flatMap((answer) => {
    const { description, validation_errors: errors = {} } = JSON.parse(answer);
    return [description, ...Object.values(errors).flat()].map(String);
  });
  expect(sentences.filter((one) => sentenceForm(one) === "another sentence")).toEqual([]);
  expect(new Set(sentences).size).toBeGreaterThan(10);
});

test.each([
  ["a symbolic link", (from: string, to: string) => symlink(from, to)],
  ["a hard link", (from: string, to: string) => link(from, to)],
])("refuses to write the redacted exchanges to %s to a file that it reads", async (what, make) => {
  const captured = await file(`${what}.jsonl`, LIVE);
  const other = join(folder, `${what} 2.jsonl`);
  await make(captured, other);

  const refused = await calibrate([captured, "--redacted", other]);

  expect(refused).toMatchObject({ exitCode: 2, complained: expect.stringContaining("is one of the files to read") });
  expect(await readFile(captured, "utf8")).toBe(LIVE);
});

test("refuses to write the redacted exchanges in the place of a link to a file that is missing", async () => {
  const captured = await file("captured.jsonl", LIVE);
  const dangling = join(folder, "dangling.jsonl");
  await symlink(join(folder, "missing.jsonl"), dangling);

  const refused = await calibrate([captured, "--redacted", dangling]);

  expect(refused).toMatchObject({
    exitCode: 2,
    complained: expect.stringContaining("is a link to a file that is missing"),
  });
  expect((await lstat(dangling)).isSymbolicLink()).toBe(true);
});

test("leaves the redacted file of an earlier run as it is if there is nothing to read", async () => {
  const redacted = await file("earlier.jsonl", "earlier\n");

  const { exitCode } = await calibrate(["-", "--redacted", redacted], '{"hello":"world"}');

  expect(exitCode).toBe(2);
  expect(await readFile(redacted, "utf8")).toBe("earlier\n");
  expect((await readdir(folder)).filter((name) => name.startsWith("earlier"))).toEqual(["earlier.jsonl"]);
});

test("says of a redacted value that it must be set by hand, and writes no placeholder to the config", async () => {
  const hook = { request: { headers: { "User-Agent": "Jane/1.0", Accept: "*/*" }, body: CALLBACK } };
  const config = await file("hook.yaml", "# nothing yet\n");

  const { printed } = await calibrate(["-", "--config", config, "--write"], JSON.stringify(hook));

  expect(printed).toContain(
    "callback-user-agent: the value was redacted, because its form is not known; set it by hand",
  );
  expect(await readFile(config, "utf8")).not.toMatch(/user_agent|another/);
});

const DEEP = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;

test.each([
  ["a list", "[".repeat(2_000_000)],
  ["an object on one line", `{"status_code":401,"description":"No.","a":${DEEP}}`],
  ["an object on several lines", `{\n"status_code":401,\n"a":${DEEP}}`],
])("refuses %s that is nested too deep before it is parsed", async (_what, text) => {
  const { exitCode, printed, complained } = await calibrate(["-"], text);

  expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: "" });
  expect(complained).toContain("is nested deeper than 100 levels; leave out what is no exchange with the gateway\n");
});

test("does not take a body that is nested too deep for an exchange", async () => {
  const { exitCode, complained } = await calibrate(["-"], JSON.stringify({ body: `{"status_code":401,"a":${DEEP}}` }));

  expect(exitCode).toBe(2);
  expect(complained).toContain("only 1 other value");
});

test("reads a sentence of any length", async () => {
  const text = `a${" ".repeat(1_000_000)}B`;

  expect(await calibrateToJson(["-"], JSON.stringify({ ...CALLBACK, result_desc: text }))).toMatchObject({
    exchanges: 1,
  });
});

test("names a broken line by file and line, quotes none of it, and counts the others", async () => {
  const broken = await file("broken.jsonl", `${ACCEPTED}\n{"phone_number":"254712345678\n${ACCEPTED}\n`);

  const { exitCode, printed, complained } = await calibrate([broken]);

  expect(exitCode).toBe(0);
  expect(printed).toContain("2 exchanges: 0 differences");
  expect(complained).toBe(
    'warning: broken.jsonl:2  is not a JSON object; write one exchange, like {"status":200,"body":{…}}\n',
  );
});

test("counts what a document has before it breaks", async () => {
  const { exitCode, printed, complained } = await calibrate([await file("cut.json", `[\n${ACCEPTED},\n{"sta`)]);

  expect(exitCode).toBe(0);
  expect(printed).toContain("1 exchange: 0 differences");
  expect(complained).toMatch(/^warning: .*cut\.json:1 {2}is not complete JSON; capture it again/);
});

test.each([
  ["empty.jsonl", "", "There is no exchange with the gateway: no JSON object is in it; "],
  ["other.jsonl", '{"hello":"world"}\n', "There is no exchange with the gateway, only 1 other value; "],
  [
    "README.md",
    `# Shop\n\nIt logs:\n${ACCEPTED}\n`,
    "README.md:1  is text, not JSON; write a HAR, JSON lines or bodies\n",
  ],
  [
    "cut.har",
    JSON.stringify(HAR, undefined, 2).slice(0, 300),
    "cut.har:1  is not complete JSON; capture it again, or write an object on each line\n",
  ],
  ["packed.gz", "\u001f\uFFFD\b", "packed.gz:1  is compressed; unpack it first, as with gunzip or unzip\n"],
  ["wide.json", "{\u0000}\u0000", "wide.json:1  is not text in UTF-8; save the file as UTF-8\n"],
])("refuses %s, in which there is nothing to read, with exit code 2", async (name, text, message) => {
  const { exitCode, printed, complained } = await calibrate([await file(name, text)]);

  expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: "" });
  expect(complained).toContain(message);
});

test.each([
  [["missing.har"], "missing.har: there is no such file; write the path of a capture, or - for standard input\n"],
  [
    ["-", "--write", "--profile", "sdk"],
    "--write is not allowed together with --profile; set profile in the config file\n",
  ],
])("refuses %j", async (args, message) => {
  expect(await calibrate(args)).toEqual({ exitCode: 2, printed: "", complained: message });
});

test("reports a difference that has no setting, and one on which exchanges contradict each other", async () => {
  const lines = [
    { status_code: 401, description: "Who are you?", request_id: UUID },
    { ...CALLBACK, result_code: "200", charge: "95.00", account_balance: "1.00" },
    CALLBACK,
  ];
  const config = await file("empty.yaml", "# nothing yet\n");
  const captured = await file("odd.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));

  const { exitCode, printed } = await calibrate([captured, "--config", config, "--write"]);

  expect(exitCode).toBe(1);
  expect(printed).toContain("callback-values     contradictory  numbers        text (once); numbers (once)\n");
  expect(printed).toContain("refusal-401 has no setting that takes what was observed (the description of a 401).\n");
  expect(await readFile(config, "utf8")).toBe("# nothing yet\n");
});

test("says that no setting takes callback values of which some are text, and does not offer to write it", async () => {
  const { exitCode, printed } = await calibrate(["-"], JSON.stringify({ ...CALLBACK, charge: "95.00" }));

  expect(exitCode).toBe(1);
  expect(printed).toContain("callback-values has no setting that takes what was observed");
  expect(printed).not.toContain("--write");
});

test("counts an acknowledgment, its callback and a copy of it as one order", async () => {
  const lines = [ACCEPTED, ...Array.from({ length: 2 }, () => JSON.stringify(CALLBACK))];

  const { rows } = await calibrateToJson(["-"], lines.join("\n"));

  expect(rows.find(({ id }) => id === "request-id")?.observed).toEqual([{ value: "uuid", count: 1 }]);
  expect(rows.find(({ id }) => id === "callback-values")?.observed).toEqual([{ value: "numbers", count: 1 }]);
});

test.each(PROFILES)("agrees with a run's export under profile %s, refusals included", async (profile) => {
  await using sandbox = await createSandbox({ profile, scenarios: ["magic-numbers"] });
  const order = (amount: string, phone_number: string) =>
    sandbox.fetch("/api/v2/airtime", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ phone_number, amount }),
    });
  await order("50", "254712345678");
  await order("99999", "254712345678");
  await order("50", "254700000429");
  const exported = await sandbox.fetch(`/__admin/accounts/${sandbox.consumerKey}/export`);
  const redacted = join(folder, `${profile}.jsonl`);

  const { rows } = await calibrateToJson(["-", "--profile", profile, "--redacted", redacted], await exported.text());

  expect(rows.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "request-id agrees",
    "validation-sentences agrees",
  ]);
  expect((await calibrateToJson([redacted, "--profile", profile])).rows).toEqual(rows);
});

/** Pairs of an acknowledgment and the callback that came after it, of orders to Safaricom. */
function pairs(waits: readonly number[]): string {
  return waits
    .flatMap((wait, index) => {
      const id = `${index}`.padStart(8, "0") + UUID.slice(8);
      const body = { ...JSON.parse(ACCEPTED), request_id: id };
      const order = { phone_number: "254712345678", amount: "50" };
      const at = Date.parse("2025-10-17T08:00:00Z") + index * 60_000;
      return [
        { request: { path: "/api/v2/airtime", body: order }, status: 200, body, at },
        { body: { ...CALLBACK, request_id: id }, at: at + wait },
      ];
    })
    .map((line) => JSON.stringify(line))
    .join("\n");
}

const WAITS = Array.from({ length: 20 }, (_, index) => Math.round(3_000 * Math.exp((index - 9.5) / 15)));

test("fits a carrier's latency to 20 pairs of acknowledgment and callback, beside that of the other operation", async () => {
  const config = await file("latency.yaml", "carriers:\n  safaricom:\n    latency: 1s # both\n");

  const { exitCode, printed } = await calibrate(["-", "--config", config, "--write"], pairs(WAITS));

  expect(printed).toContain(
    "latency safaricom airtime  differs  1s       median 3s, sigma 0.384 (20 times, 2025-10-17)\n",
  );
  expect(exitCode).toBe(0);
  expect(await readFile(config, "utf8")).toBe(`carriers:
  safaricom:
    latency:
      # observed 20 times, 2025-10-17
      airtime:
        lognormal:
          median: 3s
          sigma: 0.384
      sms: 1s # both
`);
  expect((await calibrate(["-", "--config", config], pairs(WAITS))).exitCode).toBe(0);
});

test("fits nothing to fewer pairs, and says how many there are", async () => {
  const { exitCode, printed } = await calibrate(["-"], pairs(WAITS.slice(1)));

  expect(exitCode).toBe(0);
  expect(printed).toContain("latency: 19 pairs of an acknowledgment and its callback; a carrier needs 20.\n");
});
