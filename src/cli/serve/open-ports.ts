import { messageOf } from "../../domain/message-of.ts";
import type { Listening } from "../../adapters/server/node-server.ts";
import type { SandboxSettings } from "../../config/config-schema.ts";
import type { RunningSandbox } from "../../sandbox/start-sandbox.ts";
import type { Credentials } from "../../sandbox/https.ts";
import type { Variables } from "../terminal.ts";
import { CliError } from "../cli-error.ts";

/** The ports of a sandbox. */
export interface Ports {
  readonly http: Listening;
  /** Only with HTTPS. */
  readonly secure?: SecurePort;
  /** Accepts no new connections, and lets clients of open ones finish. */
  drain(): Promise<void>;
  /** Resolves when the ports are free again. */
  close(): Promise<void>;
}

export interface SecurePort {
  readonly listening: Listening;
  readonly credentials: Credentials;
}

/** Returns the TLS credentials if the settings enable HTTPS. Throws a CliError if the certificate authority cannot be used. */
export async function prepareCredentials(settings: SandboxSettings, env: Variables): Promise<Credentials | undefined> {
  if (settings.https === undefined) return undefined;
  const { AuthorityProblem, prepareHttps } = await import("../../sandbox/https.ts");
  try {
    return await prepareHttps(settings.https, settings, env);
  } catch (error) {
    throw error instanceof AuthorityProblem ? new CliError(2, error.message) : error;
  }
}

export interface OpenPortsOptions {
  readonly credentials: Credentials | undefined;
  /** Called with the reason why a client's TLS handshake failed. */
  readonly onTlsFailure: (code: string) => void;
}

/** Opens every port that the settings require. If one cannot be opened, closes the sandbox and the other ports, and throws a CliError. */
export async function openPorts(
  running: RunningSandbox,
  settings: SandboxSettings,
  opening: OpenPortsOptions,
): Promise<Ports> {
  const { port, host, https } = settings;
  const http = await listenOrFail(running, { port, host }, "--port");
  const { credentials, onTlsFailure: onFailure } = opening;
  if (https === undefined || credentials === undefined)
    return { http, drain: () => http.drain(), close: () => http.close() };
  const tls = { ...credentials.server, onFailure };
  const listening = await listenOrFail(running, { port: https.port, host, tls }, "--https-port").catch(
    async (error: unknown) => {
      await http.close();
      throw error;
    },
  );
  const both = [http, listening];
  return {
    http,
    secure: { listening, credentials },
    drain: async () => void (await Promise.all(both.map((port) => port.drain()))),
    close: async () => void (await Promise.all(both.map((port) => port.close()))),
  };
}

async function listenOrFail(
  running: RunningSandbox,
  at: Parameters<RunningSandbox["listen"]>[0],
  flag: string,
): Promise<Listening> {
  try {
    return await running.listen(at);
  } catch (error) {
    await running.close();
    throw new CliError(3, explainListenFailure(error, { port: at.port, host: at.host, flag }));
  }
}

interface PortChoice {
  readonly port: number;
  readonly host: string;
  /** The flag that sets the port. */
  readonly flag: string;
}

/** Explains why a port cannot be listened on, and what to do about it. */
function explainListenFailure(error: unknown, { port, host, flag }: PortChoice): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop the program that uses it, or choose another with ${flag} (0 takes a free one).`;
  if (code === "EACCES")
    return `Port ${port} on ${host} is not allowed for this user: choose one above 1023 with ${flag}.`;
  return `Cannot listen on ${host} port ${port} (${messageOf(error)}): write an address of this machine with --host.`;
}
