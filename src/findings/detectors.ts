import type { Detector } from "./detector.ts";
import { callbackAnsweredDifferently } from "./detectors/callback-answered-differently.ts";
import { callbackAnsweredLate } from "./detectors/callback-answered-late.ts";
import { callbackNotAcknowledged } from "./detectors/callback-not-acknowledged.ts";
import { callbackRedirected } from "./detectors/callback-redirected.ts";
import { callbackUnreachable } from "./detectors/callback-unreachable.ts";
import { costlyCharacters } from "./detectors/costly-characters.ts";
import { credentialsInUrl } from "./detectors/credentials-in-url.ts";
import { detailsPolled } from "./detectors/details-polled.ts";
import { doubleSpend } from "./detectors/double-spend.ts";
import { failsOnEarlyCallback } from "./detectors/fails-on-early-callback.ts";
import { failsOnMalformed } from "./detectors/fails-on-malformed.ts";
import { failsOnUnknownRequestId } from "./detectors/fails-on-unknown-request-id.ts";
import { looseForm } from "./detectors/loose-form.ts";
import { newConnections } from "./detectors/new-connections.ts";
import { noBackOff } from "./detectors/no-back-off.ts";
import { repeatedByClient } from "./detectors/repeated-by-client.ts";
import { repeatedOrder } from "./detectors/repeated-order.ts";
import { requestsBurst } from "./detectors/requests-burst.ts";
import { sentAfter401 } from "./detectors/sent-after-401.ts";
import { sentAfter402 } from "./detectors/sent-after-402.ts";
import { slowReceiver } from "./detectors/slow-receiver.ts";
import { waitsForever } from "./detectors/waits-forever.ts";

/** All detectors. Each has its own file in `detectors/` and its own test. */
export const DETECTORS: readonly Detector[] = [
  callbackAnsweredDifferently,
  callbackAnsweredLate,
  callbackNotAcknowledged,
  callbackRedirected,
  callbackUnreachable,
  costlyCharacters,
  credentialsInUrl,
  detailsPolled,
  doubleSpend,
  failsOnEarlyCallback,
  failsOnMalformed,
  failsOnUnknownRequestId,
  looseForm,
  newConnections,
  noBackOff,
  repeatedByClient,
  repeatedOrder,
  requestsBurst,
  sentAfter401,
  sentAfter402,
  slowReceiver,
  waitsForever,
];

/** The detector ids used in the config, in rehearsals and in the control API. */
export const DETECTOR_IDS: readonly string[] = DETECTORS.map(({ id }) => id);
