import { CLIENT_PATIENCE } from "../../gateway/account/event-guards.ts";
import { forEachProduct, type Operation, PRODUCTS } from "../../gateway/domain/order.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { AppMap } from "./app-map.ts";
import {
  type AskedValue,
  type AskEnvironment,
  CUT_ANSWER,
  callApplication,
  excerpt,
  tryParseJson,
  readReply,
  withoutSecrets,
} from "./ask.ts";
import { callOverHttp, type HttpReply } from "../../control/client/http-exchange.ts";
import { fillJson, fillUrl, placeholdersIn, textOf } from "./placeholders.ts";
import { priceAs, type Priced, type PricedOrder } from "./price.ts";
import { type Claimed, claimMissing, claimSilent } from "./claims.ts";
import { readBalance, readBooks, type ShownBooks } from "./money.ts";
import { type ApplicationOrder, type PlacedOrder, placementOf } from "./placed-order.ts";
import { KeptConnection } from "./kept-connection.ts";
import { read } from "./read-answer.ts";
import { type ApplicationRequest, methodOf } from "./request.ts";
import { nameIds } from "./propose-paths.ts";
import { fillPath, type JsonPath } from "./json-path.ts";
import { runInShell } from "./shell.ts";

/** Longer than most applications on a busy machine take to store a callback, or to start sending an order again. */
export const USUAL_SETTLE: Millis = 5 * SECOND;

/**
 * An application may answer its customer only after a call to the gateway with the longest timeout that is advised, and then wait as long for
 * the result. How long a placement takes accuses nobody.
 */
const PLACING_LIMIT_MILLIS: Millis = 2 * CLIENT_PATIENCE;

export class Application {
  readonly map: AppMap;
  readonly #environment: AskEnvironment;
  /** The operations of which an order was found where the map says, so that it is right about them. */
  readonly #found = new Set<Operation>();

  constructor(map: AppMap, environment: AskEnvironment) {
    this.map = map;
    this.#environment = environment;
  }

  /** What it sells by its map. */
  get operations(): Operation[] {
    return PRODUCTS.filter((operation) => this.map.order[operation] !== undefined);
  }

  urlOf(order: ApplicationOrder): string {
    return fillUrl(this.map.order[order.operation]?.request.url ?? "{app}", this.#valuesOf(order));
  }

  /** The most wall time that it needs after a callback. */
  get settle(): Millis {
    return this.map.settle ?? USUAL_SETTLE;
  }

  get url(): string {
    return (this.#environment.application ?? this.map.application).replace(/\/+$/, "");
  }

  /** Where the gateway sends its callbacks. */
  get callbackUrls(): Partial<Record<Operation, string>> {
    const { callbacks } = this.map;
    return forEachProduct((product) => callbacks[product] && fillUrl(callbacks[product], this.#valuesOf()));
  }

  async isListening(): Promise<boolean> {
    const url = new URL("/", this.url).href;
    const reply = await callOverHttp({ method: "GET", url, headers: {}, limit: SECOND });
    return reply.kind !== "silent" || reply.wasReached;
  }

  /** Opens a connection by which is seen whether it goes down. */
  connect(): KeptConnection {
    return new KeptConnection(new URL("/", this.url).href);
  }

  /** Places an order. Throws if the map does not say how to place an order of this kind. */
  async place(order: ApplicationOrder): Promise<PlacedOrder> {
    const written = this.map.order[order.operation];
    if (written === undefined) throw new Error(`the app map has no order.${order.operation}`);
    const reply = await callApplication(written.request, this.#valuesOf(order), PLACING_LIMIT_MILLIS);
    const json = reply.kind === "answered" ? tryParseJson(reply.text) : undefined;
    const found = json && written.refused?.find(json.value);
    const id = json && written.id?.find(json.value)[0];
    return { ...order, reply, id: id ?? undefined, isRefused: found?.some(isSomething) };
  }

  look(order: PlacedOrder, request: ApplicationRequest): Promise<HttpReply> {
    return callApplication(request, this.#valuesOf(order));
  }

  async status(order: PlacedOrder): Promise<Claimed> {
    const { status } = this.map;
    if (status === undefined) return { claim: "not asked", said: "the app map has no status" };
    if (this.#lacksId(status.request, order)) return this.#claimWithoutId(order);
    const reply = await this.look(order, status.request);
    if (reply.kind === "silent") return claimSilent(reply, "no answer");
    if (reply.status === 429) return { claim: "not asked", said: "answered 429", isLimited: true };
    if (status.failed.includes(reply.status)) return { claim: "failed", said: `answered ${reply.status}` };
    const shown = read(reply, fillPath(status.json_path, this.#valuesOf(order)));
    if ("missing" in shown && placementOf(order) === "refused") return this.#claimWithoutId(order);
    if ("missing" in shown) {
      const asked = `${methodOf(status.request)} ${fillUrl(status.request.url, this.#valuesOf(order))}: ${shown.missing}`;
      return claimMissing(order, { asked, status: reply.status, isMapRight: this.#found.has(order.operation) });
    }
    this.#found.add(order.operation);
    const word = textOf(shown.value);
    const claim = (["paid", "failed", "open"] as const).find((one) => status[one].includes(word));
    if (claim === undefined)
      return {
        claim: "not asked",
        said: `the status is ${JSON.stringify(word)}, which is not listed under paid, failed or open in the app map`,
      };
    return { claim, said: word };
  }

  async balance(order: PlacedOrder): Promise<AskedValue<Kes>> {
    const { balance } = this.map;
    if (balance === undefined) return { unasked: "the app map has no balance" };
    const values = this.#valuesOf(order);
    return readBalance(await callApplication(balance.request, values), fillPath(balance.json_path, values), balance);
  }

  async books(order: PlacedOrder): Promise<ShownBooks> {
    const { books } = this.map;
    if (books === undefined) return { missing: "the app map has no books" };
    if (this.#lacksId(books.request, order)) return { missing: "the order has no id" };
    const values = this.#valuesOf(order);
    const { headers } = books.request;
    return readBooks(books, fillUrl(books.request.url, values), (page) =>
      callApplication(page === undefined ? books.request : { url: page, headers }, values),
    );
  }

  /** Whether each order has books of its own. */
  get hasBooksOfEach(): boolean {
    return placeholdersIn(this.map.books?.request).some((name) => name !== "app");
  }

  /** Returns how much a paid order takes from the balance; undefined if the map does not say so of an order of this kind. */
  priceOf(order: Priced): PricedOrder | undefined {
    return this.map.balance && priceAs(this.map.balance.price, order);
  }

  /** Whether all orders are paid from one balance. */
  get hasSharedBalance(): boolean {
    return this.map.balance !== undefined && !namesOrder(this.map.balance);
  }

  /** Returns whether orders are paid from one balance, so that it says nothing about a single one. */
  isBalanceShared(orders: readonly ApplicationOrder[]): boolean {
    return !this.#tellsApart(this.map.balance, orders);
  }

  /** Returns whether the status of each order can be attributed to it. */
  hasStatusOf(orders: readonly ApplicationOrder[]): boolean {
    return this.#tellsApart(this.map.status, orders);
  }

  /** Whether a status can be attributed to one of several orders for different numbers. */
  get hasStatusOfEach(): boolean {
    return this.map.status === undefined || namesOrder(this.map.status);
  }

  /** Carries out an action of the map, if it has that one. Resolves to what went wrong, if anything. */
  async act(action: "reset" | "restart" | "tick"): Promise<string | undefined> {
    const { command, request } = this.map[action] ?? {};
    if (command !== undefined) return runInShell(command, this.#environment.interruption);
    if (request === undefined) return undefined;
    const said = readReply(await callApplication(request, this.#valuesOf()));
    return "missing" in said ? said.missing : undefined;
  }

  /** An order that the application refused to accept counts as one that it reports as failed. An error leaves open what became of it. */
  #claimWithoutId(order: PlacedOrder): Claimed {
    const { reply, isCut, operation } = order;
    if (isCut === true)
      return { claim: "not asked", said: "the restart ended the request whose answer has the order's id" };
    if (reply.kind === "silent") return claimSilent(reply, "placing the order got no answer");
    const text = `${reply.status}${excerpt(withoutSecrets(reply.text))}`;
    const [placement, placing] = [placementOf(order), `placing the order was answered ${text}`];
    if (placement === "refused") return { claim: "failed", said: placing };
    if (placement === "unknown")
      return {
        claim: "not asked",
        said: `${placing}, which leaves open what became of it, and has no id to ask by; use {reference} in status.request if the application finds orders by it`,
      };
    if (reply.isCut === true) return { claim: "not asked", said: `placing the order: ${CUT_ANSWER}` };
    const at = this.map.order[operation]?.id === undefined ? "" : ` at ${this.map.order[operation].id.text}`;
    const ids = nameIds(tryParseJson(reply.text)?.value, order);
    const repair = ids === undefined ? "" : `; order.${operation}.id in the app map may be ${ids}`;
    return { claim: "not asked", said: `the answer to the order has no id${at}: ${text}${repair}` };
  }

  /** Returns whether a question differs for each of these orders, whose ids may not be known yet. */
  #tellsApart(question: Question | undefined, orders: readonly ApplicationOrder[]): boolean {
    if (question === undefined) return true;
    const { request, json_path } = question;
    const asked = orders.map((order) =>
      JSON.stringify(fillJson([request, json_path.text], this.#valuesOf({ ...order, id: order.reference }))),
    );
    return new Set(asked).size === orders.length;
  }

  #lacksId(request: ApplicationRequest, { id }: PlacedOrder): boolean {
    return id === undefined && placeholdersIn(request).includes("id");
  }

  #valuesOf(order?: ApplicationOrder & { readonly id?: unknown }): ReadonlyMap<string, unknown> {
    const values = new Map<string, unknown>([["app", this.url]]);
    if (order === undefined) return values;
    const { phoneNumber, recipients = [], typedNumber, amount, message, reference, id } = order;
    const filled: Readonly<Record<string, unknown>> = {
      phone_number: typedNumber ?? phoneNumber,
      phone_numbers: [typedNumber ?? phoneNumber, ...recipients],
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

/** Whether a value is not null, false, 0 or empty. */
function isSomething(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

interface Question {
  readonly request: ApplicationRequest;
  readonly json_path: JsonPath;
}

/** Returns whether a question differs for each order. */
function namesOrder({ request, json_path }: Question): boolean {
  return placeholdersIn([request, json_path.text]).some((name) => name !== "app");
}
