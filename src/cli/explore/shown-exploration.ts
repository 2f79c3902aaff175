import type { Exploration } from "../../exploration/exploration.ts";
import { explorationJson } from "../../exploration/report-json.ts";
import { type Client, control } from "../client/client.ts";

/** Puts the growing report where the sandbox's dashboard draws it; one at a time, the newest next. */
export class ShownExploration {
  readonly #client: Client;
  #sending: Promise<void> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Nobody waits for it; what is newer comes later. */
  show(exploration: Exploration): void {
    this.#sending ??= this.#put(exploration).finally(() => (this.#sending = undefined));
  }

  async finish(exploration: Exploration): Promise<void> {
    await this.#sending;
    await this.#put(exploration);
  }

  /** A dashboard without a matrix does not stop an exploration. */
  async #put(exploration: Exploration): Promise<void> {
    const body = explorationJson(exploration);
    await control(this.#client, { method: "PUT", path: "exploration", body }).catch(() => undefined);
  }
}
