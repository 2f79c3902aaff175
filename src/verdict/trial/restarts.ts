import type { Application } from "../application/application.ts";
import type { KeptConnection } from "../application/kept-connection.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { TrialEnvironment } from "./environment.ts";
import { listensWithin, LOOK_MILLIS } from "./until-quiet.ts";

/** Wall time in which an application has gone down, and then started again. One that does not go down is not assessed. */
const RESTART_MILLIS: Millis = 30 * SECOND;

interface Restarted {
  readonly application: Pick<Application, "act" | "connect" | "isListening">;
  readonly environment: Pick<TrialEnvironment, "clock" | "pause" | "interruption">;
}

/** Restarts the application, and watches whether it goes down. */
export class Restarts {
  readonly #restarted: Restarted;
  /** Whether it went on listening through a restart, so that no later one is waited for. */
  #staysUp = false;

  constructor(restarted: Restarted) {
    this.#restarted = restarted;
  }

  /** Resolves when the application accepts connections again, to what went wrong, if anything. Calls `onDown` if it is seen to go down. */
  async restart(onDown: () => Promise<void>): Promise<string | undefined> {
    const { application, environment } = this.#restarted;
    const connection = application.connect();
    try {
      await connection.look();
      const acting = application.act("restart");
      await this.#watch(connection, acting);
      if (connection.wasEnded) await onDown();
      else this.#staysUp = true;
      const problem = await acting;
      if (problem !== undefined) return `restart in the app map failed: ${problem}`;
    } finally {
      connection.close();
    }
    const isUp = await listensWithin(RESTART_MILLIS, application, environment);
    return isUp ? undefined : "the application did not accept connections after its restart";
  }

  /** Looks at the application until it goes down: while it is being restarted, and for a while after that. */
  async #watch(connection: KeptConnection, acting: Promise<unknown>): Promise<void> {
    const { clock, pause, interruption } = this.#restarted.environment;
    let until = Infinity;
    const noteEnd = (): void => void (until = clock.now() + (this.#staysUp ? 0 : RESTART_MILLIS));
    acting.then(noteEnd, noteEnd);
    while (!connection.wasEnded && clock.now() < until) {
      await Promise.race([pause(LOOK_MILLIS, interruption), connection.ended]);
      if (!connection.wasEnded) await connection.look();
    }
  }
}
