import type { Listening } from "../adapters/node-server.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import type { Simulator } from "../simulator.ts";
import type { Credentials } from "../simulator-https.ts";
import type { Variables } from "./config-file.ts";
import { Halt } from "./halt.ts";
import { explainListenFailure } from "./listen-failure.ts";

/** Where a sandbox listens. */
export interface Ports {
  readonly http: Listening;
  /** With HTTPS alone. */
  readonly secure?: SecurePort;
  /** Resolves when they are free again. */
  close(): Promise<void>;
}

export interface SecurePort {
  readonly listening: Listening;
  readonly credentials: Credentials;
}

/** What HTTPS is proved with, where the settings ask for it. Halts when the certificate authority cannot be had. */
export async function prepareCredentials(settings: SandboxSettings, env: Variables): Promise<Credentials | undefined> {
  if (settings.https === undefined) return undefined;
  const { AuthorityProblem, prepareHttps } = await import("../simulator-https.ts");
  try {
    return await prepareHttps(settings.https, settings, env);
  } catch (error) {
    throw error instanceof AuthorityProblem ? new Halt(2, error.message) : error;
  }
}

export interface Opening {
  readonly credentials: Credentials | undefined;
  /** Told why a client's TLS connection came to nothing. */
  readonly onTlsFailure: (code: string) => void;
}

/** Opens every port that the settings ask for. Halts when one cannot be had, and closes the simulator and the others before. */
export async function openPorts(simulator: Simulator, settings: SandboxSettings, opening: Opening): Promise<Ports> {
  const { port, host, https } = settings;
  const http = await listenOrHalt(simulator, { port, host }, "--port");
  const { credentials, onTlsFailure: onFailure } = opening;
  if (https === undefined || credentials === undefined) return { http, close: () => http.close() };
  const tls = { ...credentials.server, onFailure };
  const listening = await listenOrHalt(simulator, { port: https.port, host, tls }, "--https-port").catch(async (error: unknown) => {
    await http.close();
    throw error;
  });
  return { http, secure: { listening, credentials }, close: async () => void (await Promise.all([http.close(), listening.close()])) };
}

async function listenOrHalt(simulator: Simulator, at: Parameters<Simulator["listen"]>[0], flag: string): Promise<Listening> {
  try {
    return await simulator.listen(at);
  } catch (error) {
    await simulator.close();
    throw new Halt(3, explainListenFailure(error, { port: at.port, host: at.host, flag }));
  }
}
