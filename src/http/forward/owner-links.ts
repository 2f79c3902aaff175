import type { AccountOwnership } from "../../ports/account-ownership.ts";
import type { Replica } from "../../ports/journal-engine.ts";
import type { AnswerEnded } from "../connection.ts";
import type { MessageStream, ReplicaLinks } from "../../ports/replica-links.ts";
import type { EdgeMessage, ForwardedRequest, OwnerMessage } from "./messages.ts";

/** The owner's reply. `lost` means that the connection broke before the reply, so the request may have been carried out. */
type Reply = OwnerMessage | { readonly kind: "lost" };

/** A request sent to an owner. */
interface AskedOwner {
  readonly reply: Promise<Reply>;
  /** Tells the owner that the client is still waiting. */
  readonly wait: () => void;
  /** Tells the owner that the client has its response or is gone. */
  readonly end: (ended: AnswerEnded) => void;
}

/** The connection to one owner of accounts. */
class OwnerLink {
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #stream: MessageStream | undefined;
  #last = 0;

  /** Rejects with `ReplicaUnreachable`. */
  static async open(links: ReplicaLinks, { owner, ownership, onGone }: LinkOptions): Promise<OwnerLink> {
    const link = new OwnerLink();
    const options = { secret: ownership.secret, signal: ownership.leaseOf(owner) };
    link.#stream = await links.connect<OwnerMessage>(owner, options, {
      take: (message) => link.#answer(message),
      gone: () => {
        onGone();
        link.#lose();
      },
    });
    return link;
  }

  ask(account: string, request: ForwardedRequest): AskedOwner {
    const number = (this.#last += 1);
    const reply = new Promise<Reply>((resolve) => void this.#waiting.set(number, resolve));
    this.#send({ kind: "request", number, account, request });
    return {
      reply,
      wait: () => this.#send({ kind: "waits", number }),
      end: (ended) => this.#send({ kind: "ended", number, ended }),
    };
  }

  close(): void {
    this.#stream?.close();
  }

  #send(message: EdgeMessage): void {
    this.#stream?.send(message);
  }

  #answer(message: OwnerMessage): void {
    this.#waiting.get(message.number)?.(message);
    this.#waiting.delete(message.number);
  }

  #lose(): void {
    for (const answer of this.#waiting.values()) answer({ kind: "lost" });
    this.#waiting.clear();
  }
}

interface LinkOptions {
  readonly owner: Replica;
  /** Its secret is known once this replica has joined the others. */
  readonly ownership: Pick<AccountOwnership, "secret" | "leaseOf">;
  readonly onGone: () => void;
}

/** The connections to account owners, each opened when it is first needed. */
export class OwnerLinks {
  readonly #links: ReplicaLinks;
  readonly #ownership: LinkOptions["ownership"];
  readonly #open = new Map<string, Promise<OwnerLink>>();

  constructor(links: ReplicaLinks, ownership: LinkOptions["ownership"]) {
    this.#links = links;
    this.#ownership = ownership;
  }

  /** Rejects with `ReplicaUnreachable`. */
  to(owner: Replica): Promise<OwnerLink> {
    const known = this.#open.get(owner.id);
    if (known !== undefined) return known;
    const onGone = (): void => void this.#open.delete(owner.id);
    const opening = OwnerLink.open(this.#links, { owner, ownership: this.#ownership, onGone });
    this.#open.set(owner.id, opening);
    opening.catch(onGone);
    return opening;
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#open.values());
    for (const one of open) if (one.status === "fulfilled") one.value.close();
  }
}
