/**
 * An Authorization header whose Base64 is broken by a line end, although the line before it ends as HTTP lines do. Commands wrap after 60
 * characters or more.
 */
const BROKEN =
  /\r\nauthorization:[ \t]*basic[ \t]+(?:[A-Za-z0-9+/]+={0,2}[ \t]*\n|[A-Za-z0-9+/]{60,}[ \t]*\r\n[ \t]*[A-Za-z0-9+/]+={0,2}[ \t]*\r?\n)/i;

/** Returns whether Node's parser refuses what arrived because of a line end within the credentials. */
export function hasBrokenCredentials(arrived: Buffer | undefined): boolean {
  return arrived !== undefined && BROKEN.test(arrived.toString("latin1"));
}

export const BROKEN_CREDENTIALS = {
  problem: "the Authorization header is broken by a line end: `base64` wraps after 76 characters",
  repair: "pipe its output through tr -d '\\r\\n'",
};
