import type { CallbackSettings } from "../settings/callbacks.ts";
import type { CallbackUrl } from "../domain/callback-outcome.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { postCallback } from "../engine/post-callback.ts";
import type { CallbackTransport, Delivered } from "../ports/callback-transport.ts";
import type {
  ConnectionAttempt,
  ReceiverAddress,
  NameLookup,
  NetworkProbe,
  HostEnvironment,
  TlsHandshake,
} from "../ports/network-probe.ts";
import { type NearbyPlace, searchNearby } from "./search-nearby.ts";
import { readTarget, type Target } from "./target.ts";

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

/** Everything observed along the route to a receiver. Steps that were not reached are undefined. */
export interface Observations {
  readonly target: Target;
  readonly hostEnvironment: HostEnvironment;
  /** The time limit for an answer, from the callback settings. */
  readonly limit: Millis;
  /** How long the doctor waited for the answer. */
  readonly waited: Millis;
  readonly isInsecure: boolean;
  readonly name: NameLookup;
  readonly connections: readonly { readonly address: string; readonly seen: ConnectionAttempt }[];
  /** Other places where the receiver may be. Searched only if nothing listens at the URL. */
  readonly elsewhere: readonly NearbyPlace[];
  readonly tls: TlsHandshake | undefined;
  /** The outcome of the sample. */
  readonly delivered: Delivered | undefined;
  /** The outcome of a GET; sent only if POST was not accepted. */
  readonly got: Delivered | undefined;
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
  const hostEnvironment = probe.hostEnvironment();
  const route = { target, hostEnvironment, name, connections, isInsecure: callbacks.insecure };
  const limits = { limit: callbacks.timeout, waited: callbacks.timeout + patience };
  const outcome =
    open === undefined ? NOT_SENT : await sendSample({ ...delivery, open, waited: limits.waited }, dependencies);
  const elsewhere =
    open === undefined ? await searchNearby(receivers, { probe, hostEnvironment, limit: STEP_LIMIT }) : [];
  return { ...route, ...limits, ...outcome, elsewhere };
}

type SampleOutcome = Pick<Observations, "tls" | "delivered" | "got">;

const NOT_SENT: SampleOutcome = { tls: undefined, delivered: undefined, got: undefined };

interface OpenDelivery extends SampleDelivery {
  readonly open: ReceiverAddress;
  readonly waited: Millis;
}

/** Sends the sample, then investigates what its answer leaves open. */
async function sendSample(delivery: OpenDelivery, dependencies: DoctorDependencies): Promise<SampleOutcome> {
  const { probe, transport, signal } = dependencies;
  const { ca, insecure } = delivery.callbacks;
  const { secure } = readTarget(delivery.target.url);
  const handshake = (): Promise<TlsHandshake> =>
    probe.handshake({ ...delivery.open, ...(ca !== undefined && { ca }) }, STEP_LIMIT);
  const first = secure ? await handshake() : undefined;
  if (first !== undefined && !isUsable(first, insecure)) return { ...NOT_SENT, tls: first };
  const callbacks = { ...delivery.callbacks, timeout: delivery.waited };
  const delivered = await postCallback(delivery.target, { body: delivery.body, callbacks }, { transport, signal });
  const tls = first ?? (mayRequireTls(delivered) ? await handshake() : undefined);
  const got = mayBeGetOnly(delivered) ? await sendGet(delivery, dependencies) : undefined;
  return { tls, delivered, got };
}

function isUsable({ kind }: TlsHandshake, insecure: boolean): boolean {
  return kind === "trusted" || (kind === "distrusted" && insecure);
}

/** A TLS server drops plain HTTP, or answers 400 as nginx and Apache do. */
function mayRequireTls({ outcome }: Delivered): boolean {
  return outcome.kind === "reset" || (outcome.kind === "answered" && outcome.status === 400);
}

/** Static file servers answer POST with 501. */
function mayBeGetOnly({ outcome }: Delivered): boolean {
  return outcome.kind === "answered" && [404, 405, 501].includes(outcome.status);
}

function sendGet({ target, callbacks }: OpenDelivery, { probe, signal }: DoctorDependencies): Promise<Delivered> {
  const { ca, insecure } = callbacks;
  return probe.get(
    { ...target, headers: {}, body: "", timeout: STEP_LIMIT, insecure, ...(ca !== undefined && { ca }) },
    signal,
  );
}
