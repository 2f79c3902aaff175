import type { Directed } from "../account/directed.ts";
import type { Missed } from "../domain/directive.ts";
import { formatDuration } from "../domain/time.ts";
import { quoted } from "./log-quote.ts";

/** What scenarios had to do with a request, behind its line: ` [bad-afternoon: two refusals; answer delayed by 5s]`. */
export function ruleWords({ fired = [], missed, ack }: Partial<Directed> = {}, maskPhoneNumbers: boolean): string {
  const told = [
    ...fired.map(({ scenario, rule }) => `${scenario}: ${rule}`),
    ...ackWords(ack),
    ...(missed ? [`not ${missed.scenario}: ${missed.rule}, because ${difference(missed, maskPhoneNumbers)}`] : []),
  ];
  return told.length === 0 ? "" : ` [${told.join("; ")}]`;
}

/** The same for machines. */
export function ruleFields({ fired = [], missed, ack }: Partial<Directed> = {}, maskPhoneNumbers: boolean): Record<string, unknown> {
  return {
    ...(fired.length > 0 && { rules: fired }),
    ...(ack && { answer_delay_ms: ack.delay, ...(ack.status !== undefined && { answered_with: ack.status }) }),
    ...(missed && { missed: { ...missed, difference: difference(missed, maskPhoneNumbers) } }),
  };
}

function ackWords(ack: Directed["ack"]): string[] {
  if (ack === undefined) return [];
  return [
    ...(ack.delay > 0 ? [`answer delayed by ${formatDuration(ack.delay)}`] : []),
    ...(ack.status === undefined ? [] : [`answered with ${ack.status}`]),
    ...(ack.body === undefined ? [] : ["answered with a scripted body"]),
  ];
}

/** A message's text and a header's value stay out of the log: they may hold what is nobody's business. */
function difference({ matcher, difference: told }: Missed, maskPhoneNumbers: boolean): string {
  return PRIVATE.includes(matcher) ? `${matcher} is another` : quoted(told, maskPhoneNumbers);
}

const PRIVATE = ["message", "header"];
