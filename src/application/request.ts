import * as z from "zod";
import { complain, durationValue, textThat } from "../document/values.ts";

/** The application's address, without placeholders. */
export const applicationValue = textThat((text) => isUrl(text) && !/[{}]/.test(text), {
  what: "a URL",
  repair: "write one like http://localhost:3000",
});

/** A placeholder for the application may stand where its address would. */
const urlValue = textThat(isUrl, {
  what: "a URL",
  repair: "write http:// or https:// and a host, or {app} and a path, like {app}/orders",
});

const methodValue = textThat((text) => /^[A-Z]{1,20}$/.test(text), { what: "a method", repair: "write it in capitals, like POST" });

const headersValue = z.record(z.string(), z.string().meta({ type: ["string", "number"] }));

/** The keys of a request to the application. */
export const requestShape = {
  method: methodValue.describe("Default POST with a body, GET without one.").exactOptional(),
  url: urlValue.describe("The URL; {app} stands for the application's address."),
  headers: headersValue.describe("Header fields.").exactOptional(),
  json: z.unknown().describe("A body to send as JSON.").exactOptional(),
  body: z.string().describe("A body to send as written.").exactOptional(),
  timeout: durationValue.describe('How long its answer may take. Default "30s".').prefault("30s"),
};

/** A request to the application; its texts still have their placeholders. */
export const requestValue = z.strictObject(requestShape).superRefine(checkBody);

export type ApplicationRequest = z.output<typeof requestValue>;

/** A request has one body. */
export function checkBody({ json, body }: { json?: unknown; body?: string }, context: z.RefinementCtx): void {
  if (json !== undefined && body !== undefined)
    complain(context, { path: ["body"], problem: "is a second body beside json", repair: "keep one of the two" });
}

export function methodOf({ method, json, body }: ApplicationRequest): string {
  return method ?? (json === undefined && body === undefined ? "GET" : "POST");
}

const commandText = textThat((text) => text.trim() !== "", { what: "a command", repair: "write what a shell is to run" });

const commandMapping = z.strictObject({
  run: commandText.describe("The command line."),
  timeout: durationValue.describe('How long it may take. Default "10m".').prefault("10m"),
});

/** A line for the shell, or a mapping that says how long it may take. */
export const commandValue = z.union([commandText.transform((run) => commandMapping.parse({ run })), commandMapping]);

export type ShellCommand = z.output<typeof commandValue>;

/** Whom to ask: exactly one of the two. */
export interface Source {
  readonly request?: ApplicationRequest;
  readonly command?: ShellCommand;
}

export function describeSource({ request, command }: Source): string {
  return request === undefined ? (command?.run ?? "") : `${methodOf(request)} ${request.url}`;
}

/** Whatever a placeholder turns out to be, the rest must make sense. */
export function isUrl(text: string): boolean {
  const example = text.replace(/^\{(app|sandbox)\}/, "http://127.0.0.1").replace(/\{[a-z][a-z0-9_]*\}/g, "0");
  return /^https?:\/\/[^/?#\s]/i.test(example) && !/\s/.test(example) && URL.canParse(example);
}
