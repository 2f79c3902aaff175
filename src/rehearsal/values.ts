import * as z from "zod";
import type { RequestMatch } from "../account/readings/match-requests.ts";
import { amountValue, complain, durationValue, readText, textThat } from "../document/values.ts";
import { comparisonOf } from "../scenario/comparison.ts";
import { phonePatternValue, shillingsValue } from "../scenario/values.ts";
import { parseJsonPath } from "./json-path.ts";
import type { RequestBody, ApplicationRequest, ShellCommand } from "./rehearsal.ts";

const NUMBER_OR_TEXT = { type: ["string", "number"] };

/** Longer than this an application need not be waited for unless the file says so. */
const ANSWER_LIMIT = 30_000;

/** Commands start whole test suites. */
const COMMAND_LIMIT = 600_000;

export const countValue = comparisonOf(z.int().min(0));

export const moneyValue = comparisonOf(shillingsValue);

export const jsonPathValue = readText(parseJsonPath, {
  what: "a JSONPath (RFC 9535)",
  repair: 'write one that begins with $, like $.status or $.items[?@.id == "7"]',
});

/** A placeholder for the application may stand where its address would. */
const urlValue = textThat(isUrl, {
  what: "a URL",
  repair: "write http:// or https:// and a host, or {app} and a path, like {app}/orders",
});

/** What a captured value is called; upper and lower case would be one name in an environment. */
export const captureName = /^[a-z][a-z0-9_]{0,31}$/;

const methodValue = textThat((text) => /^[A-Z]{1,20}$/.test(text), { what: "a method", repair: "write it in capitals, like POST" });

const headersValue = z.record(z.string(), z.string().meta(NUMBER_OR_TEXT));

/** The keys of a request to the application. */
export const requestShape = {
  method: methodValue.describe("Default POST with a body, GET without one.").exactOptional(),
  url: urlValue.describe("Where to; {app} is the application's address."),
  headers: headersValue.describe("Header fields.").exactOptional(),
  json: z.unknown().describe("A body that is sent as JSON.").exactOptional(),
  body: z.string().describe("A body that is sent as it stands.").exactOptional(),
  timeout: durationValue.describe('How long its answer may take. Default "30s".').exactOptional(),
};

export interface RequestInput {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
  readonly timeout?: number;
}

/** A request has one body. */
export function checkBody({ json, body }: { json?: unknown; body?: string }, context: z.RefinementCtx): void {
  if (json !== undefined && body !== undefined)
    complain(context, { path: ["body"], problem: "is a second body beside json", repair: "keep one of the two" });
}

export function readRequest({ method, url, headers = {}, json, body, timeout = ANSWER_LIMIT }: RequestInput): ApplicationRequest {
  const written: RequestBody | undefined = json === undefined ? (body === undefined ? undefined : { text: body }) : { json };
  return { method: method ?? (written === undefined ? "GET" : "POST"), url, headers, timeout, ...(written && { body: written }) };
}

const commandText = textThat((text) => text.trim() !== "", { what: "a command", repair: "write what a shell is to run" });

/** A line for the shell, or a mapping that says how long it may take. */
export const commandValue = z.union([
  commandText.transform((command): ShellCommand => ({ command, timeout: COMMAND_LIMIT })),
  z
    .strictObject({
      run: commandText.describe("What the shell runs."),
      timeout: durationValue.describe('How long it may take. Default "10m".').exactOptional(),
    })
    .transform(({ run, timeout = COMMAND_LIMIT }): ShellCommand => ({ command: run, timeout })),
]);

/** Requests of the gateway, as the control API's verify describes them. */
export const matchValue = z
  .strictObject({
    operation: z.enum(["airtime", "sms", "account-details", "unknown"]).describe("Which endpoint.").exactOptional(),
    phone_number: phonePatternValue.describe("The number, with * for any digits.").exactOptional(),
    amount: amountValue.meta(NUMBER_OR_TEXT).describe("KES of airtime.").exactOptional(),
    sender_id: z.string().meta(NUMBER_OR_TEXT).describe("The sender ID of an SMS.").exactOptional(),
    message: z.string().describe("Part of an SMS's text.").exactOptional(),
    status_code: z.int().describe("What the gateway answered; 0 where a scenario cut the connection.").exactOptional(),
  })
  .transform(({ phone_number: phoneNumber, sender_id: senderId, status_code: statusCode, ...same }): RequestMatch => ({
    ...same,
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(senderId !== undefined && { senderId }),
    ...(statusCode !== undefined && { statusCode }),
  }));

/** Whatever a placeholder turns out to be, the rest must make sense. */
export function isUrl(text: string): boolean {
  const example = text.replace(/^\{(app|sandbox)\}/, "http://127.0.0.1").replace(/\{[a-z][a-z0-9_]*\}/g, "0");
  return /^https?:\/\/[^/?#\s]/i.test(example) && !/\s/.test(example) && URL.canParse(example);
}
