import * as z from "zod";
import { complain, durationValue, textThat } from "../../gateway/document/values.ts";

/** The application's address, without placeholders. */
export const applicationValue = textThat((text) => isUrl(text) && !/[{}]/.test(text), {
  what: "a URL",
  repair: "write a URL like http://localhost:3000",
});

/** A URL that may start with a placeholder for the application's address. */
const urlValue = textThat(isUrl, {
  what: "a URL",
  repair: "write http:// or https:// and a host, or {app} and a path, like {app}/orders",
});

const methodValue = textThat((text) => /^[A-Z]{1,20}$/.test(text), {
  what: "a method",
  repair: "write it in upper case, like POST",
});

const headersValue = z.record(z.string(), z.string().meta({ type: ["string", "number"] }));

/** The keys of a request to the application. */
export const requestShape = {
  method: methodValue.describe("Default POST with a body, GET without one.").exactOptional(),
  url: urlValue.describe("The URL; {app} is the application's address."),
  headers: headersValue.describe("Additional headers.").exactOptional(),
  json: z.unknown().describe("A body to send as JSON.").exactOptional(),
  body: z.string().describe("A body to send as written.").exactOptional(),
  timeout: durationValue.describe('How long the answer may take. Default "30s".').prefault("30s"),
};

/** A request to the application, with its placeholders not yet filled in. */
export const requestValue = z.strictObject(requestShape).superRefine(checkBody);

export type ApplicationRequest = z.output<typeof requestValue>;

export function checkBody({ json, body }: { json?: unknown; body?: string }, context: z.RefinementCtx): void {
  if (json !== undefined && body !== undefined)
    complain(context, {
      path: ["body"],
      problem: "is a second body in addition to json",
      repair: "keep one of the two",
    });
}

export function methodOf({ method, json, body }: ApplicationRequest): string {
  return method ?? (json === undefined && body === undefined ? "GET" : "POST");
}

const commandText = textThat((text) => text.trim() !== "", {
  what: "a command",
  repair: "write a command line for a shell",
});

const commandMapping = z.strictObject({
  run: commandText.describe("The command line."),
  timeout: durationValue.describe('How long the command may take. Default "10m".').prefault("10m"),
});

/** A shell command line, or a mapping with its timeout. */
export const commandValue = z.union([commandText.transform((run) => commandMapping.parse({ run })), commandMapping]);

export type ShellCommand = z.output<typeof commandValue>;

/** Where to ask: exactly one of the two. */
export interface Source {
  readonly request?: ApplicationRequest;
  readonly command?: ShellCommand;
}

export function describeSource({ request, command }: Source): string {
  return request === undefined ? (command?.run ?? "") : `${methodOf(request)} ${request.url}`;
}

/** Returns whether the URL is valid whatever its placeholders are replaced by. */
export function isUrl(text: string): boolean {
  const example = text.replace(/^\{(app|sandbox)\}/, "http://127.0.0.1").replace(/\{[a-z][a-z0-9_]*\}/g, "0");
  return /^https?:\/\/[^/?#\s]/i.test(example) && !/\s/.test(example) && URL.canParse(example);
}
