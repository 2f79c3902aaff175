import type { Operation } from "../../gateway/domain/order.ts";
import { formatKes, type Kes } from "../../gateway/domain/kes.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { AppMap } from "./app-map.ts";
import {
  type AskEnvironment,
  askApplication,
  callApplication,
  excerpt,
  readJson,
  readReply,
  type Reply,
} from "./ask.ts";
import { callOverHttp } from "../http-exchange.ts";
import { fill, placeholdersIn } from "./placeholders.ts";
import { type ApplicationRequest, methodOf, type Source } from "./request.ts";
import { fillPath, type JsonPath, readAmount } from "./json-path.ts";

/** Longer than most applications take to store a callback, or to start sending an order again. */
const USUAL_SETTLE: Millis = 5 * SECOND;

/** An order to place in the application. */
export interface ApplicationOrder {
  readonly operation: Operation;
  /** 254 and nine digits; unique among orders. */
  readonly phoneNumber: string;
  /** The number as the customer types it. Replaces all three forms in the map. */
  readonly typedNumber?: string;
  /** Whole shillings. */
  readonly amount: number;
  readonly message: string;
  /** Unique among orders. */
  readonly reference: string;
}

export interface PlacedOrder extends ApplicationOrder {
  readonly reply: Reply;
  /** The application's own id, if the map says where it is and the answer contains it. */
  readonly id?: unknown;
}

/** The application's claim about an order, and the words it used. */
export interface Claimed {
  readonly claim: "paid" | "failed" | "open" | "no answer" | "not asked";
  readonly said: string;
  /** With "no answer": whether the application ended the connection or did not accept one, instead of being late. */
  readonly isEnded?: boolean;
  /** With "not asked": whether the application's own rate limit answered. */
  readonly isLimited?: boolean;
}

/** A value that the application shows, or why there is none. */
export type Shown<Value> = { readonly value: Value } | { readonly missing: string };

export interface BookedCharge {
  readonly requestId: string;
  readonly amount: Kes | undefined;
}

/** An integrator's application, accessed through its app map. */
export class Application {
  readonly map: AppMap;
  readonly #environment: AskEnvironment;

  constructor(map: AppMap, environment: AskEnvironment) {
    this.map = map;
    this.#environment = environment;
  }

  /** The URL at which an order is placed. */
  urlOf(order: ApplicationOrder): string {
    return fill(this.map.order[order.operation]?.request.url ?? "{app}", this.#valuesOf(order));
  }

  /** The most wall time that it needs after a callback. */
  get settle(): Millis {
    return this.map.settle ?? USUAL_SETTLE;
  }

  get url(): string {
    return (this.#environment.application ?? this.map.application).replace(/\/+$/, "");
  }

  /** Returns whether anything accepts connections at the application's address. */
  async isListening(): Promise<boolean> {
    const url = new URL("/", this.url).href;
    const reply = await callOverHttp({ method: "GET", url, headers: {}, limit: SECOND });
    return reply.kind !== "silent" || reply.wasReached;
  }

  /** Places an order. Throws if the map does not say how to place an order of this kind. */
  async place(order: ApplicationOrder): Promise<PlacedOrder> {
    const written = this.map.order[order.operation];
    if (written === undefined) throw new Error(`the app map has no order.${order.operation}`);
    const reply = await this.#call(written.request, this.#valuesOf(order));
    const id = reply.kind === "answered" && written.id !== undefined ? findIn(reply.text, written.id) : undefined;
    return { ...order, reply, id };
  }

  /** Asks the application about the outcome of an order. */
  async status(order: PlacedOrder): Promise<Claimed> {
    const { status } = this.map;
    if (status === undefined) return { claim: "not asked", said: "the app map has no status" };
    if (this.#lacksId(status.request, order)) return claimWithoutId(order);
    const reply = await this.#call(status.request, this.#valuesOf(order));
    const unanswered = claimUnanswered(reply);
    if (unanswered !== undefined) return unanswered;
    if (reply.kind === "answered" && reply.status === 404 && wasRefused(order)) return claimWithoutId(order);
    const shown = read(reply, this.#pathOf(status.json_path, order));
    if ("missing" in shown)
      return wasRefused(order) ? claimWithoutId(order) : this.#claimUnread(order, reply, shown.missing);
    const word = textOf(shown.value);
    const claim = (["paid", "failed", "open"] as const).find((one) => status[one].includes(word));
    if (claim === undefined)
      return {
        claim: "not asked",
        said: `the status is ${JSON.stringify(word)}, which is not listed under paid, failed or open in the app map`,
      };
    return { claim, said: word };
  }

  /** Returns the claim for an order that was accepted but whose status cannot be read. */
  #claimUnread(order: PlacedOrder, reply: Reply, missing: string): Claimed {
    const { status } = this.map;
    const asked =
      status === undefined ? "" : `${methodOf(status.request)} ${fill(status.request.url, this.#valuesOf(order))}: `;
    const isUnknown = reply.kind === "answered" && reply.status === 404 && order.reply.kind === "answered";
    const repair = isUnknown
      ? `, although placing the order was answered ${order.reply.kind === "answered" ? order.reply.status : ""}: correct status.request or order.${order.operation}.id in the app map, or let the application keep the order`
      : "";
    return { claim: "not asked", said: `${asked}${missing}${repair}` };
  }

  /** Reads the customer's balance. */
  async balance(order: PlacedOrder): Promise<Shown<Kes>> {
    const { balance } = this.map;
    if (balance === undefined) return { missing: "the app map has no balance" };
    const reply = await this.#call(balance.request, this.#valuesOf(order));
    const shown = read(reply, this.#pathOf(balance.json_path, order));
    if ("missing" in shown) return shown;
    const value = readAmount(shown.value);
    return value === undefined
      ? { missing: `${balance.json_path.text} is ${textOf(shown.value)}, which is not an amount` }
      : { value };
  }

  /** Returns how much a paid order takes from the balance; undefined if the map does not say so with a valid amount. */
  priceOf(order: ApplicationOrder, charged: Kes): Kes | undefined {
    const price = this.map.balance?.price[order.operation];
    if (price === undefined) return undefined;
    return readAmount(fill(price, new Map([...this.#valuesOf(order), ["charge", formatKes(charged)]])));
  }

  /** Whether all orders are paid from one balance, so that it says nothing about a single one. */
  get hasSharedBalance(): boolean {
    return this.map.balance !== undefined && !namesOrder(this.map.balance);
  }

  /** Whether a status can be attributed to one of several orders. */
  get hasStatusOfEach(): boolean {
    return this.map.status === undefined || namesOrder(this.map.status);
  }

  /** Reads the charges that the application booked. */
  async books(order: PlacedOrder): Promise<Shown<readonly BookedCharge[]>> {
    const { books } = this.map;
    if (books === undefined) return { missing: "the app map has no books" };
    const said = readReply(await this.#call(books.request, this.#valuesOf(order)));
    if ("wrong" in said) return { missing: said.wrong };
    const json = readJson(said.text);
    if (json === undefined) return { missing: `the answer is not JSON${excerpt(said.text)}` };
    const entries = books.list.find(json.value).map((entry) => ({
      requestId: textOf(books.request_id.find(entry)[0]),
      amount: readAmount(books.amount.find(entry)[0]),
    }));
    return { value: entries };
  }

  /** Resets the application to its initial state. Resolves to what went wrong, if anything. */
  reset(): Promise<string | undefined> {
    return this.#act(this.map.reset);
  }

  /** Restarts the application. Resolves to what went wrong, if anything. */
  restart(): Promise<string | undefined> {
    return this.#act(this.map.restart);
  }

  /** Makes the application run its retries and jobs now. Resolves to what went wrong, if anything. */
  tick(): Promise<string | undefined> {
    return this.#act(this.map.tick);
  }

  async #act(action: Source | undefined): Promise<string | undefined> {
    if (action === undefined) return undefined;
    const said = readReply(await askApplication(action, this.#environment, this.#valuesOf()));
    return "wrong" in said ? said.wrong : undefined;
  }

  /** Fills the placeholders of a path, which selects an order from a list of them. */
  #pathOf(path: JsonPath, order: PlacedOrder): JsonPath {
    return placeholdersIn(path.text).length === 0 ? path : fillPath(path, this.#valuesOf(order));
  }

  #call(request: ApplicationRequest, values: ReadonlyMap<string, unknown>): Promise<Reply> {
    return callApplication(request, values);
  }

  #lacksId(request: ApplicationRequest, { id }: PlacedOrder): boolean {
    return id === undefined && placeholdersIn(request).includes("id");
  }

  #valuesOf(order?: ApplicationOrder & { readonly id?: unknown }): ReadonlyMap<string, unknown> {
    const values = new Map<string, unknown>([["app", this.url]]);
    if (order === undefined) return values;
    const { phoneNumber, typedNumber, amount, message, reference, id } = order;
    const filled: Readonly<Record<string, unknown>> = {
      phone_number: typedNumber ?? phoneNumber,
      local_number: typedNumber ?? `0${phoneNumber.slice(3)}`,
      plus_number: typedNumber ?? `+${phoneNumber}`,
      amount,
      message,
      reference,
      id,
    };
    return new Map([...values, ...Object.entries(filled)]);
  }
}

/** Returns whether a question differs for each order. */
function namesOrder({ request, json_path }: { request: ApplicationRequest; json_path: JsonPath }): boolean {
  return placeholdersIn([request, json_path.text]).some((name) => name !== "app");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function claimUnanswered(reply: Reply): Claimed | undefined {
  if (reply.kind === "silent")
    return { claim: "no answer", said: `no answer (${reply.reason})`, isEnded: reply.isLate !== true };
  const isLimited = reply.kind === "answered" && reply.status === 429;
  return isLimited ? { claim: "not asked", said: "answered 429", isLimited } : undefined;
}

/** An order that the application refused to accept counts as one that it reports as failed. */
function claimWithoutId(order: PlacedOrder): Claimed {
  const { reply } = order;
  if (reply.kind === "silent")
    return {
      claim: "no answer",
      said: `placing the order got no answer (${reply.reason})`,
      isEnded: reply.isLate !== true,
    };
  const text = reply.kind === "answered" ? `${reply.status}${excerpt(reply.text)}` : "";
  if (wasRefused(order)) return { claim: "failed", said: `placing the order was answered ${text}` };
  return { claim: "not asked", said: `the answer to the order has no id: ${text}` };
}

function wasRefused({ reply }: PlacedOrder): boolean {
  return reply.kind === "answered" && reply.status >= 400;
}

function findIn(text: string, path: JsonPath): unknown {
  const json = readJson(text);
  return json === undefined ? undefined : path.find(json.value)[0];
}

function read(reply: Reply, path: JsonPath): Shown<unknown> {
  const said = readReply(reply);
  if ("wrong" in said) return { missing: said.wrong };
  const json = readJson(said.text);
  if (json === undefined) return { missing: `the answer is not JSON${excerpt(said.text)}` };
  const [value] = path.find(json.value);
  return value === undefined ? { missing: `the answer has nothing at ${path.text}${excerpt(said.text)}` } : { value };
}
