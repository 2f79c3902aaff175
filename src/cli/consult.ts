import { randomUUID } from "node:crypto";
import { systemProbe } from "../adapters/system-probe.ts";
import { createUndiciTransport } from "../adapters/undici-transport.ts";
import { BALANCE, CALLBACKS, GATEWAY } from "../config/defaults.ts";
import { examine } from "../doctor/examine.ts";
import { sampleCallback } from "../doctor/sample-callback.ts";
import type { Operation } from "../domain/settings.ts";
import { type Millis, MINUTE, SECOND } from "../domain/time.ts";
import { type DiagnosisJson, diagnosisJson, diagnosisShape } from "../http/control/diagnosis-json.ts";
import { type Client, control } from "./client.ts";
import { exchange, Unanswered } from "./exchange.ts";
import { Halt } from "./halt.ts";
import type { Target } from "./target.ts";
import type { Terminal } from "./terminal.ts";

/** A URL to examine, and what the sample is about. */
export interface Consultation {
  readonly url: string;
  readonly operation: Operation;
}

/** Examines from this process, under the settings that hold where nothing else is said; whoever types the URL may name any host. */
export async function consultFromHere({ url, operation }: Consultation, { clock }: Terminal): Promise<DiagnosisJson> {
  const transport = createUndiciTransport({ callbackAllow: [], now: () => clock.now() });
  const codes = GATEWAY.resultCodes;
  const body = sampleCallback({ operation, requestId: randomUUID(), at: clock.now(), codes, available: BALANCE });
  const instruments = { transport, probe: systemProbe([]), signal: new AbortController().signal };
  try {
    const observed = await examine({ target: { url, trusted: true }, body, callbacks: CALLBACKS }, instruments);
    return diagnosisJson(observed, { operation, body });
  } finally {
    await transport.close();
  }
}

/** Looking names up, connecting and waiting for an answer that is late take this long at most, but for a longer `timeout` in the settings. */
const LIMIT: Millis = 2 * MINUTE;

/** Has the sandbox examine from where it runs. */
export async function consultSandbox(consultation: Consultation, client: Client): Promise<DiagnosisJson> {
  const { json } = await control(client, { method: "POST", path: "/callbacks/doctor", body: consultation, limit: LIMIT });
  const diagnosis = diagnosisShape.safeParse(json);
  if (diagnosis.success) return diagnosis.data;
  throw new Halt(1, `${client.target.url} answered with no diagnosis: is that a sandbox of this version? --here examines without it.`);
}

/** A sandbox on this machine answers at once, or is busy enough not to be asked. */
const GLANCE: Millis = 2 * SECOND;

/** Whether a sandbox answers where one would be. */
export async function isSandboxThere({ url }: Pick<Target, "url">): Promise<boolean> {
  try {
    const { status, text } = await exchange({ method: "GET", url: `${url}/livez`, headers: {}, limit: GLANCE });
    return status === 200 && text === "live\n";
  } catch (error) {
    if (error instanceof Unanswered) return false;
    throw error;
  }
}
