import { type ActiveScenario, type Ask, type Directive, UNDIRECTED } from "../../domain/directive.ts";
import { drawScripted } from "../../domain/directed-plan.ts";
import type { Draws } from "../../domain/draws.ts";
import { Refused } from "../../domain/refusal.ts";
import type { Breakage } from "../../domain/scenario.ts";
import { available } from "../../domain/wallet.ts";
import type { Directed, ScriptedAck } from "../directed.ts";
import type { AccountState } from "../state.ts";
import type { Moment } from "./sell.ts";
import type { Writable } from "../../domain/writable.ts";

/** Asks the rules of the active scenarios about a valid request. */
export function direct(state: AccountState, subject: Ask["subject"], { moment, draws }: { moment: Moment; draws: Draws }): Directive {
  const asked = scenariosAsked(state, moment);
  if (asked.length === 0) return UNDIRECTED;
  return moment.director(asked, {
    at: moment.at,
    subject,
    available: available(state.wallet),
    draws,
    header: moment.header,
    counted: (counter) => state.counters.get(counter) ?? 0,
  });
}

function scenariosAsked({ scenarios }: AccountState, { played }: Moment): readonly ActiveScenario[] {
  if (played === undefined) return scenarios;
  return [played, ...scenarios.filter(({ scenario }) => scenario.name !== played.scenario.name)];
}

/** How a request that rules had to do with was answered. */
export type Fate = "accepted" | "refused" | "cut";

/** What is written down of a directive; nothing where no rule had to do with the request. */
export function directed(directive: Directive, draws: Draws, fate: Fate): Directed | undefined {
  const { fired, counters, missed } = directive;
  return fired.length === 0 && counters.length === 0 && missed === undefined ? undefined : writeDirected(directive, draws, fate);
}

export function writeDirected(directive: Directive, draws: Draws, fate: Fate): Directed {
  const { fired, counters, missed, effects } = directive;
  const ack = scriptedAck(directive, draws, fate);
  const written: Writable<Directed> = {
    fired: fired.length === 0 ? NONE : fired.map(({ scenario, rule }) => ({ scenario, rule })),
    counters,
    entered: fired.length === 0 ? NONE : entered(directive),
  };
  if (ack !== undefined) written.ack = ack;
  if (effects.connection !== undefined && fate !== "refused") written.breakage = effects.connection.breakage;
  if (missed !== undefined) written.missed = missed;
  return written;
}

/** One for all events in which nothing fired; thousands are kept. */
const NONE: readonly never[] = [];

/** How the connection breaks before the request is accepted. */
export function breaksBefore({ effects: { connection } }: Directive): Breakage | undefined {
  return connection?.stage === "before_accept" ? connection.breakage : undefined;
}

/** A refusal that scenarios had to do with: their own, or one that came after they were asked. */
export class DirectedRefusal extends Refused {
  readonly directed: Directed | undefined;
  /** The whole body, byte for byte, instead of the envelope. */
  readonly answer: string | undefined;

  constructor(
    { code, details }: Pick<Refused, "code" | "details">,
    wrote: { directed: Directed | undefined; answer?: string | undefined },
  ) {
    super(code, details);
    this.directed = wrote.directed;
    this.answer = wrote.answer;
  }
}

/** Throws what the rules refuse with. */
export function refuseAsDirected(directive: Directive, draws: Draws): void {
  const { refuse } = directive.effects;
  if (refuse === undefined) return;
  const { code, description, validationErrors, body } = refuse;
  const details = { ...(description !== undefined && { description }), ...(validationErrors && { validationErrors }) };
  throw new DirectedRefusal({ code, details }, { directed: directed(directive, draws, "refused"), answer: body });
}

/** Each scenario moves where the first of its rules that says so wants it. */
function entered({ fired }: Directive): Directed["entered"] {
  const moves = new Map<string, string>();
  for (const { scenario, effects } of fired) {
    if (effects.enter !== undefined && !moves.has(scenario)) moves.set(scenario, effects.enter);
  }
  return Array.from(moves, ([scenario, state]) => ({ scenario, state }));
}

function scriptedAck(directive: Directive, draws: Draws, fate: Fate): ScriptedAck | undefined {
  const { ack } = directive.effects;
  if (ack === undefined) return undefined;
  const delay = ack.delay === undefined ? 0 : drawScripted(ack.delay, draws, { directive, effect: "ack", purpose: "ack delay" });
  if (fate !== "accepted") return { delay };
  return { delay, ...(ack.status !== undefined && { status: ack.status }), ...(ack.body !== undefined && { body: ack.body }) };
}
