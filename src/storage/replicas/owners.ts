import type { ResponseEnd, ReceivedRequest, ResponseScript } from "../../gateway/http/bindings.ts";
import type { Wire } from "../../gateway/account/wire.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Replica } from "../journal/account-ownership.ts";
import { NotTheOwner } from "../../gateway/ports/journal-store.ts";
import { type ReplicaClient, ReplicaUnreachable } from "./replica-client.ts";
import type { RoutingOptions } from "./with-owner.ts";

/** A gateway request as read by the replica that holds the client's connection. */
export interface ForwardedRequest extends Omit<ReceivedRequest, "body" | "receivedAt"> {
  readonly url: string;
  /** One character per byte; undefined if it is too large. */
  readonly body: string | undefined;
}

/** Asks an account's owner to answer a request. */
export interface ForwardMessage {
  readonly from: Replica;
  /** Unique among the messages of all replicas. */
  readonly id: string;
  readonly account: string;
  readonly request: ForwardedRequest;
}

/** How to respond to the client. */
export interface OwnerAnswer {
  readonly wire: Wire;
  readonly script?: ResponseScript;
}

/** Tells an owner how its answers ended at the clients' connections. */
export interface ReleaseMessage {
  readonly ended: readonly (readonly [id: string, ended: ResponseEnd])[];
}

/** The replica that held the connection is gone, and so are its clients. None of them left by itself. */
export const CONNECTION_LOST: ResponseEnd = { end: "broken", head: undefined, isClosedBySandbox: true };

export const FORWARD_PATH = "/__replica/forward";
export const RELEASE_PATH = "/__replica/release";
export const FINISH_PATH = "/__replica/finish";

/** Asks the replica that holds a client's connection to delay its response no longer, because the owner stops. */
export interface FinishMessage {
  readonly id: string;
}

/** The status of an answer that says that another replica owns the account, and that nothing was done (RFC 9110 section 15.5.20). */
export const MISDIRECTED = 421;

/** How long to wait before an owner that could not be reached is told again. */
const BETWEEN_ATTEMPTS_MILLIS: Millis = 250;

/** The owners of accounts, as asked by the replica that holds the clients' connections. */
export class Owners {
  readonly #client: Pick<ReplicaClient, "post">;
  readonly #with: RoutingOptions;
  /** The requests whose owner has to be told how they ended. */
  readonly #open = new Map<string, Replica>();
  /** Aborted when the owner of a request asks for the response at once, which may happen before its answer has arrived. */
  readonly #finishing = new Map<string, AbortController>();
  /** What owners are being told, by their ids. */
  readonly #releases = new Map<string, ReleaseMessage["ended"][number][]>();
  #last = 0;

  constructor(client: Pick<ReplicaClient, "post">, options: RoutingOptions) {
    this.#client = client;
    this.#with = options;
  }

  /**
   * Has the owner answer a request. Resolves to no answer if the owner may have carried it out, but its answer was lost. Rejects with
   * `NotTheOwner` or `ReplicaUnreachable` if nothing was done. Otherwise `end` has to be called with the id.
   */
  async ask(owner: Replica, account: string, request: ForwardedRequest): Promise<[string, OwnerAnswer | undefined]> {
    const { ownership } = this.#with;
    const from = ownership.self;
    const id = `${from.id}/${(this.#last += 1)}`;
    const message: ForwardMessage = { from, id, account, request };
    const lease = ownership.leaseOf(owner);
    this.#finishing.set(id, new AbortController());
    const [status, text] = await this.#client
      .post(owner, FORWARD_PATH, message, ownership.secret, lease)
      .catch((problem: unknown) => {
        if (problem instanceof ReplicaUnreachable) {
          this.#finishing.delete(id);
          throw problem;
        }
        return [undefined, ""] as const;
      });
    if (status === MISDIRECTED) {
      this.#finishing.delete(id);
      throw new NotTheOwner(account);
    }
    this.#open.set(id, owner);
    return [id, status === 200 ? JSON.parse(text) : undefined];
  }

  /** Tells the owner that the client has its response or is gone. */
  end(id: string, ended: ResponseEnd): void {
    const owner = this.#open.get(id);
    if (owner === undefined) return;
    this.#open.delete(id);
    this.#finishing.delete(id);
    const queue = this.#releases.get(owner.id);
    if (queue !== undefined) queue.push([id, ended]);
    else void this.#release(owner, [[id, ended]]);
  }

  /** Returns a signal that aborts when the owner asks for the response to a request at once. */
  finishSignalOf(id: string): AbortSignal {
    return this.#finishing.get(id)?.signal ?? AbortSignal.abort();
  }

  finishNow(id: string): void {
    this.#finishing.get(id)?.abort();
  }

  /** Has the replica that holds a client's connection respond at once. */
  askToFinish(holder: Replica, id: string): void {
    const { ownership } = this.#with;
    const message: FinishMessage = { id };
    // If it cannot be reached, its client has no response to wait for.
    this.#client.post(holder, FINISH_PATH, message, ownership.secret, ownership.leaseOf(holder)).catch(() => {});
  }

  /** Lets the owners go on without the clients that still wait. */
  endAll(): void {
    for (const id of this.#open.keys()) this.end(id, CONNECTION_LOST);
  }

  /** What ends while the owner is being told is told together. */
  async #release(owner: Replica, queue: ReleaseMessage["ended"][number][]): Promise<void> {
    const { ownership, pause, stopping } = this.#with;
    const lease = ownership.leaseOf(owner);
    this.#releases.set(owner.id, queue);
    while (queue.length > 0 && !lease.aborted) {
      const message: ReleaseMessage = { ended: queue.splice(0) };
      try {
        await this.#client.post(owner, RELEASE_PATH, message, ownership.secret, lease);
      } catch {
        if (stopping.aborted) break;
        queue.unshift(...message.ended);
        await pause(BETWEEN_ATTEMPTS_MILLIS, stopping).catch(() => {});
      }
    }
    this.#releases.delete(owner.id);
  }
}
