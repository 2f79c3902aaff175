import { Refused } from "../domain/refusal.ts";
import { type Operation, GATEWAY_PATHS } from "../domain/order.ts";

/** The gateway's three operations (document 4). */
export interface Endpoint {
  readonly operation: Operation | "account-details";
  readonly method: "POST" | "GET";
  readonly allow: string;
}

export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  [GATEWAY_PATHS.airtime, { operation: "airtime", method: "POST", allow: "POST, OPTIONS" }],
  [GATEWAY_PATHS.sms, { operation: "sms", method: "POST", allow: "POST, OPTIONS" }],
  [GATEWAY_PATHS["account-details"], { operation: "account-details", method: "GET", allow: "GET, HEAD, OPTIONS" }],
]);

/** Throws `Refused` 405 for an endpoint called with another method. */
export function methodNotAllowed({ method, allow }: Endpoint, path: string): never {
  throw new Refused(405, { headers: { allow }, hint: `${path} accepts only ${method}` });
}

/** Throws `Refused` 404 with the path that was probably meant. */
export function unknownPath(path: string): never {
  throw new Refused(404, { hint: notFoundHint(path) });
}

function notFoundHint(path: string): string {
  const near = [...ENDPOINTS.keys()].find((known) =>
    path.replace(/\/+$/, "").toLowerCase().endsWith(known.slice("/api/v2".length)),
  );
  return near === undefined ? `the paths are ${[...ENDPOINTS.keys()].join(", ")}` : `did you mean ${near}?`;
}
