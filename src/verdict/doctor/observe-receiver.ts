import type { CallbackSettings } from "../../gateway/settings/callbacks.ts";
import type { CallbackUrl } from "../../gateway/domain/callback-outcome.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { postCallback } from "../../gateway/engine/post-callback.ts";
import type { CallbackTransport, Delivered } from "../../gateway/ports/callback-transport.ts";
import type {
  ConnectionAttempt,
  ReceiverAddress,
  NameLookup,
  NetworkProbe,
  TlsHandshake,
} from "./network-probe-port.ts";

/** A sample to send to a callback URL, and the callback settings to send it with. */
export interface SampleDelivery {
  readonly target: CallbackUrl;
  readonly body: string;
  readonly callbacks: CallbackSettings;
}

export interface DoctorDependencies {
  readonly probe: NetworkProbe;
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
  /** How much longer than the callback timeout to wait for an answer. Defaults to 7 s. */
  readonly patience?: Millis;
}

/** The parts of a callback URL. */
interface Target {
  readonly url: string;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Everything observed along the route to a receiver. Steps that were not reached are undefined. */
export interface Observations {
  readonly target: Target;
  /** The kind of container that the check was made in; undefined outside any. */
  readonly container: string | undefined;
  /** The time limit for an answer, from the callback settings. */
  readonly limit: Millis;
  /** How long the doctor waited for the answer. */
  readonly waited: Millis;
  readonly isInsecure: boolean;
  readonly name: NameLookup;
  readonly connections: readonly { readonly address: string; readonly seen: ConnectionAttempt }[];
  readonly tls: TlsHandshake | undefined;
  /** The outcome of the sample. */
  readonly delivered: Delivered | undefined;
}

/** The time limit for a DNS lookup, a connection or a handshake. */
const STEP_LIMIT: Millis = 5 * SECOND;
const PATIENCE: Millis = 7 * SECOND;

/** Further addresses of a name would add nothing. */
const MOST_ADDRESSES = 8;

/** Follows a callback's route step by step, as far as it gets. */
export async function observeReceiver(
  delivery: SampleDelivery,
  dependencies: DoctorDependencies,
): Promise<Observations> {
  const { target: url, callbacks } = delivery;
  const { probe, patience = PATIENCE } = dependencies;
  const target = readTarget(url.url);
  const name = await probe.lookUp(target.host, STEP_LIMIT);
  const addresses = name.kind === "resolved" ? name.addresses.slice(0, MOST_ADDRESSES) : [];
  const receivers = addresses.map((address): ReceiverAddress => ({
    host: target.host,
    address,
    port: target.port,
    trusted: url.trusted,
  }));
  const connections = await Promise.all(
    receivers.map(async (receiver) => ({ ...receiver, seen: await probe.connect(receiver, STEP_LIMIT) })),
  );
  const open = connections.find(({ seen }) => seen.kind === "connected");
  const waited = callbacks.timeout + patience;
  const sent = open === undefined ? NOT_SENT : await sendSample({ ...delivery, open, waited }, dependencies);
  return {
    target,
    container: probe.container(),
    limit: callbacks.timeout,
    waited,
    isInsecure: callbacks.insecure,
    name,
    connections,
    ...sent,
  };
}

/** Parses a URL that is known to be http or https. */
export function readTarget(url: string): Target {
  const { hostname, port, protocol } = new URL(url);
  const secure = protocol === "https:";
  return { url, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (secure ? 443 : 80)), secure };
}

type SampleOutcome = Pick<Observations, "tls" | "delivered">;

const NOT_SENT: SampleOutcome = { tls: undefined, delivered: undefined };

interface OpenDelivery extends SampleDelivery {
  readonly open: ReceiverAddress;
  readonly waited: Millis;
}

/** Sends the sample, unless TLS already fails. */
async function sendSample(
  { target, body, callbacks, open, waited }: OpenDelivery,
  { probe, transport, signal }: DoctorDependencies,
): Promise<SampleOutcome> {
  const { ca, insecure } = callbacks;
  const tls = readTarget(target.url).secure ? await probe.handshake({ ...open, ca }, STEP_LIMIT) : undefined;
  if (tls !== undefined && tls.kind !== "trusted" && !(tls.kind === "distrusted" && insecure))
    return { ...NOT_SENT, tls };
  const settings = { ...callbacks, timeout: waited };
  return { tls, delivered: await postCallback(target, { body, callbacks: settings }, { transport, signal }) };
}
