import { readdirSync, readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import type { Attempted } from "../../../src/gateway/account/events.ts";
import { setCallbacks, beginScenarios } from "../../../src/gateway/engine/commands.ts";
import type { GatewayParts } from "../../../src/gateway/open-gateway.ts";
import { receiveHttp, type Receiver } from "./http-receivers.ts";
import { scenarioOf } from "./ask.ts";
import { startTestGateway, type TestGateway, type WrittenSettings } from "./test-gateway.ts";
import { callbacksTo } from "./world.ts";

const FOLDER = new URL("../../../scenarios/", import.meta.url);

/** The names of all scenarios that are shipped. */
export function shippedNames(): string[] {
  return readdirSync(FOLDER)
    .flatMap((file) => (file.endsWith(".yaml") ? [file.replace(/\.yaml$/, "")] : []))
    .toSorted();
}

export function shippedText(name: string): string {
  return readFileSync(new URL(`${name}.yaml`, FOLDER), "utf8");
}

/** A shipped scenario, running from its beginning on the default account of a gateway, with a receiver for the callbacks. */
export interface PlayedScenario extends TestGateway {
  readonly receiver: Receiver;
  /** The callbacks that came, read, in order. */
  callbacks(): Record<string, unknown>[];
  /** Moves the manual clock on by so many seconds; answers the callback attempts. */
  advance(seconds: number): Promise<readonly Attempted[]>;
}

export interface PlayOptions {
  readonly settings?: WrittenSettings;
  readonly ports?: Pick<GatewayParts, "pause">;
  /** The receiver's answer; default 200. */
  readonly answer?: RequestListener;
}

/** Begins a shipped scenario: manual clock, seed 1, and every carrier answers after exactly one second. */
export async function playShipped(
  name: string,
  { settings, ports, answer = acknowledge }: PlayOptions = {},
): Promise<PlayedScenario> {
  const receiver = await receiveHttp(answer);
  const gateway = await startTestGateway({ latency_ms: 1_000, ...settings }, ports);
  const { account } = gateway;
  // A busy machine may keep a receiver from answering within the usual 3 s.
  setCallbacks(account, callbacksTo(receiver.url, { timeout: 60_000 }));
  beginScenarios(account, [{ scenario: scenarioOf(shippedText(name)), trusted: true }]);
  return {
    ...gateway,
    receiver,
    callbacks: () => receiver.requests.map(({ body }) => JSON.parse(body)),
    advance: async (seconds) => (await account.advance({ by: seconds * 1_000 }, 50_000)).fired,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** The wallet, in shillings. */
export function walletOf({ account }: TestGateway): { readonly available: number; readonly held: number } {
  const { balance, held } = account.state.wallet;
  return { available: (balance - held) / 100, held: held / 100 };
}

const acknowledge: RequestListener = (_request, response) => void response.end("ok");
