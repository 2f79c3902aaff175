/** What a sandbox said yes to. */
export interface Acknowledged {
  /** Airtime by request id, in shillings. */
  readonly orders: Map<string, number>;
  /** Shillings that were paid in. */
  readonly topUps: number[];
  /** Keys of accounts that were made. */
  readonly accounts: string[];
}

export function nothingYet(): Acknowledged {
  return { orders: new Map(), topUps: [], accounts: [] };
}

const WORKERS = 16;
const AUTHORIZATION = `Basic ${Buffer.from("sandbox-key:sandbox-secret").toString("base64")}`;

/** Buys airtime from many sides at once, and now and then pays in or makes an account, until the sandbox is gone. */
export async function loadUntilGone(url: string, acknowledged: Acknowledged, opensAccounts = true): Promise<void> {
  const work = async (worker: number): Promise<void> => {
    for (let turn = worker * 7; ; turn += 1)
      if (opensAccounts || turn % 200 !== 100) await take(url, acknowledged, turn);
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => untilGone(work(worker))));
}

async function untilGone(working: Promise<void>): Promise<void> {
  try {
    await working;
  } catch (fault) {
    // `fetch` says so when the connection is gone, or was cut in the middle of an answer.
    if (!(fault instanceof TypeError || fault instanceof SyntaxError)) throw fault;
  }
}

async function take(url: string, { orders, topUps, accounts }: Acknowledged, turn: number): Promise<void> {
  const shillings = 5 + (turn % 90);
  if (turn % 50 === 49) {
    await post(`${url}/__admin/accounts/default/wallet/top-ups`, { amount: String(shillings) });
    topUps.push(shillings);
  } else if (turn % 200 === 100) {
    accounts.push(textIn(await post(`${url}/__admin/accounts`, {}), "consumer_key"));
  } else {
    const order = { phone_number: `2547123${String(10_000 + turn).slice(-5)}`, amount: String(shillings) };
    orders.set(textIn(await post(`${url}/api/v2/airtime`, order), "request_id"), shillings);
  }
}

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

function textIn(json: unknown, key: string): string {
  const value =
    typeof json === "object" && json !== null ? Object.entries(json).find(([name]) => name === key)?.[1] : undefined;
  if (typeof value !== "string") throw new Error(`no ${key} in ${JSON.stringify(json)}`);
  return value;
}
