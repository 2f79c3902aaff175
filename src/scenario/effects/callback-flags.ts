import type { Order } from "../../domain/order.ts";
import { scriptedHeaders } from "../../domain/placeholders.ts";
import { carrierResult, type ResultCodes } from "../../domain/result.ts";

/** One way in which a scripted callback differs from an ordinary one, with everything that is known about it. */
interface Flag {
  /** For editors and the reference. */
  readonly about: string;
  /** In words that follow `callback`: `callback with malformed JSON`. */
  readonly words: string;
  /** The first sending is an ordinary one. */
  readonly isFromSecondOn?: boolean;
  /** Changes what the callback reports. */
  readonly report?: (report: CallbackReport, settled: { readonly order: Order; readonly codes: ResultCodes }) => Partial<CallbackReport>;
  /** Changes the bytes of its body. */
  readonly body?: (body: string) => string;
  readonly contentType?: string;
  /** How the body goes over the wire. */
  readonly transport?: SendingManner;
  /** What a sound receiver may refuse it for. */
  readonly spoils?: "content" | "id";
}

/** `drip` sends the body byte by byte, `disconnect` leaves in the middle of it. */
export type SendingManner = "drip" | "disconnect";

/** What a callback says of its transaction, as far as flags change it. */
export interface CallbackReport {
  readonly requestId: string;
  readonly outcome: "succeeded" | "failed";
  readonly resultCode: number;
  readonly resultDesc: string;
}

const FLAGS = {
  contradict: {
    about: "From the second delivery on, it reports the opposite result; the wallet does not change.",
    words: "contradicting the first",
    isFromSecondOn: true,
    report: contradict,
  },
  unknown_id: {
    about: "It has a request_id that was never issued.",
    words: "with an unknown request_id",
    spoils: "id",
    report: ({ requestId }) => ({ requestId: invertId(requestId) }),
  },
  malformed: {
    about: "Its body is not JSON.",
    words: "with malformed JSON",
    spoils: "content",
    body: (body) => body.slice(0, body.length / 2),
  },
  wrong_content_type: {
    about: "Its Content-Type is not application/json.",
    words: "with a wrong content type",
    spoils: "content",
    contentType: "text/plain",
  },
  slow_drip: { about: "Its body arrives byte by byte.", words: "byte by byte", transport: "drip" },
  disconnect: { about: "The connection ends in the middle of its body.", words: "cut off in the middle", transport: "disconnect" },
} satisfies Readonly<Record<string, Flag>>;

export type CallbackFlag = keyof typeof FLAGS;

/** Every flag of a callback; this table is the only place that knows them. */
export const CALLBACK_FLAGS: Readonly<Record<CallbackFlag, Flag>> = FLAGS;

export const CALLBACK_FLAG_KEYS: readonly CallbackFlag[] = Object.keys(FLAGS).filter(isFlag);

/** The flags of one sending, and what a scenario has it carry. */
export type CallbackForm = Readonly<Partial<Record<CallbackFlag, boolean>>> & ScriptedContent;

interface ScriptedContent {
  readonly body?: string;
  readonly content_type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CONTENT_KEYS = ["body", "content_type", "headers"] as const;

/** The flags that the nth sending has, counted from 0. */
export function formOf(effect: CallbackForm, index: number): CallbackForm {
  const set = CALLBACK_FLAG_KEYS.filter((key) => effect[key] === true && (index > 0 || CALLBACK_FLAGS[key].isFromSecondOn !== true));
  const content = CONTENT_KEYS.flatMap((key) => (effect[key] === undefined ? [] : [[key, effect[key]] as const]));
  return Object.fromEntries([...set.map((key) => [key, true] as const), ...content]);
}

/** What is scripted about a sending, in the words of a scenario file. */
export function formWords(form: CallbackForm): string[] {
  return [...flagsOf(form), ...CONTENT_KEYS.filter((key) => form[key] !== undefined)];
}

function flagsOf(form: CallbackForm): CallbackFlag[] {
  return CALLBACK_FLAG_KEYS.filter((key) => form[key] === true);
}

/** The report as the flags change it. */
export function reportAs<Report extends CallbackReport>(
  report: Report,
  form: CallbackForm,
  settled: { readonly order: Order; readonly codes: ResultCodes },
): Report {
  return flagsOf(form).reduce((changed, key) => ({ ...changed, ...CALLBACK_FLAGS[key].report?.(changed, settled) }), report);
}

/** The body as the flags change it. */
export function bodyAs(body: string, form: CallbackForm): string {
  return flagsOf(form).reduce((changed, key) => CALLBACK_FLAGS[key].body?.(changed) ?? changed, body);
}

/** The headers as the flags and the scenario change them. */
export function headersAs(headers: Readonly<Record<string, string>>, form: CallbackForm): Readonly<Record<string, string>> {
  const [contentType] = flagsOf(form).flatMap((key) => CALLBACK_FLAGS[key].contentType ?? []);
  return { ...headers, ...(contentType !== undefined && { "content-type": contentType }), ...scriptedHeaders(form) };
}

/** How it goes over the wire: where two flags say so, the one that breaks more. */
export function mannerOf(form: CallbackForm): SendingManner | undefined {
  return flagsOf(form)
    .flatMap((key) => CALLBACK_FLAGS[key].transport ?? [])
    .at(-1);
}

/** What a sound receiver may refuse a sending for. */
export function spoiltBy(form: CallbackForm): "content" | "id" | undefined {
  const spoilt = flagsOf(form).map((key) => CALLBACK_FLAGS[key].spoils);
  const isOtherContent = form.body !== undefined || form.content_type !== undefined;
  return isOtherContent || spoilt.includes("content") ? "content" : spoilt.find((what) => what !== undefined);
}

function isFlag(key: string): key is CallbackFlag {
  return Object.hasOwn(FLAGS, key);
}

/** The opposite result in the carrier's words; charge and balance stay as they are. */
function contradict({ outcome }: CallbackReport, { order, codes }: { order: Order; codes: ResultCodes }): Partial<CallbackReport> {
  const { resultCode, resultDesc } = carrierResult(order, outcome === "succeeded" ? "failed" : "success", codes);
  return { resultCode, resultDesc };
}

/** An id that nobody was given: the last twelve digits, each the other way round. */
function invertId(requestId: string): string {
  return requestId.slice(0, -12) + requestId.slice(-12).replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}
