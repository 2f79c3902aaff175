import type * as z from "zod";
import type { Unreadable } from "../../../src/gateway/adapters/server/unreadable.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { type OpenGateway, type GatewayParts, openGateway } from "../../../src/gateway/open-gateway.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { RawClient } from "./raw-client.ts";

/** What a config file says of the mock itself. */
export type WrittenSettings = z.input<typeof gatewayOptions>;

export interface TestGateway extends AsyncDisposable {
  readonly running: OpenGateway;
  /** The default account. */
  readonly account: RunningAccount;
  readonly port: number;
  /** Faults of the gateway itself; the first one's report is called report-1. */
  readonly faults: unknown[];
  /** What was sent to it that never became a request. */
  readonly unreadable: Unreadable[];
  connect(): Promise<RawClient>;
}

/** The mock alone on a free port: seed 1 and a manual clock, unless the settings say otherwise. */
export async function startTestGateway(
  settings: WrittenSettings = {},
  ports: Omit<GatewayParts, "report"> = {},
): Promise<TestGateway> {
  return listenForTest((hooks) =>
    openGateway(gatewayOptions.parse({ seed: 1, clock: "manual", ...settings }), { ...hooks, ...ports }),
  );
}

/** Listens on a free port and notes faults. */
export async function listenForTest<Running extends OpenGateway>(
  open: (hooks: Required<Pick<GatewayParts, "report" | "onUnreadable">>) => Promise<Running>,
): Promise<TestGateway & { readonly running: Running }> {
  const faults: unknown[] = [];
  const unreadable: Unreadable[] = [];
  const running = await open({
    report: (fault) => `report-${faults.push(fault)}`,
    onUnreadable: (one) => void unreadable.push(one),
  });
  const listening = await running.listen({ port: 0, host: "127.0.0.1" });
  return {
    running,
    account: running.world.get("default"),
    port: listening.port,
    faults,
    unreadable,
    connect: () => RawClient.connect(listening.port),
    async [Symbol.asyncDispose]() {
      await running.close();
      await listening.close();
    },
  };
}

/** The Authorization header of a key and a secret (RFC 7617). */
export function basic(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
}

/** The Authorization header of the default account. */
export const AUTHORIZATION = basic("sandbox-key", "sandbox-secret");
