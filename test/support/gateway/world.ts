import { type ManualWallClock, manualWallClock } from "./manual-wall-clock.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";
import { sell } from "../../../src/gateway/account/decide/sell.ts";
import { recordRefusal } from "../../../src/gateway/account/decide/record-request.ts";
import type { DecisionContext } from "../../../src/gateway/account/decide/apply-rules.ts";
import type { Accepted } from "../../../src/gateway/account/events.ts";
import type { AccountSettings } from "../../../src/gateway/settings/account-settings.ts";
import type { GatewaySettings } from "../../../src/gateway/settings/gateway.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { forEachCarrier, routeTo, parsePhoneNumber } from "../../../src/gateway/domain/carrier.ts";
import type { Order, RoutedOrder } from "../../../src/gateway/domain/order.ts";
import { type RefusalCode, Refused } from "../../../src/gateway/domain/refusal.ts";
import type { RunningAccount, StoredAccount } from "../../../src/gateway/engine/account.ts";
import type { JournalBounds } from "../../../src/gateway/engine/journal-compactor.ts";
import { World } from "../../../src/gateway/engine/world.ts";
import type { CallbackRequest, CallbackTransport } from "../../../src/gateway/ports/callback-transport.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";

export interface TestWorldOptions {
  readonly account?: Partial<AccountSettings>;
  readonly gateway?: Partial<GatewaySettings>;
  readonly bounds?: Partial<JournalBounds>;
  /** The most rules in the active scenarios of an account. */
  readonly maxRules?: number;
  /** What receivers answer; default 200. */
  readonly answer?: (request: CallbackRequest) => CallbackOutcome | Promise<CallbackOutcome>;
  /** What stands for the network instead of `answer`; then `sent` stays empty. */
  readonly transport?: CallbackTransport;
  /** Where journals are kept; default in memory */
  readonly store?: JournalStore;
  /** What that has of an earlier world: it goes on. */
  readonly stored?: readonly StoredAccount[];
  /** Wall time at the start; default `WALL_START`. */
  readonly startAt?: number;
  /** Called with each account that is opened or resumed. */
  readonly onOpened?: ConstructorParameters<typeof World>[0]["onOpened"];
  /** Where faults are noted; default a new list. */
  readonly faults?: unknown[];
}

export interface TestWorld {
  readonly world: World;
  /** The default account: manual clock, seed 1, no callback URL unless told. */
  readonly account: RunningAccount;
  readonly wall: ManualWallClock;
  readonly transport: CallbackTransport;
  /** All that was sent to receivers. */
  readonly sent: CallbackRequest[];
  readonly faults: unknown[];
}

/** Wall time at the start of every test. */
export const WALL_START = Date.UTC(2025, 0, 6, 6);

const { gateway, journal, max_rules: maxRules, accounts } = gatewayOptions.parse({});

/** A world in memory on a wall clock that stands still; every carrier answers after exactly one second. */
export function testWorld(options: TestWorldOptions = {}): TestWorld {
  const wall = manualWallClock(options.startAt ?? WALL_START);
  const sent: CallbackRequest[] = [];
  const { faults = [], onOpened } = options;
  const transport =
    options.transport ??
    substituteTransport(sent, options.answer ?? (() => ({ kind: "answered", status: 200, body: "ok" })));
  const world = new World(
    {
      onOpened,
      gateway: { ...gateway, carriers: oneSecond(gateway.carriers), ...options.gateway },
      bounds: { ...journal, ...options.bounds },
      maxRules: options.maxRules ?? maxRules,
      store: options.store ?? memoryJournalStore(),
      wall,
      random: seededRandom(),
      transport,
      report: (fault) => faults.push(fault),
    },
    { seed: 1, stored: options.stored ?? [] },
  );
  const settings = accountSettings(options.account);
  return {
    world,
    account: world.resume(settings.consumer_key) ?? world.open(settings),
    wall,
    transport,
    sent,
    faults,
  };
}

export function accountSettings(changes: Partial<AccountSettings> = {}): AccountSettings {
  return { ...accounts[0], clock: { mode: "manual" }, seed: 1, organization: ORGANIZATION, ...changes };
}

/** Callback settings with both operations sent to one URL. */
export function callbacksTo(
  url: string,
  changes: Partial<AccountSettings["callbacks"]> = {},
): AccountSettings["callbacks"] {
  return {
    ...accounts[0].callbacks,
    urls: { airtime: { url, trusted: true }, sms: { url, trusted: true } },
    ...changes,
  };
}

/** Buys airtime for so many shillings, as an accepted request would. */
export function buyAirtime(account: RunningAccount, shillings: number, phoneNumber = "254712345678"): Accepted {
  return placeOrder(account, airtime(shillings, phoneNumber));
}

/** Sends an SMS from SANDBOX, as an accepted request would. */
export function sendSms(account: RunningAccount, message: string, phoneNumber = "254712345678"): Accepted {
  return placeOrder(account, sms(message, phoneNumber));
}

/** Leaves the trace of a request that was refused. */
export function refuseRequest(account: RunningAccount, code: RefusalCode): void {
  const call = { method: "POST", path: "/api/v2/airtime", operation: "airtime", body: "{}" } as const;
  account.journal.append((state, at) => [recordRefusal(state, new Refused(code), call, account.moment(at))]);
}

/** An order whose number has been read. */
function routed(order: Order, { gateway }: DecisionContext): RoutedOrder {
  const route = routeTo(order.phoneNumber, gateway.numbers);
  if (route === undefined) throw new Error(`${order.phoneNumber} belongs to no carrier`);
  return { order, route };
}

/** Sells as the gateway does once an order is valid. */
export function placeOrder(account: RunningAccount, order: Order): Accepted {
  return account.journal.run((state, at) => {
    const event = sell(state, routed(order, account.moment(at)), account.moment(at));
    if (event.kind === "cut") throw new Error("a scenario cut the connection");
    return { events: [event], answer: event };
  });
}

/** An order for airtime. */
export function airtime(shillings: number, phoneNumber = "254712345678"): Order {
  return { operation: "airtime", phoneNumber: phone(phoneNumber), amount: cents(shillings * 100) };
}

/** An order for an SMS. */
export function sms(message: string, phoneNumber = "254712345678", senderId = "SANDBOX"): Order {
  return { operation: "sms", phoneNumber: phone(phoneNumber), message, senderId };
}

/** A number that has to be right. */
export function phone(text: string): Order["phoneNumber"] {
  const number = parsePhoneNumber(text, "strict");
  if (number === undefined) throw new Error(`${text} is not a phone number`);
  return number;
}

function substituteTransport(
  sent: CallbackRequest[],
  answer: (request: CallbackRequest) => CallbackOutcome | Promise<CallbackOutcome>,
): CallbackTransport {
  return {
    deliver: async (request) => {
      sent.push(request);
      return { outcome: await answer(request), millis: 5 };
    },
    close: () => Promise.resolve(),
  };
}

function oneSecond(carriers: GatewaySettings["carriers"]): GatewaySettings["carriers"] {
  const latency = { airtime: { fixed: 1_000 }, sms: { fixed: 1_000 } };
  return forEachCarrier((carrier) => ({ ...carriers[carrier], latency }));
}

const ORGANIZATION: AccountSettings["organization"] = {
  name: "Mfano Ltd",
  location: "Nairobi - Westlands",
  website: "https://www.mfano.example",
  office_email: "ofisi@mfano.example",
  office_mobile: "+254700000001",
  top_up_code: "B9E573",
  accounts: [{ account: "mfano-sms", service_name: "sms" }],
};
