import { Refused } from "../domain/refusal.ts";

const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/** A body is application/json, with or without the charset UTF-8 (document 2). Throws `Refused` 415. */
export function checkContentType(contentType: string | undefined): void {
  if (contentType === "application/json" || (contentType !== undefined && JSON_TYPE.test(contentType))) return;
  const found = contentType === undefined ? "there is no Content-Type header" : `the Content-Type is ${contentType}`;
  throw new Refused(415, { hint: `${found}; send application/json in UTF-8` });
}
