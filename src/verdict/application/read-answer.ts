import type { HttpReply } from "../../control/client/http-exchange.ts";
import { CUT_ANSWER, excerpt, readReply, type ShownValue, tryParseJson } from "./ask.ts";
import type { JsonPath } from "./json-path.ts";

/** Returns all values at a path of a JSON answer. */
export function find(reply: HttpReply, path: JsonPath): ShownValue<readonly unknown[]> {
  const said = readReply(reply);
  if ("missing" in said) return said;
  if (reply.kind === "answered" && reply.isCut === true) return { missing: CUT_ANSWER };
  const json = tryParseJson(said.value);
  return json ? { value: path.find(json.value) } : { missing: `the answer is not JSON${excerpt(said.value)}` };
}

export function read(reply: HttpReply, path: JsonPath): ShownValue<unknown> {
  const found = find(reply, path);
  if ("missing" in found) return found;
  const [value] = found.value;
  return value === undefined ? { missing: `the answer has nothing at ${path.text}${describeReply(reply)}` } : { value };
}

/** Continues a sentence about an answer with how it begins. */
export function describeReply(reply: HttpReply): string {
  return reply.kind === "answered" ? excerpt(reply.text) : "";
}
