import type { Sandbox, SandboxOptions } from "../../src/index.ts";
import type { Receiver } from "./receiver.ts";
import { sendAirtime, sendSms } from "./traffic.ts";

/** A Monday in Nairobi, from ten past two on. */
export const AFTERNOON = {
  clock: { mode: "manual", now: "2025-01-06T14:10:00+03:00" },
  seed: 254,
  numbers: { ported: { "254722000111": "airtel" } },
  scenarios: ["sms-rejected-by-one-carrier", "magic-numbers"],
  accounts: [{ balance: "12500.00", organization: { name: "Mfano Ltd", location: "Nairobi - Westlands" } }],
} as const satisfies SandboxOptions;

/** What a shop's backend does in an afternoon, with what goes wrong in one. */
export async function playAfternoon(sandbox: Sandbox, receiver: Receiver): Promise<void> {
  await sandbox.callbacks.set({ airtime: receiver.url, sms: receiver.url });
  await playHour(sandbox, EARLY);
  await sandbox.wallet.topUp("5000");
  receiver.answerWith(500);
  await playHour(sandbox, BUSY);
  receiver.answerWith(200);
  await playHour(sandbox, LATE);
  await playRefusals(sandbox);
  for (const order of STILL_QUEUED) await send(sandbox, order);
}

type Order = readonly [
  phoneNumber: string,
  what: { readonly airtime: string } | { readonly sms: string },
  after: string,
];

const WANJIKU = "254712345678";
const OTIENO = "254733456789";
const AMINA = "254701234567";
const KIPTOO = "254772345678";
const NJERI = "254722000111";
/** The connection breaks after accepting. */
const LOST = "254700000602";

const EARLY: readonly Order[] = [
  [WANJIKU, { airtime: "100" }, "2m"],
  [WANJIKU, { sms: "Habari Wanjiku! Umepokea airtime ya KES 100. Asante kwa kununua nasi." }, "4m"],
  [OTIENO, { airtime: "250" }, "5m"],
  [AMINA, { sms: "Your Mfano code is 482913. Usimpe mtu yeyote nambari hii." }, "3m"],
  [KIPTOO, { airtime: "50" }, "7m"],
  [NJERI, { sms: "Karibu Mfano 🎉 Oda yako #1042 imepokelewa, itafika kesho saa nne asubuhi 🚚" }, "6m"],
];

const BUSY: readonly Order[] = [
  [AMINA, { airtime: "1000" }, "2m"],
  [WANJIKU, { sms: "Oda yako #1043 iko njiani. Dereva: Juma, 0733 456 789." }, "3m"],
  [OTIENO, { sms: "Your Mfano code is 105577. Usimpe mtu yeyote nambari hii." }, "4m"],
];

const LATE: readonly Order[] = [
  [NJERI, { airtime: "500" }, "5m"],
  ["254700000201", { airtime: "75" }, "3m"],
  [AMINA, { sms: "Your Mfano code is 660218. Usimpe mtu yeyote nambari hii." }, "2m"],
  [
    KIPTOO,
    {
      sms: `Dear customer, the “January Sale” ends on Friday: 20% off everything in store, free delivery within Nairobi.`,
    },
    "9m",
  ],
  ["254700000204", { airtime: "120" }, "4m"],
  [WANJIKU, { airtime: "20" }, "6m"],
  [
    AMINA,
    { sms: "Asante sana kwa subira yako 🙏 Mteja wetu mpendwa, duka litafunguliwa tena saa mbili asubuhi." },
    "3m",
  ],
];

const STILL_QUEUED: readonly Order[] = [
  [OTIENO, { airtime: "300" }, ""],
  [WANJIKU, { sms: "Salio lako ni dogo. Ongeza airtime ili uendelee kuzungumza." }, ""],
];

async function playHour(sandbox: Sandbox, orders: readonly Order[]): Promise<void> {
  for (const order of orders) {
    await send(sandbox, order);
    await sandbox.clock.advance(order[2]);
  }
}

/** A typing mistake, a wallet that is too small, an outage, and an order that was sent again after its answer was lost. */
async function playRefusals(sandbox: Sandbox): Promise<void> {
  await sendAirtime(sandbox, "25471234", "100");
  await sendAirtime(sandbox, NJERI, "9999");
  await sendAirtime(sandbox, NJERI, "9999");
  await sendAirtime(sandbox, "254700000500", "100");
  await sendAirtime(sandbox, LOST, "200").catch(() => "");
  await sendAirtime(sandbox, LOST, "200").catch(() => "");
  await sandbox.clock.advance("11m");
}

function send(sandbox: Sandbox, [phoneNumber, what]: Order): Promise<string> {
  return "airtime" in what ? sendAirtime(sandbox, phoneNumber, what.airtime) : sendSms(sandbox, phoneNumber, what.sms);
}
