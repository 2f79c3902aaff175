import type { Draws } from "./draws.ts";

/**
 * How the gateway writes a request_id: as a UUID; as its 32 hexadecimal digits; or with these between letters and digits at random, four on
 * either side as the live gateway was seen to send it, or five as its owner's portal makes them (public-facts.md).
 */
export const REQUEST_ID_FORMS = ["uuid", "padded", "padded_5", "hex"] as const;
type RequestIdForm = (typeof REQUEST_ID_FORMS)[number];

export function requestIdOf(draws: Draws, form: RequestIdForm): string {
  const id = draws.uuid();
  if (form === "uuid") return id;
  const digits = id.replaceAll("-", "");
  if (form === "hex") return digits;
  const length = form === "padded" ? 4 : 5;
  const [before, after] = ["before", "after"].map((side) => padding(draws.draw(`request_id padding ${side}`), length));
  // Joined rather than added up, which V8 would keep in pieces.
  return [before, digits, after].join("");
}

const CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function padding(draw: number, length: number): string {
  let left = Math.floor(draw * CHARACTERS.length ** length);
  let text = "";
  for (let index = 0; index < length; index += 1) {
    text += CHARACTERS.charAt(left % CHARACTERS.length);
    left = Math.floor(left / CHARACTERS.length);
  }
  return text;
}
