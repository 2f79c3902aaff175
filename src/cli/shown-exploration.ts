import type { Exploration } from "../verdict/exploration/exploration.ts";
import { explorationJson } from "../verdict/exploration/report-json.ts";
import { type Client, control } from "./client.ts";
import type { Replays } from "./exploration-files.ts";

/** Sends the growing report to the sandbox's dashboard, one update at a time, always the latest. */
export class ShownExploration {
  readonly #client: Client;
  #sending: Promise<void> | undefined;
  #latest: Exploration | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Not awaited; later updates replace earlier ones. */
  show(exploration: Exploration): void {
    this.#latest = exploration;
    this.#sending ??= this.#put(exploration).finally(() => (this.#sending = undefined));
  }

  async finish(exploration: Exploration, replays: Replays): Promise<void> {
    await this.#sending;
    await this.#put(exploration, replays);
  }

  /** Sends the final state of an interrupted exploration. */
  async abandon(): Promise<void> {
    await this.#sending;
    if (this.#latest !== undefined) await this.#put({ ...this.#latest, isOver: true, stopped: "it was interrupted" });
  }

  /** A failed update of the dashboard must not stop an exploration. */
  async #put(exploration: Exploration, replays?: Replays): Promise<void> {
    const body = explorationJson(exploration, replays);
    await control(this.#client, { method: "PUT", path: "exploration", body }).catch(() => undefined);
  }
}
