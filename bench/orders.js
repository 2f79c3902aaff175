import { Pool } from "undici";

/** Connections kept busy, each with one request at a time. */
const CONNECTIONS = 64;

/** The headers of the default account. */
export const HEADERS = headersOf("sandbox-key:sandbox-secret");

let ordered = 0;
let shillings = 0;

/** The sum of all amounts ordered so far, in shillings. */
export function orderedShillings() {
  return shillings;
}

/**
 * Orders airtime `count` times on 64 connections. Returns the requests per second and the latencies. Each order has a new number and
 * amount, as in a real shop, because detectors report repeated orders. If `keys` names accounts, uses them in turn.
 */
export async function orderAirtime(url, { count, keys }) {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const began = performance.now();
  const latencies = [];
  const credentials = keys === undefined ? [HEADERS] : keys.map((key) => headersOf(`${key}:any`));
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      latencies.push(await orderOnce(pool, credentials[left % credentials.length]));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const took = performance.now() - began;
  await pool.close();
  return { requests: latencies.length, perSecond: (latencies.length / took) * 1000, ...percentiles(latencies) };
}

/** Sends one order, as the first request to a server that has just started. */
export async function orderFirst(url) {
  const pool = new Pool(url, { connections: 1 });
  await orderOnce(pool, HEADERS);
  await pool.destroy();
}

function headersOf(credentials) {
  return { "content-type": "application/json", authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

function orderOnce(pool, headers) {
  const began = performance.now();
  const body = nextOrder();
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { path: "/api/v2/airtime", method: "POST", headers, body },
      {
        onRequestStart: () => {},
        onResponseStart: (_, code) => void (status = code),
        onResponseData: () => {},
        onResponseEnd: () =>
          status === 200 || status === 201
            ? resolve(performance.now() - began)
            : reject(new Error(`answered ${status} to ${body}`)),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

function nextOrder() {
  ordered += 1;
  const subscriber = String(ordered % 1_000_000).padStart(6, "0");
  const amount = 10 + Math.floor(ordered / 1_000_000);
  shillings += amount;
  return `{"phone_number":"254712${subscriber}","amount":"${amount}"}`;
}

function percentiles(latencies) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}
