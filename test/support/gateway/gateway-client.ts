import { AUTHORIZATION, type TestGateway } from "./test-gateway.ts";

/** An answer of the gateway, read. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the body. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly method?: string;
  readonly path?: string;
  /** Instead of the default ones; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Text and bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** Calls the gateway in process, as the default account with JSON unless told otherwise. */
export async function callGateway(
  sandbox: TestGateway,
  { method = "POST", path = AIRTIME, headers = {}, body }: Call,
): Promise<GatewayAnswer> {
  const response = await callRaw(sandbox, { method, path, headers, body });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** The same, without reading the answer. */
export async function callRaw(
  { running }: TestGateway,
  { method = "POST", path = AIRTIME, headers = {}, body }: Call,
): Promise<Response> {
  const written =
    typeof body === "string" || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body);
  const all = {
    authorization: AUTHORIZATION,
    ...(method === "POST" ? { "content-type": "application/json" } : {}),
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : ([[name, value]] as [string, string][]),
  );
  const init: RequestInit = { method, headers: given.map(([name, value]) => [name, value]) };
  const request = new Request(
    `http://gateway.test${path}`,
    written === undefined ? init : { ...init, body: new Blob([written]) },
  );
  // A Blob brings a type of its own, which a test that leaves Content-Type out must not have.
  if (all["content-type"] === undefined) request.headers.delete("content-type");
  return running.fetch(request);
}

export const AIRTIME = "/api/v2/airtime";
export const SMS = "/api/v2/sms";
export const DETAILS = "/api/v2/account-details";

/** Asks for airtime; what is given comes in place of a valid request's own fields. */
export function sendAirtime(
  sandbox: TestGateway,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<GatewayAnswer> {
  return callGateway(sandbox, { path: AIRTIME, body: { ...VALID_AIRTIME, ...fields } });
}

/** Sends an SMS; what is given comes in place of a valid request's own fields. */
export function sendMessage(
  sandbox: TestGateway,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<GatewayAnswer> {
  return callGateway(sandbox, { path: SMS, body: { ...VALID_SMS, ...fields } });
}

export function askDetails(sandbox: TestGateway): Promise<GatewayAnswer> {
  return callGateway(sandbox, { method: "GET", path: DETAILS });
}

export const VALID_AIRTIME = { phone_number: "254712345678", amount: "100" } as const;
export const VALID_SMS = { phone_number: "254712345678", message: "Habari", sender_id: "SANDBOX" } as const;

/** A UUID of version 4 in form. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
