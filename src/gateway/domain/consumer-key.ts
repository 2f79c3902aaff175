/** Live keys have 35 characters. Longer ones than this do not fit into the log, a URL and the index of a database together. */
const LONGEST = 128;

/** Printable ASCII characters without a colon, which ends the key in Basic authentication (RFC 7617 section 2), and no blank at either end. */
const FORM = new RegExp(String.raw`^(?! )[ -9;-~]{1,${LONGEST}}(?<! )$`);

/** What the control API calls the first account, and what URLs cannot have as a segment (RFC 3986 section 5.2.4). */
const RESERVED: readonly string[] = ["default", ".", ".."];

/** What a consumer key is, for messages. */
export const CONSUMER_KEY_FORM = {
  what: "a consumer key",
  repair: `write 1 to ${LONGEST} printable ASCII characters, without a colon and without a blank at either end, but neither . nor ..`,
};

export function isConsumerKey(text: string): boolean {
  return FORM.test(text) && !RESERVED.includes(text);
}
