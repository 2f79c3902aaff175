import type { ApiContent, ApiDescription, ApiOperation } from "./openapi.ts";

/** A call of an operation. They are listed in an order in which each succeeds on a fresh sandbox. */
export interface ExampleCall {
  /** The method and path of the operation. */
  readonly call: string;
  /** Values for the placeholders in the path. `{{name}}`, also in a body, is what an earlier call saved. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A string names the variable that contains the whole body. */
  readonly body?: object | string;
  /** Where the page of the API keeps the whole response, or takes the body from. */
  readonly file?: string;
  /** The response depends on the machine, so it is left out. */
  readonly isLocal?: true;
  /** Variables with the path of their value in the response. An empty path is the whole response. */
  readonly saves?: Readonly<Record<string, readonly (string | number)[]>>;
}

/** An example with the sandbox's response. */
export interface RecordedCall extends ExampleCall {
  readonly status: number;
  /** JSON, or an empty string. */
  readonly text: string;
}

/** The account that the examples open, use and delete. They change nothing else in the sandbox. */
export const EXAMPLE_ACCOUNT = { consumer_key: "example-key", consumer_secret: "example-secret" };
const ofAccount = "/__admin/accounts/{account}";

const SENDER_ID = {
  sender_id: "DUKA",
  carriers: ["safaricom"],
  documents: { authorization_letter: "letter.pdf", registration_pdf: "certificate.pdf" },
};

/** An exploration with one trial, which leaves its order open. */
export const EXPLORATION = {
  version: 1,
  name: "exploration of http://localhost:3000",
  application: "http://localhost:3000",
  seed: 7,
  started_at: "2025-01-06T06:00:00.000Z",
  duration_ms: 640,
  is_over: false,
  summary: "No defect",
  doing: "21 orders at once",
  done: 1,
  total: 86,
  runs: 3,
  redundant: 0,
  problems: [],
  matrix: {
    points: ["1st airtime request"],
    rows: [
      {
        fault: "reset-after-accept",
        words: "the connection is reset, and the order is accepted",
        group: "acknowledgment",
        trials: ["airtime-1-reset-after-accept"],
      },
    ],
  },
  trials: [
    {
      id: "airtime-1-reset-after-accept",
      operation: "airtime",
      faults: "the connection is reset, and the order is accepted",
      places: [{ point: "1st airtime request", fault: "reset-after-accept" }],
      verdict: "open",
      verdicts: [
        {
          is: "open",
          id: "order",
          title: "places an order",
          seen: "the gateway got 1 request, accepted 1 and delivered 1",
          truths: { says: "open", got: "KES 75.00", paid: "KES 71.25" },
          count: 1,
          exchanges: [],
          follows: [],
        },
      ],
      phone_number: "254710055434",
      exchanges: [],
      duration_ms: 640,
    },
  ],
  not_looked_at: [],
};

/** Transactions stay stuck, so that a call can settle one. */
const STUCK = { version: 1, name: "stuck", rules: [{ name: "stuck", then: { result: { stuck: true } } }] };

const SMS = { phone_number: "254712345678", message: "Karibu", sender_id: "SANDBOX" };

export const EXAMPLES: readonly ExampleCall[] = [
  { call: "GET /__admin/accounts" },
  { call: "GET /__admin/replicas" },
  {
    call: "POST /__admin/accounts",
    body: {
      ...EXAMPLE_ACCOUNT,
      balance: "20000.00",
      clock: "manual",
      seed: 7,
      organization: {
        name: "Duka Moja",
        office_email: "info@duka-moja.example",
        office_mobile: "+254700000000",
        top_up_code: "DUKA01",
      },
    },
  },
  { call: `GET ${ofAccount}` },
  { call: `GET ${ofAccount}/export`, saves: { journal: [] }, file: "journal.json" },
  { call: `PUT ${ofAccount}/import`, body: "journal", file: "journal.json" },
  { call: `PUT ${ofAccount}/callbacks`, body: { airtime: "kredo:sink", sms: "kredo:sink" } },
  { call: `GET ${ofAccount}/callbacks` },
  { call: `POST ${ofAccount}/callbacks/doctor`, body: { url: "http://127.0.0.1:9/hooks" }, isLocal: true },
  {
    call: "POST /api/v2/airtime",
    body: { phone_number: "254712345678", amount: "100" },
    saves: { request_id: ["request_id"] },
  },
  { call: "POST /api/v2/sms", body: SMS },
  { call: "GET /api/v2/account-details" },
  { call: `POST ${ofAccount}/dry-run`, body: { operation: "sms", body: SMS } },
  { call: `GET ${ofAccount}/clock` },
  { call: `POST ${ofAccount}/clock/advance`, body: { to: "next" } },
  { call: `PUT ${ofAccount}/clock`, body: { mode: "manual", now: "2025-01-06T07:00:00Z" } },
  { call: `POST ${ofAccount}/drain`, body: { within: "5s" } },
  { call: `GET ${ofAccount}/callbacks/sent`, query: { limit: "1" } },
  { call: `GET ${ofAccount}/callbacks/received`, query: { limit: "1" } },
  { call: `GET ${ofAccount}/messages`, query: { phone_number: "254712345678" } },
  { call: `GET ${ofAccount}/wallet` },
  { call: `PUT ${ofAccount}/wallet`, body: { balance: "15000.00" } },
  { call: `POST ${ofAccount}/wallet/top-ups`, body: { amount: "99.50" } },
  { call: `GET ${ofAccount}/ledger`, query: { limit: "3" } },
  { call: `GET ${ofAccount}/transactions`, query: { state: "succeeded", limit: "1" } },
  { call: `GET ${ofAccount}/transactions/{request_id}`, parameters: { request_id: "{{request_id}}" } },
  { call: `POST ${ofAccount}/callbacks/resend`, body: { request_ids: ["{{request_id}}"] } },
  { call: `GET ${ofAccount}/requests`, query: { operation: "airtime" } },
  { call: `GET ${ofAccount}/requests/count`, query: { operation: "airtime" } },
  {
    call: `POST ${ofAccount}/requests/verify`,
    body: { match: { operation: "airtime", phone_number: "254712345678" }, count: 1, within: "2s" },
  },
  { call: `GET ${ofAccount}/requests/{request_id}/exchange`, parameters: { request_id: "{{request_id}}" } },
  { call: `POST ${ofAccount}/sender-ids`, body: SENDER_ID, saves: { sender_id: ["registrations", 0, "id"] } },
  {
    call: `POST ${ofAccount}/sender-ids/{id}/decide`,
    parameters: { id: "{{sender_id}}" },
    body: { verdict: "approved" },
  },
  { call: "GET /__admin/scenarios" },
  { call: "GET /__admin/scenarios/{name}", parameters: { name: "duplicate-callbacks" } },
  { call: `POST ${ofAccount}/scenarios`, body: { name: "duplicate-callbacks" } },
  { call: `GET ${ofAccount}/scenarios` },
  {
    call: `PATCH ${ofAccount}/scenarios/{name}`,
    parameters: { name: "duplicate-callbacks" },
    body: { rule: "each callback comes three times", on: false },
  },
  { call: `GET ${ofAccount}/scenarios/{name}`, parameters: { name: "duplicate-callbacks" } },
  {
    call: `PUT ${ofAccount}/scenarios/{name}`,
    parameters: { name: "duplicate-callbacks" },
    body: { version: 1, name: "duplicate-callbacks", rules: [{ name: "twice", then: { callback: { times: 2 } } }] },
  },
  { call: `DELETE ${ofAccount}/scenarios/{name}`, parameters: { name: "duplicate-callbacks" } },
  { call: `DELETE ${ofAccount}/scenarios` },
  { call: `POST ${ofAccount}/scenarios`, body: STUCK },
  {
    call: "POST /api/v2/airtime",
    body: { phone_number: "254722345678", amount: "50" },
    saves: { request_id: ["request_id"] },
  },
  {
    call: `POST ${ofAccount}/transactions/{request_id}/settle`,
    parameters: { request_id: "{{request_id}}" },
    body: { result_code: 500 },
  },
  { call: `GET ${ofAccount}/findings` },
  { call: "GET /__admin/findings" },
  { call: `GET ${ofAccount}/report` },
  { call: `PUT ${ofAccount}/exploration`, body: EXPLORATION, file: "exploration.json" },
  { call: `GET ${ofAccount}/exploration`, file: "exploration.json" },
  { call: `PUT ${ofAccount}/credentials`, body: { consumer_secret: "rotated-secret" } },
  { call: `POST ${ofAccount}/reset`, body: {} },
  { call: `DELETE ${ofAccount}` },
];

/** Documented without an example: endless responses, and this description. */
const WITHOUT = [`GET ${ofAccount}/events`, "GET /__admin/events", "GET /__admin/openapi.json"];

/** Makes every call on a sandbox. Throws if a call is refused or an operation has no example. */
export async function recordExamples(url: string, { paths }: ApiDescription): Promise<RecordedCall[]> {
  expectExampleOfEach(paths);
  const variables = new Map<string, string>();
  const recorded: RecordedCall[] = [];
  for (const example of EXAMPLES) recorded.push(await makeCall(url, example, variables));
  return recorded;
}

function expectExampleOfEach(paths: ApiDescription["paths"]): void {
  const known = new Set([...EXAMPLES.map(({ call }) => call), ...WITHOUT]);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const missing = operations.filter((operation) => !known.has(operation));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: no example in scripts/api-examples.ts; add one`);
}

async function makeCall(url: string, example: ExampleCall, variables: Map<string, string>): Promise<RecordedCall> {
  const filled = fill(`${url}${pathOf(example)}`, new Map([...variables, ["account", EXAMPLE_ACCOUNT.consumer_key]]));
  const body =
    typeof example.body === "string"
      ? variables.get(example.body)
      : example.body && fill(JSON.stringify(example.body), variables);
  const credentials = btoa(`${EXAMPLE_ACCOUNT.consumer_key}:${EXAMPLE_ACCOUNT.consumer_secret}`);
  const headers = {
    "content-type": "application/json",
    ...(isOfGateway(example) && { authorization: `Basic ${credentials}` }),
  };
  const response = await fetch(filled, { method: methodOf(example), headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${example.call}: ${response.status} ${text}`);
  for (const [name, path] of Object.entries(example.saves ?? {})) variables.set(name, pick(text, path));
  return { ...example, status: response.status, text: example.isLocal ? "" : withoutWallTime(text, url) };
}

export function pick(text: string, path: readonly (string | number)[]): string {
  return path.length === 0 ? text : path.reduce((value, key) => value[key], JSON.parse(text));
}

/** Returns the path with `{{variable}}` for what has to be filled in: the account, and what earlier calls saved. */
export function pathOf({ call, parameters = {}, query = {} }: ExampleCall): string {
  const [, path = ""] = call.split(" ");
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? `{{${name}}}`);
  const search = new URLSearchParams(query).toString();
  return search === "" ? named : `${named}?${search}`;
}

export function methodOf({ call }: ExampleCall): string {
  return call.split(" ")[0] ?? "";
}

export function isOfGateway({ call }: ExampleCall): boolean {
  return !call.includes(" /__admin/");
}

function fill(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? "");
}

/** Replaces what changes from run to run: wall times, durations and addresses. The examples' account stands still on 2025-01-06. */
function withoutWallTime(text: string, url: string): string {
  return text
    .replaceAll(new URL(url).host, "127.0.0.1:8254")
    .replaceAll(/(?!2025-01-06)\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2025-01-06T06:00:00.000Z")
    .replaceAll(/Date: [^\\]+/gi, "Date: Mon, 06 Jan 2025 06:00:00 GMT")
    .replaceAll(/\\r\\ncontent-length: \d+/gi, "")
    .replaceAll(/"(millis|duration_ms)": ?[\d.]+/g, '"$1":12');
}

/** Adds the examples to the description: for each operation's body and each JSON response. */
export function withExamples(description: ApiDescription, recorded: readonly RecordedCall[]): ApiDescription {
  const first = new Map(recorded.toReversed().map((made) => [made.call, made]));
  const paths = Object.entries(description.paths).map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, operation]) => {
      const made = first.get(`${method.toUpperCase()} ${path}`);
      return [method, made === undefined ? operation : exemplify(operation, made)];
    });
    return [path, Object.fromEntries(described)];
  });
  return { ...description, paths: Object.fromEntries(paths) };
}

function exemplify(operation: ApiOperation, { body, status, text }: RecordedCall): ApiOperation {
  const { requestBody, responses } = operation;
  const response = responses[status];
  if (response === undefined) throw new Error(`${operation.summary}: it answered ${status}, which is not described`);
  const taken = typeof body === "object" ? body : undefined;
  const answered = text === "" ? undefined : JSON.parse(text);
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: withExample(requestBody.content, taken) } }),
    responses: {
      ...responses,
      [status]: { ...response, ...(response.content && { content: withExample(response.content, answered) }) },
    },
  };
}

function withExample(content: ApiContent, example: unknown): ApiContent {
  const json = content["application/json"];
  return json === undefined || example === undefined
    ? content
    : { ...content, "application/json": { ...json, example } };
}
