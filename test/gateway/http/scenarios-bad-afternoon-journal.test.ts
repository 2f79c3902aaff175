import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { formatKes } from "../../../src/gateway/domain/kes.ts";
import { askDetails, sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { type PlayedScenario, playShipped, walletOf } from "../../support/gateway/shipped.ts";
import { WALL_START } from "../../support/gateway/world.ts";

const AIRTEL = "254733000001";

test("the journal of a bad afternoon reads as its file does", async () => {
  await using played = await playShipped("bad-afternoon", {
    settings: { numbers: { ported_share: 0 } },
    ports: { pause: async () => {} },
  });

  await sendAirtime(played, { phone_number: AIRTEL, amount: "10" });
  await Promise.all(["one", "two", "three", "four", "five"].map((message) => sendMessage(played, { message })));
  await played.advance(5);
  await expect(sendAirtime(played, { amount: "100" })).rejects.toThrow(TypeError);
  await sendAirtime(played, { amount: "100" });
  await sendMessage(played, { message: "eleven" });
  await played.advance(55);
  await sendAirtime(played, { amount: "50" });
  await played.advance(30);
  await askDetails(played);

  expect(await journalOf(played)).toMatchInlineSnapshot(`
    "0s wallet set to 500.00
    0s airtime to 254733000001 accepted, 9.50 held [Airtel is down, its backlog drains afterwards]
    0s sms refused with 429 [two refusals, then it works]
    0s sms refused with 429 [two refusals, then it works]
    0s sms to 254712345678 accepted, 0.80 held
    0s sms to 254712345678 accepted, 0.80 held
    0s sms to 254712345678 accepted, 0.80 held [every third acknowledgment is slow]
    1s settled: 200, 0.80 charged, 488.10 available
    1s settled: 200, 0.80 charged, 488.10 available
    1s settled: 200, 0.80 charged, 488.10 available
    1s callback 1: {}
    1s callback 1: {}
    1s callback 1: {}
    5s airtime to 254712345678 accepted, 95.00 held [the acknowledgment is lost after the money moved]
    5s airtime to 254712345678 accepted, 95.00 held
    5s sms to 254712345678 accepted, 0.80 held [every third acknowledgment is slow]
    6s settled: 200, 95.00 charged, 297.30 available
    6s settled: 200, 95.00 charged, 297.30 available
    6s settled: 200, 0.80 charged, 297.30 available
    6s callback 1: {}
    6s callback 1: {}
    6s callback 1: {}
    30s settled: 200, 9.50 charged, 297.30 available
    30s callback 1: {}
    60s step 0 of bad-afternoon
    60s wallet set to 3.00
    60s airtime refused with 402
    90s step 1 of bad-afternoon
    90s account-details refused with 401"
  `);
  expect(walletOf(played)).toEqual({ available: 3, held: 0 });
});

/** What happened, a line each: when, what, by which rules. */
async function journalOf({ account }: PlayedScenario): Promise<string> {
  const { events } = account.journal.read();
  return events
    .flatMap((event) => describe(event).map((told) => `${(event.at - WALL_START) / 1_000}s ${told}`))
    .join("\n");
}

function describe(event: AccountEvent): string[] {
  const rules = "rules" in event ? (event.rules?.fired ?? []).map(({ rule }) => ` [${rule}]`).join("") : "";
  switch (event.kind) {
    case "accepted":
      return [`${event.order.operation} to ${event.order.phoneNumber} accepted, ${formatKes(event.hold)} held${rules}`];
    case "refused":
      return [`${event.operation} refused with ${event.code}${rules}`];
    case "settled":
      return [
        `settled: ${event.resultCode}, ${formatKes(event.charge)} charged, ${formatKes(event.available)} available`,
      ];
    case "attempted":
      return [`callback ${event.delivery}: ${JSON.stringify(event.scripted ?? {})}`];
    case "wallet-set":
      return [`wallet set to ${formatKes(event.available)}`];
    case "timeline-stepped":
      return [`step ${event.step} of ${event.scenario}`];
    default:
      return [];
  }
}
