import type { Exploration } from "../../exploration/exploration.ts";
import { explorationJson } from "../../exploration/report-json.ts";
import { type Client, control } from "../client/client.ts";
import type { Replays } from "./exploration-files.ts";

/** Puts the growing report where the sandbox's dashboard draws it; one at a time, the newest next. */
export class ShownExploration {
  readonly #client: Client;
  #sending: Promise<void> | undefined;
  #latest: Exploration | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Nobody waits for it; what is newer comes later. */
  show(exploration: Exploration): void {
    this.#latest = exploration;
    this.#sending ??= this.#put(exploration).finally(() => (this.#sending = undefined));
  }

  async finish(exploration: Exploration, replays: Replays): Promise<void> {
    await this.#sending;
    await this.#put(exploration, replays);
  }

  /** What there is of it by now is all that there will be. */
  async abandon(): Promise<void> {
    await this.#sending;
    if (this.#latest !== undefined) await this.#put({ ...this.#latest, isOver: true, stopped: "it was interrupted" });
  }

  /** A dashboard without a matrix does not stop an exploration. */
  async #put(exploration: Exploration, replays?: Replays): Promise<void> {
    const body = explorationJson(exploration, replays);
    await control(this.#client, { method: "PUT", path: "exploration", body }).catch(() => undefined);
  }
}
