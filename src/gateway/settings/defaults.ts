/** Separate from the schemas, because most CLI commands need nothing else from them. */
export const PORT = 8254;
export const HOST = "127.0.0.1";
export const CONSUMER_KEY = "sandbox-key";
export const CONSUMER_SECRET = "sandbox-secret";

/** The scenario that is on by default. It always has the lowest priority. */
export const DEFAULT_SCENARIO = "magic-numbers";
