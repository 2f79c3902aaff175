import * as z from "zod";
import { addProblem, textMatching } from "../../gateway/document/values.ts";

/** A URL that may start with a placeholder for the application's address. */
const urlValue = textMatching(isUrl, {
  what: "a URL",
  repair: "write http:// or https:// and a host, or {app} and a path, like {app}/orders",
});

const methodValue = textMatching((text) => /^[A-Z]{1,20}$/.test(text), {
  what: "a method",
  repair: "write it in upper case, like POST",
});

const headersValue = z.record(z.string(), z.string().meta({ type: ["string", "number"] }));

export const requestValue = z
  .strictObject({
    method: methodValue.describe("Default POST with a body, GET without one.").exactOptional(),
    url: urlValue.describe("The URL; {app} is the application's address."),
    headers: headersValue.describe("Additional headers.").exactOptional(),
    json: z
      .unknown()
      .describe('A body to send as JSON. A placeholder in it stays text; { number: "{amount}" } is a number.')
      .exactOptional(),
    body: z
      .string()
      .describe("A body to send as written. Placeholders in JSON, XML and forms are encoded by its Content-Type.")
      .exactOptional(),
  })
  .superRefine(({ json, body }, context) => {
    if (json !== undefined && body !== undefined)
      addProblem(context, {
        path: ["body"],
        problem: "is a second body in addition to json",
        repair: "keep one of the two",
      });
  });

export type ApplicationRequest = z.output<typeof requestValue>;

export function methodOf({ method, json, body }: ApplicationRequest): string {
  return method ?? (json === undefined && body === undefined ? "GET" : "POST");
}

/** Returns whether the URL is valid whatever its placeholders are replaced by. */
export function isUrl(text: string): boolean {
  const example = text.replace(/^\{app\}/, "http://127.0.0.1").replace(/\{[a-z][a-z0-9_]*\}/g, "0");
  return /^https?:\/\/[^/?#\s]/i.test(example) && !/\s/.test(example) && URL.canParse(example);
}
