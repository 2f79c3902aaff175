import type { CallbackSettings, CallbackUrl } from "../domain/settings.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { postCallback } from "../engine/post-callback.ts";
import type { CallbackTransport, Delivered } from "../ports/callback-transport.ts";
import type { ConnectionSeen, Gate, NameSeen, NetworkProbe, Surroundings, TlsSeen } from "../ports/network-probe.ts";
import { type Elsewhere, lookElsewhere } from "./look-elsewhere.ts";
import { readTarget, type Target } from "./target.ts";

/** A callback URL, and what would be sent there how. */
export interface Complaint {
  readonly target: CallbackUrl;
  readonly body: string;
  readonly callbacks: CallbackSettings;
}

export interface Instruments {
  readonly probe: NetworkProbe;
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
  /** How much longer than a callback's limit an answer is waited for; 7 s unless told. */
  readonly patience?: Millis;
}

/** All that was seen on the way to a receiver; what was not come to is undefined. */
export interface Observed {
  readonly target: Target;
  readonly surroundings: Surroundings;
  /** For the answer. */
  readonly limit: Millis;
  /** How long it was waited for. */
  readonly waited: Millis;
  readonly isInsecure: boolean;
  readonly name: NameSeen;
  readonly connections: readonly { readonly address: string; readonly seen: ConnectionSeen }[];
  /** Other places where the receiver may be; looked at only when it was not where the URL says. */
  readonly elsewhere: readonly Elsewhere[];
  readonly tls: TlsSeen | undefined;
  /** What the sample came to. */
  readonly delivered: Delivered | undefined;
  /** What GET came to; asked only where POST was not taken. */
  readonly got: Delivered | undefined;
}

/** How long a look-up, a connection or a handshake may take. */
const STEP_LIMIT: Millis = 5 * SECOND;
const PATIENCE: Millis = 7 * SECOND;

/** Beyond these a name's addresses say the same. */
const MOST_ADDRESSES = 8;

/** Goes the way of a callback, one step after another, as far as it leads. */
export async function examine(complaint: Complaint, instruments: Instruments): Promise<Observed> {
  const { target: url, callbacks } = complaint;
  const { probe, patience = PATIENCE } = instruments;
  const target = readTarget(url.url);
  const name = await probe.lookUp(target.host, STEP_LIMIT);
  const addresses = name.kind === "resolved" ? name.addresses.slice(0, MOST_ADDRESSES) : [];
  const gates = addresses.map((address): Gate => ({ host: target.host, address, port: target.port, trusted: url.trusted }));
  const connections = await Promise.all(gates.map(async (gate) => ({ ...gate, seen: await probe.connect(gate, STEP_LIMIT) })));
  const open = connections.find(({ seen }) => seen.kind === "connected");
  const surroundings = probe.surroundings();
  const beginning = { target, surroundings, name, connections, isInsecure: callbacks.insecure };
  const terms = { limit: callbacks.timeout, waited: callbacks.timeout + patience };
  const inside = open === undefined ? OUTSIDE : await knock({ ...complaint, open, waited: terms.waited }, instruments);
  const elsewhere = open === undefined ? await lookElsewhere(gates, { probe, surroundings, limit: STEP_LIMIT }) : [];
  return { ...beginning, ...terms, ...inside, elsewhere };
}

type Inside = Pick<Observed, "tls" | "delivered" | "got">;

const OUTSIDE: Inside = { tls: undefined, delivered: undefined, got: undefined };

interface Visit extends Complaint {
  readonly open: Gate;
  readonly waited: Millis;
}

/** Sends the sample where a callback could be sent; then asks what its answer leaves open. */
async function knock(visit: Visit, instruments: Instruments): Promise<Inside> {
  const { probe, transport, signal } = instruments;
  const { ca, insecure } = visit.callbacks;
  const { secure } = readTarget(visit.target.url);
  const handshake = (): Promise<TlsSeen> => probe.shakeHands({ ...visit.open, ...(ca !== undefined && { ca }) }, STEP_LIMIT);
  const first = secure ? await handshake() : undefined;
  if (first !== undefined && !isPassable(first, insecure)) return { ...OUTSIDE, tls: first };
  const callbacks = { ...visit.callbacks, timeout: visit.waited };
  const delivered = await postCallback(visit.target, { body: visit.body, callbacks }, { transport, signal });
  const tls = first ?? (mayWantTls(delivered) ? await handshake() : undefined);
  const got = mayWantGet(delivered) ? await askAgain(visit, instruments) : undefined;
  return { tls, delivered, got };
}

function isPassable({ kind }: TlsSeen, insecure: boolean): boolean {
  return kind === "trusted" || (kind === "distrusted" && insecure);
}

/** A TLS server drops plain HTTP, or answers it with 400, as nginx and Apache do. */
function mayWantTls({ outcome }: Delivered): boolean {
  return outcome.kind === "reset" || (outcome.kind === "answered" && outcome.status === 400);
}

/** 501 is how servers of mere files answer POST. */
function mayWantGet({ outcome }: Delivered): boolean {
  return outcome.kind === "answered" && [404, 405, 501].includes(outcome.status);
}

function askAgain({ target, callbacks }: Visit, { probe, signal }: Instruments): Promise<Delivered> {
  const { ca, insecure } = callbacks;
  return probe.get({ ...target, headers: {}, body: "", timeout: STEP_LIMIT, insecure, ...(ca !== undefined && { ca }) }, signal);
}
