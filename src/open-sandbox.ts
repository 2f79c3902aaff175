import type { SandboxSettings } from "./config.ts";
import type { ListenAt, Listening } from "./gateway/adapters/server/node-server.ts";
import { type RunningSandbox, startSandbox, type StartOptions } from "./sandbox.ts";
import type { HttpsCredentials } from "./tls/https.ts";

/** A sandbox that listens. */
export interface OpenSandbox {
  readonly running: RunningSandbox;
  /** HTTP first. */
  readonly ports: readonly [Listening, ...Listening[]];
  /** Only with HTTPS. */
  readonly secure?: TlsPort;
  /** Ends the sandbox, then closes its ports. */
  readonly close: () => Promise<void>;
}

export interface TlsPort {
  readonly listening: Listening;
  readonly credentials: HttpsCredentials;
}

interface OpenOptions extends Omit<StartOptions, "ca"> {
  /** The variables that say where the certificate authority is kept. Without them, one without a folder is for this run only. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called before anything can happen in the sandbox. */
  readonly onStarted?: (running: RunningSandbox) => void;
  /** Returns what to throw if a port cannot be opened, or, without a port, the certificate authority cannot be used. */
  readonly explain?: (error: unknown, at?: ListenAt) => Promise<unknown>;
}

/** Starts a sandbox, and opens its port and the one for HTTPS if the settings have it. If one cannot be opened, nothing stays open. */
export async function openSandbox(
  settings: SandboxSettings,
  { env, onStarted = () => {}, explain = async (error) => error, ...start }: OpenOptions,
): Promise<OpenSandbox> {
  const { port, host, https } = settings;
  const credentials = await prepareCredentials(settings, env, explain);
  const running = await startSandbox(settings, { ...start, ca: credentials?.ca });
  onStarted(running);
  const opened: Listening[] = [];
  const close = async (): Promise<void> => {
    await running.close();
    await Promise.all(opened.map((one) => one.close()));
  };
  const open = async (at: ListenAt): Promise<Listening> => {
    try {
      const listening = await running.listen(at);
      opened.push(listening);
      return listening;
    } catch (error) {
      await close();
      throw await explain(error, at);
    }
  };
  const plain = await open({ port, host });
  if (https === undefined || credentials === undefined) return { running, ports: [plain], close };
  const listening = await open({ port: https.port, host, tls: credentials.server });
  return { running, ports: [plain, listening], secure: { listening, credentials }, close };
}

/** Loads the library for certificates only for HTTPS. */
async function prepareCredentials(
  { https, host }: SandboxSettings,
  env: OpenOptions["env"],
  explain: NonNullable<OpenOptions["explain"]>,
): Promise<HttpsCredentials | undefined> {
  if (https === undefined) return undefined;
  const { prepareHttps } = await import("./tls/https.ts");
  try {
    return await prepareHttps(https, host, env);
  } catch (error) {
    throw await explain(error);
  }
}
