import { randomUUID } from "node:crypto";
import { exchange, Unanswered } from "../adapters/http-exchange.ts";
import { systemProbe } from "../adapters/probe/system-probe.ts";
import { createUndiciTransport } from "../adapters/delivery/undici-transport.ts";
import { CliError } from "./cli-error.ts";
import { type Client, control } from "./client.ts";
import type { Target } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import { configSchema } from "../config/config-schema.ts";
import type { Operation } from "../domain/order.ts";
import { observeReceiver } from "../verdict/doctor/observe-receiver.ts";
import { sampleCallback } from "../verdict/doctor/sample-callback.ts";
import { type Millis, MINUTE, SECOND } from "../domain/time.ts";
import { type DiagnosisJson, diagnosisJson, diagnosisShape } from "../http/control/verdict/callback-doctor.ts";

/** A URL to examine, and the operation of the sample. */
export interface CallbackTarget {
  readonly url: string;
  readonly operation: Operation;
}

/** Examines a URL from this process with the default settings. Any host is allowed, because the user typed the URL. */
export async function diagnoseFromHere(
  { url, operation }: CallbackTarget,
  { clock }: Terminal,
): Promise<DiagnosisJson> {
  const transport = createUndiciTransport({ callbackAllow: [], now: () => clock.now() });
  const { gateway, accounts } = configSchema.parse({});
  const [{ balance: available, callbacks }] = accounts;
  const body = sampleCallback({ operation, requestId: randomUUID(), at: clock.now(), gateway, available });
  const instruments = { transport, probe: systemProbe([]), signal: new AbortController().signal };
  try {
    const observed = await observeReceiver({ target: { url, trusted: true }, body, callbacks }, instruments);
    return diagnosisJson(observed, { operation, body });
  } finally {
    await transport.close();
  }
}

/** Longer than a DNS lookup, connecting, and waiting for a late answer take with the default `timeout`. */
const LIMIT: Millis = 2 * MINUTE;

/** Asks the sandbox to examine the URL from where it runs. */
export async function diagnoseFromSandbox(consultation: CallbackTarget, client: Client): Promise<DiagnosisJson> {
  const { json } = await control(client, {
    method: "POST",
    path: "callbacks/doctor",
    body: consultation,
    limit: LIMIT,
  });
  const diagnosis = diagnosisShape.safeParse(json);
  if (diagnosis.success) return diagnosis.data;
  throw new CliError(
    1,
    `${client.target.url} answered without a diagnosis: is it a sandbox of this version? --here checks from this process instead.`,
  );
}

/** The time limit for checking whether a sandbox runs on this machine. */
const GLANCE: Millis = 2 * SECOND;

export async function isSandboxThere({ url }: Pick<Target, "url">): Promise<boolean> {
  try {
    const { status, text } = await exchange({ method: "GET", url: `${url}/livez`, headers: {}, limit: GLANCE });
    return status === 200 && text === "live\n";
  } catch (error) {
    if (error instanceof Unanswered) return false;
    throw error;
  }
}
