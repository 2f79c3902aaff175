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

/** A callback URL, what is sent there, and with which settings. */
export interface SampleDelivery {
  readonly target: CallbackUrl;
  readonly body: string;
  readonly callbacks: CallbackSettings;
}

export interface DoctorDependencies {
  readonly probe: NetworkProbe;
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
  /** How much longer than a callback's limit to wait for an answer. Default 7 s. */
  readonly patience?: Millis;
}

/** Everything observed on the way to a receiver; steps that were not reached are undefined. */
export interface Observations {
  readonly target: Target;
  readonly hostEnvironment: HostEnvironment;
  /** For the answer, as the callback settings have it. */
  readonly limit: Millis;
  /** How long the answer was really waited for. */
  readonly waited: Millis;
  readonly isInsecure: boolean;
  readonly name: NameLookup;
  readonly connections: readonly { readonly address: string; readonly seen: ConnectionAttempt }[];
  /** Other places where the receiver may be; searched only if it is not where the URL says. */
  readonly elsewhere: readonly NearbyPlace[];
  readonly tls: TlsHandshake | undefined;
  /** The outcome of the sample. */
  readonly delivered: Delivered | undefined;
  /** The outcome of a GET; sent only if POST was not accepted. */
  readonly got: Delivered | undefined;
}

/** For a DNS lookup, a connection or a handshake. */
const STEP_LIMIT: Millis = 5 * SECOND;
const PATIENCE: Millis = 7 * SECOND;

/** More addresses of a name tell nothing new. */
const MOST_ADDRESSES = 8;

/** Follows the route of a callback step by step, as far as it gets. */
export async function observeReceiver(delivery: SampleDelivery, dependencies: DoctorDependencies): Promise<Observations> {
  const { target: url, callbacks } = delivery;
  const { probe, patience = PATIENCE } = dependencies;
  const target = readTarget(url.url);
  const name = await probe.lookUp(target.host, STEP_LIMIT);
  const addresses = name.kind === "resolved" ? name.addresses.slice(0, MOST_ADDRESSES) : [];
  const receivers = addresses.map((address): ReceiverAddress => ({ host: target.host, address, port: target.port, trusted: url.trusted }));
  const connections = await Promise.all(
    receivers.map(async (receiver) => ({ ...receiver, seen: await probe.connect(receiver, STEP_LIMIT) })),
  );
  const open = connections.find(({ seen }) => seen.kind === "connected");
  const hostEnvironment = probe.hostEnvironment();
  const route = { target, hostEnvironment, name, connections, isInsecure: callbacks.insecure };
  const limits = { limit: callbacks.timeout, waited: callbacks.timeout + patience };
  const outcome = open === undefined ? NOT_SENT : await sendSample({ ...delivery, open, waited: limits.waited }, dependencies);
  const elsewhere = open === undefined ? await searchNearby(receivers, { probe, hostEnvironment, limit: STEP_LIMIT }) : [];
  return { ...route, ...limits, ...outcome, elsewhere };
}

type SampleOutcome = Pick<Observations, "tls" | "delivered" | "got">;

const NOT_SENT: SampleOutcome = { tls: undefined, delivered: undefined, got: undefined };

interface OpenDelivery extends SampleDelivery {
  readonly open: ReceiverAddress;
  readonly waited: Millis;
}

/** Sends the sample, then checks what its answer leaves open. */
async function sendSample(delivery: OpenDelivery, dependencies: DoctorDependencies): Promise<SampleOutcome> {
  const { probe, transport, signal } = dependencies;
  const { ca, insecure } = delivery.callbacks;
  const { secure } = readTarget(delivery.target.url);
  const handshake = (): Promise<TlsHandshake> => probe.handshake({ ...delivery.open, ...(ca !== undefined && { ca }) }, STEP_LIMIT);
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
  return probe.get({ ...target, headers: {}, body: "", timeout: STEP_LIMIT, insecure, ...(ca !== undefined && { ca }) }, signal);
}
