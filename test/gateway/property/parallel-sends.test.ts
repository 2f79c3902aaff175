import { expect, test } from "vitest";
import { cents, formatKes, available } from "../../../src/gateway/domain/kes.ts";
import { openGateway } from "../../../src/gateway/open-gateway.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";

const PARALLEL = 1_000;

/** What airtime for KES 10 costs at 5 percent discount. */
const PRICE = 950;

test.each([0, 1, 400, 1_000])(
  "through the gateway too: money for %i sends is as many answers of 200, and as many holds",
  async (affordable) => {
    const settings = gatewayOptions.parse({
      seed: 1,
      clock: { mode: "manual" },
      accounts: [{ balance: formatKes(cents(affordable * PRICE + 1)) }],
    });
    const running = await openGateway(settings, { report: String });

    const responses = await Promise.all(Array.from({ length: PARALLEL }, () => running.fetch(topUpRequest())));

    const { state, journal } = running.world.get("default");
    const kinds = journal.read().events.map(({ kind }) => kind);
    expect(tally(responses.map(({ status }) => status))).toEqual({ 200: affordable, 402: PARALLEL - affordable });
    expect(kinds.filter((kind) => kind === "accepted")).toHaveLength(affordable);
    expect(kinds.filter((kind) => kind === "refused")).toHaveLength(PARALLEL - affordable);
    expect(state.wallet).toEqual({ balance: affordable * PRICE + 1, held: affordable * PRICE });
    expect(available(state.wallet)).toBe(1);
    await running.close();
  },
);

function tally(answers: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = { 200: 0, 402: 0 };
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

function topUpRequest(): Request {
  return new Request("http://sandbox.test/api/v2/airtime", {
    method: "POST",
    headers: { authorization: `Basic ${btoa("sandbox-key:sandbox-secret")}`, "content-type": "application/json" },
    body: JSON.stringify({ phone_number: "254712345678", amount: "10" }),
  });
}
