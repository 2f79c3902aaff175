import { carrierResult, type Order, type ResultForm } from "../../domain/order.ts";
import { scriptedHeaders } from "../../domain/fill-placeholders.ts";

/** One way in which a scripted callback differs from an ordinary one. */
interface Flag {
  /** For editors and the reference. */
  readonly about: string;
  /** Whether the first delivery stays unchanged. */
  readonly isFromSecondOn?: boolean;
  /** Changes what the callback reports. */
  readonly report?: (
    report: CallbackReport,
    settled: { readonly order: Order; readonly gateway: ResultForm },
  ) => Partial<CallbackReport>;
  /** Changes the body. */
  readonly body?: (body: string) => string;
  readonly contentType?: string;
}

/** The parts of a callback's report that flags can change. */
export interface CallbackReport {
  readonly requestId: string;
  readonly outcome: "succeeded" | "failed";
  readonly resultCode: number;
  readonly resultDesc: string;
}

const FLAGS = {
  contradict: {
    about: "From the second delivery on, the callback reports the opposite result; the wallet does not change.",
    isFromSecondOn: true,
    report: contradict,
  },
  reverse: {
    about:
      "From the second delivery on, the callback reports that the success was reversed: failed, charge 0. The charge returns to the wallet when the second is due. A failure is only repeated.",
    isFromSecondOn: true,
  },
  unknown_id: {
    about: "The request_id was never issued.",
    report: ({ requestId }) => ({ requestId: invertId(requestId) }),
  },
  unknown_field: {
    about: "The body has a field that the specification does not know.",
    body: (body) => body.replace(/\}$/, ',"currency":"KES"}'),
  },
  malformed: {
    about: "The body is not JSON.",
    body: (body) => body.slice(0, body.length / 2),
  },
  wrong_content_type: {
    about: "The Content-Type is not application/json.",
    contentType: "text/plain",
  },
} satisfies Readonly<Record<string, Flag>>;

export type CallbackFlag = keyof typeof FLAGS;

/** Every callback flag; the only place that lists them. */
export const CALLBACK_FLAGS: Readonly<Record<CallbackFlag, Flag>> = FLAGS;

export const CALLBACK_FLAG_KEYS: readonly CallbackFlag[] = Object.keys(FLAGS).filter(isFlag);

/** The flags and scripted content of one delivery. */
export type ScriptedCallback = Readonly<Partial<Record<CallbackFlag, boolean>>> & ScriptedContent;

interface ScriptedContent {
  readonly body?: string;
  readonly content_type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CONTENT_KEYS = ["body", "content_type", "headers"] as const;

/** Returns the flags of delivery number `index`, counted from 0. */
export function scriptedFor(effect: ScriptedCallback, index: number): ScriptedCallback {
  const set = CALLBACK_FLAG_KEYS.filter(
    (key) => effect[key] === true && (index > 0 || CALLBACK_FLAGS[key].isFromSecondOn !== true),
  );
  const content = CONTENT_KEYS.flatMap((key) => (effect[key] === undefined ? [] : [[key, effect[key]] as const]));
  return Object.fromEntries([...set.map((key) => [key, true] as const), ...content]);
}

/** Lists what is scripted about a delivery, by the keys of a scenario file. */
export function scriptedKeys(scripted: ScriptedCallback): string[] {
  return [...flagsOf(scripted), ...CONTENT_KEYS.filter((key) => scripted[key] !== undefined)];
}

function flagsOf(scripted: ScriptedCallback): CallbackFlag[] {
  return CALLBACK_FLAG_KEYS.filter((key) => scripted[key] === true);
}

/** Applies the flags to the report. */
export function reportAs<Report extends CallbackReport>(
  report: Report,
  scripted: ScriptedCallback,
  settled: { readonly order: Order; readonly gateway: ResultForm },
): Report {
  return flagsOf(scripted).reduce(
    (changed, key) => ({ ...changed, ...CALLBACK_FLAGS[key].report?.(changed, settled) }),
    report,
  );
}

/** Applies the flags to the body. */
export function bodyAs(body: string, scripted: ScriptedCallback): string {
  return flagsOf(scripted).reduce((changed, key) => CALLBACK_FLAGS[key].body?.(changed) ?? changed, body);
}

/** Applies the flags and scripted headers to the headers. */
export function headersAs(
  headers: Readonly<Record<string, string>>,
  scripted: ScriptedCallback,
): Readonly<Record<string, string>> {
  const [contentType] = flagsOf(scripted).flatMap((key) => CALLBACK_FLAGS[key].contentType ?? []);
  return {
    ...headers,
    ...(contentType !== undefined && { "content-type": contentType }),
    ...scriptedHeaders(scripted),
  };
}

function isFlag(key: string): key is CallbackFlag {
  return Object.hasOwn(FLAGS, key);
}

/** Returns the opposite result in the carrier's words. Charge and balance stay unchanged. */
function contradict(
  { outcome }: CallbackReport,
  { order, gateway }: { order: Order; gateway: ResultForm },
): Partial<CallbackReport> {
  const { resultCode, resultDesc } = carrierResult(order, outcome === "succeeded" ? "failed" : "success", gateway);
  return { resultCode, resultDesc };
}

/** Returns an id that was never issued: the hex digits among its last twelve characters inverted. */
function invertId(requestId: string): string {
  return (
    requestId.slice(0, -12) +
    requestId.slice(-12).replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16))
  );
}
