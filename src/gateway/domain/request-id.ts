import type { Draws } from "./draws.ts";

/** How the gateway writes a request_id: as a UUID, or padded as the live gateway was seen to send it (public-facts.md, "Observed live"). */
export type RequestIdForm = "uuid" | "padded";

/** Returns the id of a request: a UUID, or its hexadecimal digits between two paddings of four letters or digits. */
export function requestIdOf(draws: Draws, form: RequestIdForm): string {
  const id = draws.uuid();
  if (form === "uuid") return id;
  const padding = paddingOf(draws.draw("request_id padding"));
  // Joined rather than added up, which V8 would keep in pieces.
  return [padding.slice(0, PADDED), id.replaceAll("-", ""), padding.slice(PADDED)].join("");
}

/** Characters on either side. */
const PADDED = 4;

const CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function paddingOf(draw: number): string {
  let left = Math.floor(draw * CHARACTERS.length ** (2 * PADDED));
  let padding = "";
  for (let index = 0; index < 2 * PADDED; index += 1) {
    padding += CHARACTERS.charAt(left % CHARACTERS.length);
    left = Math.floor(left / CHARACTERS.length);
  }
  return padding;
}
