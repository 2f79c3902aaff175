import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { Application, type ApplicationOrder } from "../../../src/verdict/application/application.ts";
import { SOUND_SHOPS } from "../../backends/shops/sound-shops.ts";

test.each(Object.entries(SOUND_SHOPS))(
  "the %s shop sells airtime and sends an SMS, as its map of 15 lines says",
  async (_, start) => {
    await using sandbox = await createSandbox({ clock: "manual" });
    await using shop = await start({ gateway: sandbox.url, key: sandbox.consumerKey, secret: sandbox.consumerSecret });
    const parsed = parseAppMap(shop.appMap, "kredo.app.yaml");
    if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
    const { map } = parsed;
    const receive = (url = ""): string => url.replace("{app}", shop.url);
    await sandbox.callbacks.set({ airtime: receive(map.callbacks.airtime), sms: receive(map.callbacks.sms) });
    const gateway = { url: sandbox.url, consumerKey: sandbox.consumerKey, consumerSecret: sandbox.consumerSecret };
    const application = new Application(map, {
      gateway,
      interruption: new AbortController().signal,
    });
    const sell = async (order: ApplicationOrder): Promise<void> => {
      const placed = await application.place(order);
      // A shop that answers before it calls the gateway is done some time later.
      const claim = async (): Promise<string> => {
        await application.act("tick");
        await sandbox.clock.advance("1h");
        return (await application.status(placed)).claim;
      };
      await expect.poll(claim, { timeout: 30_000 }).toBe("paid");
    };

    await sell({ operation: "airtime", phoneNumber: "254712000101", amount: 50, message: "", reference: "a" });
    await sell({ operation: "sms", phoneNumber: "254712000102", amount: 50, message: "Hello", reference: "s" });

    expect(shop.appMap.trim().split("\n").length).toBeLessThanOrEqual(15);
  },
);
