import { accountPath, ADMIN_PATH, ControlClient, type ControlTarget } from "../control/client/control-client.ts";
import type { AccountJson } from "../control/client/shapes.ts";
import { Sandbox } from "./sandbox.ts";

/** The environment variables that `kredo exec` sets for its command. */
interface Variables {
  readonly KREDO_URL?: string;
  /** The account to use. Defaults to the default account. */
  readonly KREDO_CONSUMER_KEY?: string;
  /** The admin token, if the control API requires one. */
  readonly KREDO_ADMIN_TOKEN?: string;
}

/**
 * Connects to a running sandbox started by `kredo exec`, `kredo serve`, Compose or Testcontainers. Throws a TypeError without `KREDO_URL`,
 * a `SandboxUnreachableError` if no sandbox answers there, and a `ControlError` for a wrong token or an unknown account.
 */
export async function connectSandbox(env: Variables = process.env): Promise<Sandbox> {
  const { KREDO_URL: text = "", KREDO_CONSUMER_KEY: key, KREDO_ADMIN_TOKEN: token } = env;
  const control: ControlTarget = { url: readUrl(text), send: sendOrExplain, adminToken: token || undefined };
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = await readAccount(control, key || "default");
  return new Sandbox({ consumerKey, consumerSecret }, control, async () => {});
}

function readUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, "");
  const problem = text === "" ? "is not set" : `is ${JSON.stringify(text)}, which is not a URL`;
  throw new TypeError(
    `KREDO_URL ${problem}; set it to the sandbox's, such as http://127.0.0.1:8254, or run the tests with kredo exec`,
  );
}

/** A call of the gateway fails as `fetch` does, because a scenario may have broken its connection. */
async function sendOrExplain(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const { origin, pathname } = new URL(request.url);
    if (!pathname.startsWith(ADMIN_PATH)) throw error;
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new SandboxUnreachableError(
      `no sandbox answers at ${origin} (${reason}); start one with kredo serve, or correct KREDO_URL`,
      { cause: error },
    );
  }
}

async function readAccount(control: ControlTarget, account: string): Promise<AccountJson> {
  const client = new ControlClient(control, accountPath(account));
  const { status, json } = await client.call("GET", "");
  if (typeof json === "object" && json !== null && ("consumer_key" in json || "problem" in json)) return client.get("");
  throw new SandboxUnreachableError(`${control.url} answered ${status} but is not a Kredo sandbox; correct KREDO_URL`);
}

/** Thrown if no sandbox answers at the URL. */
export class SandboxUnreachableError extends Error {
  static override readonly name = "SandboxUnreachableError";
  override readonly name = SandboxUnreachableError.name;
}
