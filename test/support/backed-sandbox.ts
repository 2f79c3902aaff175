import type { Backend } from "../backends/http-shell.ts";
import { startNaiveBackend } from "../backends/naive.ts";
import { type SoundOptions, startSoundBackend } from "../backends/sound.ts";
import { type Account, createSandbox, type Sandbox } from "../../src/index.ts";

/** A backend under test, as its customers see it. */
export interface Shop extends AsyncDisposable {
  readonly sandbox: Sandbox;
  order(form: object): Promise<Answered>;
  get(path: string): Promise<Answered>;
  post(path: string, body: string): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: Shown;
}

/** What the backends show, as far as tests look at it. */
export interface Shown {
  readonly id?: string;
  readonly status?: string;
  readonly credited?: number;
  readonly contradicted?: boolean;
}

export type Tuning = Pick<SoundOptions, "limit" | "backOff" | "balanceEvery">;

/** A sandbox on a manual clock with a shipped or an inline scenario, and a backend that it calls back. */
export async function backedSandbox(
  kind: "sound" | "naive",
  scenario?: Parameters<Account["scenario"]>[0],
  tuning: Tuning = {},
): Promise<Shop> {
  const sandbox = await createSandbox({ clock: "manual", seed: 1 });
  if (scenario !== undefined) await sandbox.scenario(scenario);
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  const start = kind === "sound" ? startSoundBackend : startNaiveBackend;
  const backend = await start({ port: 0, gateway, key, secret, ...tuning });
  const hook = (operation: string): string => `${backend.url}/hooks/${operation}?token=rehearsal`;
  await sandbox.callbacks.set({ airtime: hook("airtime"), sms: hook("sms") });
  return { sandbox, ...customerOf(backend), [Symbol.asyncDispose]: () => closeBoth(backend, sandbox) };
}

function customerOf({ url }: Backend): Omit<Shop, "sandbox" | typeof Symbol.asyncDispose> {
  const post = async (path: string, body: string): Promise<Answered> =>
    read(await fetch(`${url}${path}`, { method: "POST", body }));
  return {
    order: (form) => post("/orders", JSON.stringify(form)),
    get: async (path) => read(await fetch(`${url}${path}`)),
    post,
  };
}

async function read(response: Response): Promise<Answered> {
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  return { status: response.status, text, json: isJson ? JSON.parse(text) : {} };
}

async function closeBoth(backend: Backend, sandbox: Sandbox): Promise<void> {
  await backend.close();
  await sandbox.close();
}
