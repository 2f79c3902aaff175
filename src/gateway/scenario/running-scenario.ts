import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { moment } from "../domain/schemas.ts";
import { overlay } from "../settings/account-settings.ts";
import { urlUses } from "../settings/callbacks.ts";
import { wrongInScenario } from "./read-scenario.ts";
import type { Scenario } from "./schema.ts";

/** A scenario running on an account. In a list, the highest priority comes first. */
export const runningScenario = z.object({
  /** As written in its file. */
  scenario: z.custom<Scenario>((value) => wrongInScenario(value) === undefined, {
    error: ({ input }) => wrongInScenario(input),
  }),
  /** When it started, on the account's clock. */
  since: moment,
  /** How many starts of scenarios came before in this journal. What a later start sets wins. */
  start: z.int().min(0),
  /** The names of rules that are switched off. */
  off: z.array(z.string()),
  /** Whether this machine's owner loaded it, so that its setup's callback URLs may name public hosts. */
  trusted: z.boolean().exactOptional(),
  /** The callback URLs that somebody registered or removed since it was started by hand: its own are not in force. */
  registered: urlUses.exactOptional(),
  /** What it has set so far, in force until it ends. */
  overlay,
});
export type RunningScenario = Immutable<z.output<typeof runningScenario>>;
