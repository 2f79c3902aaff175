import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { moment } from "../domain/schemas.ts";
import { overlay } from "../settings/account-settings.ts";
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
  /** The names of rules that are switched off. */
  off: z.array(z.string()),
  /** Whether this machine's owner loaded it, so that its setup's callback URLs may name public hosts. */
  trusted: z.boolean().exactOptional(),
  /** What its setup and its timeline set, until it ends. */
  overlay: overlay.exactOptional(),
});
export type RunningScenario = Immutable<z.output<typeof runningScenario>>;
