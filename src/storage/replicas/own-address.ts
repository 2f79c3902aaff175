import type { Millis } from "../../gateway/domain/time.ts";
import { UnusableFile } from "../journal/node-sqlite.ts";
import type { Replica } from "../journal/account-ownership.ts";

/** Resolves to the id of the replica that answers at a URL; undefined if none does, or at least not yet. */
export type AskIdentity = (url: string) => Promise<string | undefined>;

/** Rejects with an `UnusableFile` if another replica answers at this one's address. */
export async function expectOwnAddress({ id, url }: Replica, ask: AskIdentity): Promise<void> {
  const answering = await ask(url);
  if (answering === undefined || answering === id) return;
  throw new UnusableFile(
    `another replica (${answering}) answers at ${url}, where the others are to reach this one; give each replica a --replica-url of its own`,
  );
}

/** Notices other live replicas with this one's address. One that was killed seems alive until its lease is over. */
export class SharedAddress {
  readonly #since = new Map<string, Millis>();
  readonly #warned = new Set<string>();

  /** Returns what to log about the replicas of a heartbeat, once for each. */
  look(replicas: readonly Replica[], self: Replica, now: Millis, lease: Millis): string[] {
    const alike = replicas.filter(({ id, url }) => url === self.url && id !== self.id);
    for (const { id } of alike) if (!this.#since.has(id)) this.#since.set(id, now);
    const late = alike.filter(({ id }) => now - (this.#since.get(id) ?? now) > lease && !this.#warned.has(id));
    for (const { id } of late) this.#warned.add(id);
    return late.map(
      ({ id, url }) =>
        `another replica (${id}) has the address ${url}, too, so orders for its accounts get 503; give each replica a --replica-url of its own`,
    );
  }
}
