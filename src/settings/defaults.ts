/** What holds where nothing else is said, apart from the schemas because most commands of the command line need no more. */
export const PORT = 8254;
export const HOST = "127.0.0.1";
export const CONSUMER_KEY = "sandbox-key";
export const CONSUMER_SECRET = "sandbox-secret";
