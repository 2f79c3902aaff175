import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { CallbackRequest, CallbackTransport, Delivered } from "../../../src/gateway/ports/callback-transport.ts";

/** A callback that a receiver has not answered yet. */
export interface OpenCallback {
  readonly request: CallbackRequest;
  readonly requestId: string;
  answer(outcome: CallbackOutcome): void;
}

export interface WaitingReceivers {
  readonly transport: CallbackTransport;
  /** Those that are being delivered, in the order in which they began. */
  readonly open: OpenCallback[];
  /** Every one that ever began. */
  readonly begun: OpenCallback[];
}

/** Receivers that answer when the test says so; an aborted signal ends the wait, as it does on a network. */
export function waitingReceivers(): WaitingReceivers {
  const open: OpenCallback[] = [];
  const begun: OpenCallback[] = [];
  const deliver = (request: CallbackRequest, signal: AbortSignal): Promise<Delivered> =>
    new Promise((resolve) => {
      const callback: OpenCallback = { request, requestId: requestIdOf(request.body), answer: end };
      const abandon = (): void => end({ kind: "abandoned" });
      function end(outcome: CallbackOutcome): void {
        const place = open.indexOf(callback);
        if (place >= 0) open.splice(place, 1);
        signal.removeEventListener("abort", abandon);
        resolve({ outcome, millis: 5 });
      }
      signal.addEventListener("abort", abandon);
      open.push(callback);
      begun.push(callback);
    });
  return { transport: { deliver, close: () => Promise.resolve() }, open, begun };
}

function requestIdOf(body: string): string {
  const sent: { request_id: string } = JSON.parse(body);
  return sent.request_id;
}
