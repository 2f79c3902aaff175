import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { Failures, type Retry } from "../failures.ts";
import { timeInWords } from "../in-words.ts";
import { requestExchanges } from "../request-exchanges.ts";
import { type InStep, RetriesInStep } from "../retries-in-step.ts";
import { type PoorPace, RetryPace } from "../retry-pace.ts";

/** Retries that do not give the gateway time. */
export const noBackOff: Detector = {
  id: "no-back-off",
  severity: "risk",
  title: "Retries came without back-off",
  why: "A gateway that answers 429 or 5xx, or cuts connections, has too much to do: retries at once or in step keep it down, and use up your tries before it is back.",
  mend: "Wait at least as long as Retry-After says, otherwise double the wait with each try from a second up and add chance to it; give up after a few. Never retry an order whose fate is unknown at all.",
  assumes:
    "An equal request within 10 minutes of a failure is its retry, though equal requests of different customers, or of a load test, look the same. At least three retries count, in wall time; evenly spaced ones of 10 s and more are left alone.",
  kinds: ["accepted", "queried", "cut", "refused", "client-left"],
  watch: () => {
    const failures = new Failures();
    const pace = new RetryPace();
    const crowd = new RetriesInStep();
    return (event) => {
      const retry = failures.see(event);
      if (retry === undefined) return NOTHING;
      const poor = pace.see(retry);
      const herd = crowd.see(retry);
      return [...(poor ? [sayPace(poor, retry)] : []), ...(herd ? [sayHerd(herd)] : [])];
    };
  },
};

function sayPace({ because, requestIds }: PoorPace, { failure }: Retry): Sighting {
  return { subject: failure.cause, seen: `A retry ${because}.`, exchanges: requestExchanges(requestIds) };
}

function sayHerd({ retries, within, least, most, requestIds }: InStep): Sighting {
  const seen = `${retries} different requests were sent again within ${timeInWords(within)}, all of them ${timeInWords(least)} to ${timeInWords(most)} after their failure.`;
  return { subject: "many requests in step", seen, exchanges: requestExchanges(requestIds) };
}
