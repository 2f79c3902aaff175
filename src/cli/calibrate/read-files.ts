import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { findJsonExcess } from "../../gateway/document/nesting.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { ObservedExchange } from "../../calibration/observed-exchange.ts";
import { invalidInput } from "../terminal/cli-error.ts";
import { printable } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { exchangeIn } from "../../calibration/captured-exchanges.ts";
import { type FoundValue, jsonValues, NESTED_TOO_DEEP } from "../../calibration/json-values.ts";
import { Redactor } from "../../calibration/redact.ts";

/** What was read, besides the exchanges. */
export interface ReadFiles {
  readonly exchanges: number;
  /** Values that are no exchange with the gateway, such as other requests in a HAR. */
  readonly others: number;
  readonly broken: number;
  /** The first of what is broken, with file and line. */
  readonly problems: readonly string[];
}

/** The most problems that are kept. A file that is no capture at all has one on each line. */
const MAX_PROBLEMS = 5;

/** Reads captures, redacts every exchange, and hands it on. A file that is missing ends the command. */
export async function readExchanges(
  paths: readonly string[],
  { stdin }: Pick<Terminal, "stdin">,
  take: (exchange: ObservedExchange) => Promise<void>,
): Promise<ReadFiles> {
  const counts = { exchanges: 0, others: 0, broken: 0 };
  const problems: string[] = [];
  const redactor = new Redactor();
  for (const path of paths) await expectFile(path);
  for await (const { place, found } of valuesOf(paths, stdin)) {
    const read = "problem" in found ? found : readValue(found.value, redactor);
    if (read === undefined) counts.others += 1;
    else if ("problem" in read) {
      counts.broken += 1;
      if (problems.length < MAX_PROBLEMS) problems.push(printable(`${place}  ${read.problem}; ${read.repair}`));
    } else {
      counts.exchanges += 1;
      await take(read);
    }
  }
  return { ...counts, problems };
}

type Read = ObservedExchange | { readonly problem: string; readonly repair: string } | undefined;

async function* valuesOf(
  paths: readonly string[],
  stdin: Terminal["stdin"],
): AsyncGenerator<{ readonly place: string; readonly found: FoundValue }> {
  for (const path of paths) {
    const pieces = path === "-" ? stdin() : createReadStream(path, { encoding: "utf8" });
    for await (const found of jsonValues(pieces)) {
      if ("value" in found && typeof found.value === "string" && found.value.trim() === "") continue;
      yield { place: `${path === "-" ? "standard input" : path}:${found.line}`, found };
    }
  }
}

function readValue(value: unknown, redactor: Redactor): Read {
  if (typeof value === "string" && findJsonExcess(value) !== undefined) return NESTED_TOO_DEEP;
  const exchange = exchangeIn(value);
  if (exchange === undefined)
    return { problem: "is not a JSON object", repair: 'write one exchange, like {"status":200,"body":{…}}' };
  return redactor.redact(exchange);
}

async function expectFile(path: string): Promise<void> {
  if (path === "-") return;
  const problem = await access(path, constants.R_OK)
    .then(() => stat(path))
    .then((found) => (found.isDirectory() ? "it is a folder" : undefined), messageOf);
  if (problem === undefined) return;
  const reason = /ENOENT|ENOTDIR/.test(problem) ? "there is no such file" : `cannot be read (${problem})`;
  throw invalidInput(path, { problem: reason, repair: "write the path of a capture, or - for standard input" });
}
