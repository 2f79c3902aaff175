import { stringify } from "yaml";
import { parseAppMap } from "../../verdict/application/app-map.ts";
import { quote } from "../../gateway/document/describe-value.ts";
import { formatProblem } from "../../gateway/document/problem.ts";
import { CliError } from "../cli-error.ts";
import type { Flag } from "../command.ts";
import { parseDuration } from "../../gateway/domain/time.ts";
import { APP_MAP } from "../rehearsal-files.ts";
import { printLines, type Terminal } from "../terminal.ts";

interface Question extends Form {
  readonly name: string;
  readonly asks: string;
  /** The meaning of an empty answer. */
  readonly usual: string;
  /** Whether there is no sensible default, so that it must be given if nobody can be asked. */
  readonly isNeeded?: boolean;
  /** Asked only if this one was answered. */
  readonly after?: string;
}

/** What an answer looks like. */
interface Form {
  readonly value: string;
  readonly isRight: (answer: string) => boolean;
  /** The expected format, for the error message. */
  readonly repair: string;
}

/** Omits the value from the map. */
const NONE = "none";

const words = form("WORDS", /\S/, "the words with commas between them");
const url = form("URL", /^https?:\/\/\S+$/, "a URL like http://localhost:3000");
const path = form("PATH", /^\//, "a path like /hooks/airtime");
const request = form("REQUEST", /^(?:[A-Z]+ )?\/\S*$/, 'a method and a path, like "POST /orders"');
const jsonPath = form("JSONPATH", /^\$/, "a JSONPath like $.order.id");
const json: Form = {
  value: "JSON",
  isRight: isJsonObject,
  repair: `write JSON like '{"phone": "{phone_number}", "amount": "{amount}"}'`,
};
const duration: Form = {
  value: "TIME",
  isRight: (answer) => parseDuration(answer) !== undefined,
  repair: "write a time like 10s or 1m",
};

function form(value: string, pattern: RegExp, words: string): Form {
  return { value, isRight: (answer) => pattern.test(answer), repair: `write ${words}` };
}

function orNone({ value, isRight, repair }: Form): Form {
  return { value, isRight: (answer) => answer === NONE || isRight(answer), repair: `${repair}, or none` };
}

const QUESTIONS: readonly Question[] = [
  { name: "application", asks: "The URL of your application", usual: "http://localhost:3000", ...url },
  { name: "order", asks: "The request that orders airtime", usual: "POST /orders", isNeeded: true, ...request },
  {
    name: "body",
    asks: "Its JSON body, where {local_number} is 07…, {plus_number} is +254… and {reference} is unique to an order",
    usual: '{"phone_number": "{phone_number}", "amount": "{amount}"}',
    ...json,
  },
  { name: "id", asks: "The JSONPath of the order's id in its answer", usual: "$.id", ...jsonPath },
  { name: "status", asks: "The request that reads an order", usual: "GET /orders/{id}", ...request },
  { name: "status-path", asks: "The JSONPath of the status in its answer", usual: "$.status", ...jsonPath },
  { name: "paid", asks: "Your words for a delivered order", usual: "paid", ...words },
  { name: "failed", asks: "Your words for an order that failed or was refunded", usual: "failed", ...words },
  { name: "open", asks: "Your words for an order that is not decided yet", usual: "pending", ...words },
  {
    name: "callback",
    asks: "The path that receives the gateway's callbacks",
    usual: "/hooks/airtime",
    isNeeded: true,
    ...path,
  },
  {
    name: "balance",
    asks: "The request that reads the customer's balance, to check debits",
    usual: NONE,
    ...orNone(request),
  },
  {
    name: "balance-path",
    asks: "The JSONPath of the balance in its answer",
    usual: "$.balance",
    after: "balance",
    ...jsonPath,
  },
  {
    name: "settle",
    asks: "How long your application needs after a callback, if more than 5s",
    usual: NONE,
    ...orNone(duration),
  },
];

const group = "With --app:";

export const APP_MAP_FLAGS: readonly Flag[] = [
  {
    name: "app",
    about: `write ${APP_MAP} instead: how to place and read an order in your application; asks for whatever no flag sets`,
  },
  ...QUESTIONS.map((question) => ({ name: question.name, value: question.value, about: describe(question), group })),
];

function describe({ asks, usual, isNeeded = false }: Question): string {
  return `${asks.charAt(0).toLowerCase()}${asks.slice(1)}${isNeeded ? `, such as ${usual}` : ` (default: ${usual})`}`;
}

/** Writes an app map from flags, and answers at a terminal. Throws a CliError for mistakes. */
export async function writeAppMap(flags: Answers, terminal: Terminal): Promise<string> {
  for (const question of QUESTIONS) expectRight(question, flags.get(question.name));
  const answers = terminal.ask === undefined ? withUsual(flags) : await askAll(flags, terminal);
  const text = render(answers);
  const parsed = parseAppMap(text, APP_MAP);
  if ("problems" in parsed) throw new CliError(2, parsed.problems.map(formatProblem).join("\n"));
  return text;
}

/** The answers, or the flags, by the name of the question. */
type Answers = ReadonlyMap<string, string>;

function expectRight({ name, isRight, repair }: Question, written: string | undefined): void {
  if (written === undefined || isRight(written)) return;
  throw new CliError(2, `--${name}: ${quote(written)} is not valid; ${repair}`);
}

/** Fills in defaults. Without a terminal, values without a default must be given as flags. */
function withUsual(flags: Answers): Answers {
  const missing = QUESTIONS.filter(({ name, isNeeded }) => isNeeded === true && !flags.has(name));
  if (missing.length > 0)
    throw new CliError(
      2,
      [
        ...missing.map(({ name, usual }) => `--${name} is missing; write it like --${name} ${quote(usual)}`),
        "In a terminal, kredo init --app asks for it.",
      ].join("\n"),
    );
  return new Map(QUESTIONS.map(({ name, usual }) => [name, flags.get(name) ?? usual]));
}

/** Asks for everything that no flag sets. */
async function askAll(flags: Answers, terminal: Terminal): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const question of QUESTIONS) {
    const { name, after, usual } = question;
    const isNeedless = after !== undefined && answers.get(after) === NONE;
    answers.set(name, flags.get(name) ?? (isNeedless ? usual : await askOne(question, terminal)));
  }
  return answers;
}

/** Asks until the answer is valid; an empty answer accepts the default. */
async function askOne({ asks, usual, isRight, repair }: Question, { ask, stderr }: Terminal): Promise<string> {
  for (;;) {
    const typed = (await ask?.(`${asks} [${usual}] `))?.trim();
    if (typed === undefined) throw new CliError(1, "Stopped; nothing was written.");
    if (typed === "") return usual;
    if (isRight(typed)) return typed;
    printLines(stderr, [`${quote(typed)} is not valid; ${repair}`]);
  }
}

function render(answers: Answers): string {
  const answer = (name: string): string => answers.get(name) ?? "";
  const words = (name: string): string[] =>
    answer(name)
      .split(",")
      .map((word) => word.trim());
  return [
    "# yaml-language-server: $schema=./node_modules/kredo/schema/app.schema.json",
    "version: 1",
    `application: ${answer("application")}`,
    "order:",
    "  airtime:",
    `    request: ${inline({ ...requestOf(answer("order"), "POST"), json: JSON.parse(answer("body")) })}`,
    `    id: ${inline(answer("id"))}`,
    "status:",
    `  request: ${inline(requestOf(answer("status"), "GET"))}`,
    `  json_path: ${inline(answer("status-path"))}`,
    `  paid: ${inline(words("paid"))}`,
    `  failed: ${inline(words("failed"))}`,
    `  open: ${inline(words("open"))}`,
    `callbacks: ${inline({ airtime: `{app}${answer("callback")}` })}`,
    ...(answer("balance") === NONE
      ? []
      : [`balance: ${inline({ request: requestOf(answer("balance"), "GET"), json_path: answer("balance-path") })}`]),
    ...(answer("settle") === NONE ? [] : [`settle: ${answer("settle")}`]),
    "",
  ].join("\n");
}

function requestOf(written: string, usual: string): { method?: string; url: string } {
  const [, method = usual, path = ""] = /^(?:([A-Z]+) )?(\S+)$/.exec(written) ?? [];
  return { ...(method !== usual && { method }), url: `{app}${path}` };
}

/** One line of YAML. */
function inline(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
