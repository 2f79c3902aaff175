import { type GatewayOptions, startGateway as start } from "./gateway/start-gateway.ts";

export type { GatewayOptions } from "./gateway/start-gateway.ts";

/** A running gateway. */
export interface Gateway extends AsyncDisposable {
  /** The URL for clients on this machine, without a trailing slash. */
  readonly url: string;
  /** Resolves when the port is free again. `await using` calls this automatically. */
  close(): Promise<void>;
}

/**
 * Starts the mock alone in this process: the gateway's three endpoints, their accounts in memory, and callbacks. `report` gets unexpected
 * errors, and returns the id that the client reads. To control accounts from tests, use `createSandbox` of `kredo`.
 */
export const startGateway: (options?: GatewayOptions, report?: (fault: unknown) => string) => Promise<Gateway> = start;
