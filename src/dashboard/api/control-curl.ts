import { quoted } from "./quoted.ts";

/** A call to the control API of an account, for a shell. */
export interface ControlCall {
  readonly origin: string;
  readonly consumerKey: string;
  /** Below the account: `scenarios`. */
  readonly path: string;
  /** What is sent, if anything is; it becomes JSON. */
  readonly body?: unknown;
  /** The sandbox asks for its admin token; the line takes it from the shell's environment, where it is not on show. */
  readonly needsToken: boolean;
}

/** The call as a line for a shell. */
export function controlCurl({ origin, consumerKey, path, body, needsToken }: ControlCall): string {
  const url = `${origin}/__admin/accounts/${encodeURIComponent(consumerKey)}/${path}`;
  return [
    `curl ${quoted(url)}`,
    ...(needsToken ? ['-H "authorization: Bearer $KREDO_ADMIN_TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `--data-raw ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}
