import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Agent } from "undici";
import { type AgentPool, createAgentPool } from "../../../src/gateway/adapters/delivery/agent-pool.ts";
import { parseHostList } from "../../../src/gateway/adapters/delivery/egress.ts";
import type { CallbackRequest } from "../../../src/gateway/ports/callback-transport.ts";

/** An agent without connections. It closes when the test lets it. */
class IdleAgent extends Agent {
  readonly calls: string[] = [];
  finish = (): void => {};

  override async close(): Promise<void> {
    this.calls.push("close");
    await new Promise<void>((resolve) => (this.finish = resolve));
  }

  override async destroy(): Promise<void> {
    this.calls.push("destroy");
  }
}

function open(): { pool: AgentPool; pick: (settings?: Partial<CallbackRequest>) => IdleAgent; made: IdleAgent[] } {
  const pool = createAgentPool(parseHostList([]));
  const made: IdleAgent[] = [];
  class NotedAgent extends IdleAgent {
    constructor(options: Agent.Options) {
      super(options);
      made.push(this);
    }
  }
  const pick = (settings: Partial<CallbackRequest> = {}): IdleAgent => {
    const agent = pool.pick({ ...CALLBACK, ...settings }, NotedAgent);
    if (!(agent instanceof IdleAgent)) throw new Error("the pool made another agent");
    return agent;
  };
  return { pool, pick, made };
}

const CALLBACK: CallbackRequest = {
  url: "http://127.0.0.1/hook",
  trusted: false,
  headers: {},
  body: "{}",
  timeout: 1_000,
  insecure: false,
};

/** How many agents are kept open. */
const MOST = 32;

test.each<[string, Partial<CallbackRequest>]>([
  ["a trusted URL", { trusted: true }],
  ["one that takes any certificate", { insecure: true }],
  ["one with an authority of its own", { ca: "authority" }],
])("keeps the connections of %s apart from those of others", (_whose, settings) => {
  const { pick, made } = open();

  const usual = pick();
  const other = pick(settings);

  expect(other).not.toBe(usual);
  expect({ usual: pick(), other: pick(settings) }).toEqual({ usual, other });
  expect(made).toHaveLength(2);
});

test("keeps agents for 32 authorities, and retires the one used longest ago for another", () => {
  const { pick, made } = open();
  for (let place = 1; place <= MOST; place += 1) pick({ ca: `authority ${place}` });
  const first = pick({ ca: "authority 1" });
  const before = made.map(({ calls }) => calls.length);

  pick({ ca: "one more" });

  expect(before).toEqual(Array.from({ length: MOST }, () => 0));
  expect(made.map(({ calls }) => calls)).toEqual(made.map((_, index) => (index === 1 ? ["close"] : [])));
  expect(pick({ ca: "authority 1" })).toBe(first);
  expect(pick({ ca: "authority 2" })).not.toBe(made[1]);
});

test("closing destroys every agent, also a retired one that still delivers, but none twice", async () => {
  const { pool, pick, made } = open();
  for (let place = 1; place <= MOST + 2; place += 1) pick({ ca: `authority ${place}` });
  const [finished, busy, ...others] = made;
  finished?.finish();
  await setImmediate();

  await pool.close();

  expect(finished?.calls).toEqual(["close"]);
  expect(busy?.calls).toEqual(["close", "destroy"]);
  expect(others.map(({ calls }) => calls)).toEqual(others.map(() => ["destroy"]));
});
