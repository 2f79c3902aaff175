import type { Missed } from "../domain/directive.ts";
import type { Breakage } from "../domain/scenario.ts";
import type { Millis } from "../domain/time.ts";

/** What scenarios had to do with a request. */
export interface Directed {
  readonly fired: readonly { readonly scenario: string; readonly rule: string }[];
  /** Counters that counted one more. */
  readonly counters: readonly string[];
  /** Named states that scenarios moved to. */
  readonly entered: readonly { readonly scenario: string; readonly state: string }[];
  readonly ack?: ScriptedAck;
  /** How its connection breaks. */
  readonly breakage?: Breakage;
  /** The nearest rule that did not fire, where one had to do with the request at all. */
  readonly missed?: Missed;
}

/** What happens to the acknowledgment; a refusal has the delay alone. */
export interface ScriptedAck {
  /** Wall time. */
  readonly delay: Millis;
  readonly status?: number;
  readonly body?: string;
}
