import { EventEmitter, once } from "node:events";
import { Pool } from "undici";
import { type Acknowledged, nothingYet } from "../kill/load.ts";

/** Clients that order airtime, and now and then pay money in, at any replica; they remember everything that they were promised. */
export interface Load {
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  /** When the head of each acknowledgment arrived, and from which replica; by request id, on the clock of `performance.now()`. */
  readonly acknowledgments: ReadonlyMap<string, Acknowledgment>;
  /** Numbers of the orders that were answered with 503: each order has a number of its own. */
  readonly denied: ReadonlySet<string>;
  /** Answers that no replica may give, whatever happens to the others. */
  readonly wrong: string[];
  readonly figures: { acknowledged: number; unanswered: number; unavailable: number; refused: number };
  /** Resolves after so many more acknowledgments. */
  untilAcknowledged(more: number): Promise<void>;
  /** Resolves once each of these accounts was acknowledged something that was asked from now on; answers how long the last one took, in ms. */
  untilServed(accounts: readonly string[]): Promise<number>;
  /** Resolves after so many more answers of 503. */
  untilUnavailable(more: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Acknowledgment {
  readonly at: number;
  readonly from: string;
}

export interface LoadOptions {
  /** The replicas that may be asked, as they are now. */
  readonly replicas: () => readonly string[];
  readonly accounts: readonly string[];
  readonly workers?: number;
}

/** A client gives a request up after so long, as a patient one would. */
const PATIENCE_MILLIS = 30_000;

export function startLoad({ replicas, accounts, workers = 8 }: LoadOptions): Load {
  const acknowledged = new Map(accounts.map((account) => [account, nothingYet()]));
  const acknowledgments = new Map<string, Acknowledgment>();
  const denied = new Set<string>();
  const wrong: string[] = [];
  const figures = { acknowledged: 0, unanswered: 0, unavailable: 0, refused: 0 };
  const news = new EventEmitter().setMaxListeners(0);
  const pools = new Map<string, Pool>();
  const stopping = new AbortController();
  let turns = 0;

  const ask = async (account: string, turn: number): Promise<void> => {
    const kept = acknowledged.get(account) ?? nothingYet();
    const shillings = 5 + (turn % 90);
    const askedAt = performance.now();
    const urls = replicas();
    // Each account is asked for at each replica.
    const url = urls[Math.floor(turn / accounts.length) % urls.length];
    if (url === undefined) throw new Error("No replica is left to ask.");
    const { status, text, at } = await post(poolOf(pools, url), requestFor(account, turn, shillings));
    if (status === 200) {
      if (isTopUp(turn)) kept.topUps.push(shillings);
      else {
        const id = requestIdIn(text);
        kept.orders.set(id, shillings);
        acknowledgments.set(id, { at, from: url });
      }
      figures.acknowledged += 1;
      news.emit("acknowledged", { account, askedAt, at });
    } else if (status === 402) figures.refused += 1;
    else if (status === 503) {
      figures.unavailable += 1;
      if (!isTopUp(turn)) denied.add(phoneNumberOf(turn));
      news.emit("unavailable");
      await pause(20);
    } else wrong.push(`${url} answered ${status}: ${text}`);
  };
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const turn = (turns += 1);
      try {
        await ask(accounts[turn % accounts.length] ?? "", turn);
      } catch {
        // Nothing was promised.
        figures.unanswered += 1;
        await pause(5);
      }
    }
  };
  const working = Promise.all(Array.from({ length: workers }, work));

  return {
    acknowledged,
    acknowledgments,
    denied,
    wrong,
    figures,
    async untilAcknowledged(more) {
      const goal = figures.acknowledged + more;
      while (figures.acknowledged < goal) await once(news, "acknowledged");
    },
    async untilServed(wanted) {
      const from = performance.now();
      const left = new Set(wanted);
      let latest = from;
      while (left.size > 0) {
        const [{ account, askedAt, at }] = await once(news, "acknowledged");
        if (askedAt >= from && left.delete(account)) latest = at;
      }
      return latest - from;
    },
    async untilUnavailable(more) {
      const goal = figures.unavailable + more;
      while (figures.unavailable < goal) await once(news, "unavailable");
    },
    async stop() {
      stopping.abort();
      await working;
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function isTopUp(turn: number): boolean {
  return turn % 41 === 40;
}

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function requestFor(account: string, turn: number, shillings: number): Asked {
  if (!isTopUp(turn)) return orderFor(account, turn, shillings);
  const headers = { "content-type": "application/json" };
  return {
    path: `/__admin/accounts/${account}/wallet/top-ups`,
    headers,
    body: JSON.stringify({ amount: String(shillings) }),
  };
}

export function orderFor(account: string, turn: number, shillings: number): Asked {
  const headers = {
    "content-type": "application/json",
    authorization: `Basic ${Buffer.from(`${account}:secret`).toString("base64")}`,
  };
  const order = { phone_number: phoneNumberOf(turn), amount: String(shillings) };
  return { path: "/api/v2/airtime", headers, body: JSON.stringify(order) };
}

function phoneNumberOf(turn: number): string {
  return `2547123${String(10_000 + (turn % 90_000)).slice(-5)}`;
}

interface Answered {
  readonly status: number;
  /** Empty unless it was acknowledged. */
  readonly requestId: string;
  /** When the head of the answer arrived, on the clock of `performance.now()`. */
  readonly at: number;
}

/** The orders that were acknowledged: shillings by request id. */
export function acknowledgedIn(answers: readonly Answered[], shillings: number): Map<string, number> {
  return new Map(answers.flatMap(({ status, requestId }) => (status === 200 ? [[requestId, shillings] as const] : [])));
}

/** One order of airtime, by itself. */
export async function orderOnce(
  url: string,
  account: string,
  { turn, shillings }: { turn: number; shillings: number },
): Promise<Answered> {
  const pool = new Pool(url, { connections: 1 });
  try {
    const { status, text, at } = await post(pool, orderFor(account, turn, shillings));
    return { status, at, requestId: status === 200 ? requestIdIn(text) : "" };
  } finally {
    await pool.destroy();
  }
}

function post(pool: Pool, { path, headers, body }: Asked): Promise<{ status: number; text: string; at: number }> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let at = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      {
        path,
        method: "POST",
        headers: { ...headers },
        body,
        headersTimeout: PATIENCE_MILLIS,
        bodyTimeout: PATIENCE_MILLIS,
      },
      {
        onRequestStart: () => {},
        onResponseStart(_, code) {
          status = code;
          at = performance.now();
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString(), at }),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

function poolOf(pools: Map<string, Pool>, url: string): Pool {
  const known = pools.get(url);
  if (known !== undefined) return known;
  const pool = new Pool(url, { connections: 32, pipelining: 1 });
  pools.set(url, pool);
  return pool;
}

function requestIdIn(text: string): string {
  const { request_id: id }: { request_id: string } = JSON.parse(text);
  return id;
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, millis));
}
