import { counted } from "../gateway/domain/counted.ts";

/** What a value that Kredo does not know is called where it is compared: it may be secret. */
export const ANOTHER_VALUE = "another value";

/** Returns the name of a request_id's form. */
export function requestIdForm(id: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return "uuid";
  if (/^[0-9a-f]{32}$/i.test(id)) return "hex";
  const [, padding] = /^([0-9A-Za-z]{4,5})[0-9a-f]{32}[0-9A-Za-z]{4,5}$/i.exec(id) ?? [];
  if (id.length === 40 && padding !== undefined) return "padded";
  return id.length === 42 && padding !== undefined ? "padded_5" : counted(id.length, "character");
}

/** Returns a status_code or a result_code, which have three digits wherever they were seen (public-facts.md). */
export function knownCode(code: unknown): number | undefined {
  return /^\d{1,3}$/.test(String(code)) ? Number(code) : undefined;
}

/** The keys of the gateway's document, and those that responses of other services have. */
const KEYS: ReadonlySet<string> = new Set(
  [
    "phone_number amount message sender_id",
    "status_code description request_id validation_errors",
    "charge account_balance result_code result_desc",
    "organization name details available_balance location website office_email office_mobile",
    "mobilemoney_account_top_up_code mpesa_account_top_up_code accounts account service_name",
    "code data error errors status success timestamp current_balance",
  ].flatMap((line) => line.split(" ")),
);

export function isKnownKey(key: string): boolean {
  return KEYS.has(key);
}

/** How the key ends whose beginning is the payment's brand (document 2.5). */
export const TOP_UP_CODE = "_account_top_up_code";

/** What service_name was seen to be, and the gateway's other products. */
const SERVICES: ReadonlySet<string> = new Set(["sms", "airtime", "ussd", "b2c", "c2b"]);

export function isKnownService(name: string): boolean {
  return SERVICES.has(name);
}

/** Returns the known beginning of a header's value, which says how the gateway works. */
export function knownBeginning(name: string, value: string): string {
  const form = value.length > LONGEST_HEADER ? undefined : HEADERS.get(name);
  return form?.exec(value)?.[0] ?? "";
}

export function isKnownHeader(name: string): boolean {
  return HEADERS.has(name);
}

const LONGEST_HEADER = 200;

/** Two digits a step: more could be part of a phone number. */
const VERSION = String.raw`v?\d{1,2}(?:\.\d{1,2}){0,3}`;

/** HTTP clients by the name that they give themselves. */
const PRODUCT = [
  "GuzzleHttp|PHP|curl|libcurl|Symfony|HttpClient|Curl|Laravel|Lumen|Statum",
  "okhttp|Java|Java-http-client|Apache-HttpClient|Spring|RestTemplate|ReactorNetty|Jersey",
  "axios|node|node-fetch|undici|got|python-requests|python-httpx|Python-urllib|aiohttp",
  "Go-http-client|Ruby|Faraday|Dart|Wget|PostmanRuntime|Mozilla|kredo",
].join("|");

const MEDIA_TYPE = String.raw`(?:\*/\*|(?:application|text)/(?:\*|json|problem\+json|xml|html|plain|x-www-form-urlencoded))`;
const PARAMETER = String.raw`; ?(?:q=[01](?:\.\d)?|charset="?(?:utf-?8|iso-8859-1|us-ascii)"?)`;
const MEDIA_RANGE = `${MEDIA_TYPE}(?:${PARAMETER})*`;
const ONE_PRODUCT = `(?:${PRODUCT})(?:/${VERSION})?`;
const CODINGS = String.raw`^(?:(?:gzip|br|deflate|identity|chunked|compress|zstd)(?:, ?|$))+$`;

const HEADERS: ReadonlyMap<string, RegExp> = new Map([
  ["accept", new RegExp(`^${MEDIA_RANGE}(?:, ?${MEDIA_RANGE})*$`, "i")],
  ["content-type", new RegExp(`^${MEDIA_RANGE}$`, "i")],
  ["content-encoding", new RegExp(CODINGS, "i")],
  ["transfer-encoding", new RegExp(CODINGS, "i")],
  [
    "retry-after",
    /^(?:\d{1,4}|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) 20\d\d \d\d:\d\d:\d\d GMT)$/,
  ],
  ["user-agent", new RegExp(`^${ONE_PRODUCT}(?: \\(?${ONE_PRODUCT}\\)?)*$`)],
  ["www-authenticate", /^(?:Basic|Bearer)(?= |$)/i],
]);

/** How the number in an order begins: "+254712", "0712", "254 712", "712". Redaction leaves it apart: "254-712-xxxx". */
const PHONE_BEGINNING = /^(\+?254|0)?[ -]?([17]\d{2})(?=[\dx -]*$)/;

/** Returns the country code as it was written, if it was, and the national prefix, of which three digits tell the carrier. */
export function phoneBeginning(text: string): { readonly country: string; readonly prefix: string } | undefined {
  const [, country = "", prefix] = PHONE_BEGINNING.exec(text) ?? [];
  return prefix === undefined ? undefined : { country, prefix };
}
