import type { Detector } from "./check.ts";
import { callbackAnsweredDifferently } from "./callback-answered-differently.ts";
import { callbackAnsweredLate } from "./callback-answered-late.ts";
import { callbackNotAcknowledged } from "./callback-not-acknowledged.ts";
import { callbackRedirected } from "./callback-redirected.ts";
import { callbackUnreachable } from "./callback-unreachable.ts";
import { costlyCharacters } from "./costly-characters.ts";
import { credentialsInUrl } from "./credentials-in-url.ts";
import { detailsPolled } from "./details-polled.ts";
import { doubleSpend } from "./double-spend.ts";
import { failsOnEarlyCallback } from "./fails-on-early-callback.ts";
import { failsOnMalformed } from "./fails-on-malformed.ts";
import { failsOnUnknownRequestId } from "./fails-on-unknown-request-id.ts";
import { looseForm } from "./loose-form.ts";
import { newConnections } from "./new-connections.ts";
import { noBackOff } from "./no-back-off.ts";
import { repeatedByClient } from "./repeated-by-client.ts";
import { repeatedOrder } from "./repeated-order.ts";
import { requestsBurst } from "./requests-burst.ts";
import { sentAfter401 } from "./sent-after-401.ts";
import { sentAfter402 } from "./sent-after-402.ts";
import { slowReceiver } from "./slow-receiver.ts";
import { waitsForever } from "./waits-forever.ts";

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
